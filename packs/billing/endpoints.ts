import { z } from 'zod'
import { openRead, openWrite } from '../../src/lib/services/endpoints/path-only.ts'
import { hasText } from '../../src/lib/services/endpoints/read-back.ts'
import { queryInteger, segment } from '../../src/lib/services/endpoints/request-fields.ts'
import { defineRow, defineService } from '../../src/lib/services/endpoints/row.ts'
import { billingForms } from './guesses.ts'
import { planChangeIntent, refundAmount, refundIntent } from './intents.ts'
import { kinds } from './kinds.ts'
import { links } from './links.ts'
import * as answers from './records.ts'
import * as requests from './requests.ts'

// Every write here is `once` and moves money or changes what is sold: the bot never repeats such a request.

const byMultiplan = z.object({ multiplan_id: segment })
const byAddon = z.object({ addon_id: segment })
const byProduct = z.object({ product_id: segment })
const byCustomer = z.object({ customer_id: segment })
const byLicense = z.object({ product_id: segment, license_id: segment })

/** The service answers `all` where it was told `all_plans`, and a `status` in a type of its own. */
const addonEcho = (addon: z.infer<typeof answers.addon>) =>
  addon.associate_plans === 'all' ? { ...addon, associate_plans: 'all_plans' } : addon

const shown = {
  createMultiplan: defineRow({
    method: 'POST',
    path: '/multiplans',
    noun: 'multiplan',
    effect: 'once',
    movesMoney: true,
    shown: true,
    summary: 'Create a multiplan checkout page',
    readBack: {
      read: 'findMultiplans',
      input: () => ({}),
      tells: hasText('page_title', ['page_title', 'title']),
    },
    body: requests.newMultiplan,
    answer: answers.multiplan,
    identity: { product_id: 'product_id' },
  }),
  createAddon: defineRow({
    method: 'POST',
    path: '/addon/{product_id}',
    noun: 'addon',
    effect: 'once',
    movesMoney: true,
    shown: true,
    summary: 'Create an add-on',
    readBack: { read: 'findAddons', tells: hasText('code', ['code']) },
    params: byProduct,
    body: requests.newAddon,
    answer: answers.addon,
    identity: { product_id: 'product_id' },
    echo: addonEcho,
  }),
  updateAddon: defineRow({
    method: 'PUT',
    path: '/addon/{addon_id}',
    noun: 'addon',
    effect: 'once',
    movesMoney: true,
    shown: true,
    summary: 'Update an add-on',
    readBack: { read: 'getAddon', tells: 'values' },
    guessed: ['plans_array'],
    params: byAddon,
    body: requests.addonUpdate,
    answer: answers.addon,
    identity: { id: 'addon_id' },
    echo: addonEcho,
  }),
  refundPayment: defineRow({
    method: 'POST',
    path: '/transaction/refund/{payment_id}',
    noun: 'refund',
    effect: 'once',
    movesMoney: {
      intent: (params, body) => refundIntent(params.payment_id, body?.amount),
      amount: (body) => refundAmount(body?.amount),
    },
    shown: true,
    summary: 'Refund a payment, or record a refund',
    params: z.object({ payment_id: segment }),
    body: requests.refund,
    answer: answers.refundReceipt,
  }),
  findLicenses: defineRow({
    method: 'GET',
    path: '/products/{product_id}/licenses',
    noun: 'license',
    effect: 'read',
    shown: true,
    summary: 'Licenses of a product, a page at a time',
    params: byProduct,
    query: z.strictObject({
      limit: queryInteger('the page size', { min: 1, max: 100 }).optional(),
      page: queryInteger('the page', { min: 1 }).optional(),
    }),
    answer: answers.licenses,
  }),
  changePlan: defineRow({
    method: 'PUT',
    path: '/subscription/{subscription_id}/upgrade-downgrade',
    noun: 'upgrade',
    effect: 'once',
    movesMoney: { intent: (params, body) => planChangeIntent(params.subscription_id, body?.plan_id) },
    shown: true,
    summary: 'Move a subscription to another plan',
    guessed: ['addons'],
    params: z.object({ subscription_id: segment }),
    body: requests.planChange,
    answer: answers.planChangeAnswer,
    identity: { 'subscription.id': 'subscription_id', 'invoice.subscription_id': 'subscription_id' },
    // What is put off to the end of the term shows in the answer nowhere that is documented.
    echo: ({ subscription, invoice }: z.infer<typeof answers.planChangeAnswer>, { activated_at_val }) =>
      activated_at_val === 'eot'
        ? undefined
        : {
            ...subscription,
            coupon_code: subscription?.coupon?.coupon_code,
            card_id: subscription?.payment_method,
            payment_term: invoice?.payment_term ?? subscription?.payment_terms,
          },
  }),
}

const pathOnly = {
  getMultiplan: openRead({
    path: '/multiplans/{multiplan_id}',
    noun: 'multiplan',
    summary: 'Get a multiplan',
    params: byMultiplan,
  }),
  findMultiplans: openRead({ path: '/multiplans', noun: 'multiplan', summary: 'Find multiplans' }),
  updateMultiplan: openWrite({
    method: 'PUT',
    path: '/multiplans/{multiplan_id}',
    noun: 'multiplan',
    effect: 'once',
    movesMoney: true,
    summary: 'Update a multiplan',
    readBack: { read: 'getMultiplan', tells: 'values' },
    params: byMultiplan,
  }),
  deleteMultiplan: openWrite({
    method: 'DELETE',
    path: '/multiplans/{multiplan_id}',
    noun: 'multiplan',
    effect: 'once',
    movesMoney: true,
    summary: 'Delete a multiplan',
    readBack: { read: 'getMultiplan', tells: 'gone' },
    params: byMultiplan,
  }),
  getAddon: openRead({ path: '/addon/{addon_id}', noun: 'addon', summary: 'Get an add-on', params: byAddon }),
  findAddons: openRead({
    path: '/addons/{product_id}',
    noun: 'addon',
    summary: 'Add-ons of a product',
    params: byProduct,
  }),
  deleteAddon: openWrite({
    method: 'DELETE',
    path: '/addon/{addon_id}',
    noun: 'addon',
    effect: 'once',
    movesMoney: true,
    summary: 'Delete an add-on',
    readBack: { read: 'getAddon', tells: 'gone' },
    params: byAddon,
  }),
  findTransactions: openRead({
    path: '/transactions/{customer_id}',
    noun: 'transaction',
    summary: 'Transactions of a customer',
    params: byCustomer,
  }),
  findRefunds: openRead({
    path: '/refund/{customer_id}',
    noun: 'transaction',
    summary: 'Refunds of a customer',
    params: byCustomer,
  }),
  deleteTransaction: openWrite({
    method: 'DELETE',
    path: '/transaction/{transaction_id}',
    noun: 'transaction',
    effect: 'once',
    movesMoney: true,
    summary: 'Delete a transaction',
    params: z.object({ transaction_id: segment }),
  }),
  createLicense: openWrite({
    method: 'POST',
    path: '/products/{product_id}/licenses',
    noun: 'license',
    effect: 'once',
    movesMoney: true,
    summary: 'Create a license',
    params: byProduct,
  }),
  getLicense: openRead({
    path: '/products/{product_id}/licenses/{license_id}',
    noun: 'license',
    summary: 'Get a license',
    params: byLicense,
  }),
  updateLicense: openWrite({
    method: 'PUT',
    path: '/products/{product_id}/licenses/{license_id}',
    noun: 'license',
    effect: 'once',
    movesMoney: true,
    summary: 'Update a license',
    params: byLicense,
  }),
  deleteLicense: openWrite({
    method: 'DELETE',
    path: '/products/{product_id}/licenses/{license_id}',
    noun: 'license',
    effect: 'once',
    movesMoney: true,
    widens: 'deleteLicenseCode',
    summary: 'Delete a license',
    readBack: { read: 'getLicense', tells: 'gone' },
    params: byLicense,
  }),
  licenseCodes: openRead({
    path: '/products/{product_id}/licenses/{license_id}/codes',
    noun: 'license',
    summary: 'Codes of a license',
    params: byLicense,
  }),
  deleteLicenseCode: openWrite({
    method: 'DELETE',
    path: '/products/{product_id}/licenses/{license_id}/codes/{code}',
    noun: 'license',
    effect: 'once',
    movesMoney: true,
    summary: 'Delete a code of a license',
    // A code is made by other systems and may hold an encoded slash.
    freeText: ['code'],
    params: z.object({ product_id: segment, license_id: segment, code: segment }),
  }),
}

export const billing = defineService({
  name: 'billing',
  title: 'Billing',
  auth: 'basic',
  environment: {
    baseUrl: 'BILLING_BASE_URL',
    keys: { apiKey: 'BILLING_API_KEY', secretKey: 'BILLING_SECRET_KEY' },
  },
  prefix: '/api/v1',
  rows: { ...shown, ...pathOnly },
  envelope: true,
  // It documents no read that needs no id, so this is one that is only listed.
  proof: { row: 'findMultiplans' },
  kinds,
  links,
  guesses: billingForms,
})

declare module '../../src/lib/services/endpoints/row.ts' {
  interface Tables {
    billing: typeof billing
  }
}
