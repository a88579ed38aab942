import type { z } from 'zod'
import { termEndLabel } from '../../packs/billing/last-plan.ts'
import type { planChangeAnswer } from '../../packs/billing/records.ts'
import type { planChange } from '../../packs/billing/requests.ts'
import { activationWords, paymentModeWords, paymentTermWords } from '../../packs/billing/sent-words.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { due, money, when } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { openText } from '../../src/lib/view/record-facts.ts'
import { type Block, facts, type View } from '../../src/lib/view/view.ts'
import { sentence, type Words } from '../../src/lib/view/words.ts'
import { addonsWords } from './addons.ts'
import { type KnownPlan, planWords } from './known-plans.ts'

type Body = z.infer<typeof planChange>
type Changed = z.infer<typeof planChangeAnswer>

/** The plan that a change made here moved the subscription to last, and when its term ends. */
export type LeftAt = { plan: string; at: number; name?: string | undefined; ends?: number | null | undefined }

type Around = { known?: KnownPlan | undefined; who?: string | undefined; from?: LeftAt | undefined }

/** "Move Ada Lindqvist from Desk Starter to 3 × Desk Business" */
export const moveTitle = (who: string, body: Body, { known, from }: Around): string =>
  `Move ${who}${from === undefined ? '' : ` from ${leftWords(from)}`} to ${newPlanWords(body, known)}`

const leftWords = ({ name, plan }: LeftAt): string => (name ? theirs(name) : plan)

export const planFacts = (subscriptionId: string, body: Body, { known, who, from }: Around = {}): Block =>
  facts({
    Subscription: {
      role: 'target',
      value: [subscriptionId, ...(who === undefined ? [] : [`of ${theirs(who)}`])].join(' '),
    },
    From: from && { role: 'subject', value: sentence`${leftWords(from)}, since ${when(from.at)}` },
    To: {
      role: 'target',
      value: known === undefined ? body.plan_id : `${planWords(known)} (${body.plan_id})`,
    },
    [activationWords.label]: startOf(body, from),
    Quantity: body.quantity,
    Price: body.price === undefined ? undefined : money(Number(body.price), currencyOf(known)),
    'Setup fee':
      body.setup_fee === undefined ? known?.setupFee : money(Number(body.setup_fee), currencyOf(known)),
    'Add-ons': body.addons === undefined ? undefined : addonsWords(body.addons),
    Coupon: body.coupon_code,
    [paymentModeWords.label]: `${paymentModeWords.values[body.payment_mode]}${body.card_id === undefined ? '' : `, card ${body.card_id}`}`,
    [paymentTermWords.label]: body.payment_term && paymentTermWords.values[body.payment_term],
    Customer: { role: 'target', value: body.customer_id },
    'What it will cost': 'known when it is done',
    Reason: { role: 'reason', value: body.update_reason },
  })

/** "at the end of the term, 1 Dec 2026" */
const startOf = ({ activated_at_val: start }: Body, from: LeftAt | undefined): Words | undefined => {
  if (start === undefined) return undefined
  const words = activationWords.values[start]
  return start === 'eot' && from?.ends != null ? sentence`${words}, ${due(from.ends)}` : words
}

/** A price takes the place of that of the plan, so it is in the same currency. */
const currencyOf = (known: KnownPlan | undefined) => ({ code: known?.terms?.currency ?? undefined })

/** "3 × Business", where a number was given. */
const newPlanWords = (body: Body, known: KnownPlan | undefined): string =>
  `${body.quantity === undefined ? '' : `${body.quantity} × `}${theirs(known?.name ?? body.plan_id)}`

/** Where the line asks for less than the checkout page shows. */
export const loweredWords = (body: Body, known: KnownPlan | undefined): string[] => {
  const below = (
    what: string,
    asked: string | undefined,
    own: number | null | undefined,
    words: string | null | undefined,
  ) =>
    own != null && Number(asked) < own
      ? [
          `The ${what} asked for, ${money(Number(asked), currencyOf(known))}, is below the plan’s own, ${words}.`,
        ]
      : []
  return [
    ...below('price', body.price, known?.listPrice, known?.price),
    ...below('setup fee', body.setup_fee, known?.listFee, known?.setupFee),
    ...(body.coupon_code === undefined
      ? []
      : ['A coupon lowers what is charged; by how much nobody can read.']),
  ]
}

/** "Charged Ada Lindqvist 31.20 USD: 49 USD for Business, less 17.80 USD for 11 unused days of Starter." */
export const doneMessage = (who: string, body: Body, changed: Changed | undefined): string => {
  const plan = theirs(changed?.plan?.plan_name || body.plan_id)
  if (body.activated_at_val === 'eot') return `Will move ${who} to ${plan} at the end of its term.`
  const { invoice } = changed ?? {}
  const note = invoice?.credit_note
  const charged = note?.charge_amount ?? invoice?.amount
  if (typeof charged !== 'number') return `Moved ${who} to ${plan}.`
  const currency = {
    code: changed?.plan?.currency_code,
    symbol: invoice?.currency_symbol ?? changed?.plan?.currency_symbol,
  }
  const [whole, credit, days] = [
    numberOf(note?.new_plan_total) ?? note?.new_plan_price,
    note?.new_credits,
    note?.remaining_days,
  ]
  const less =
    credit && typeof days === 'number' && note?.current_plan_name
      ? `, less ${money(credit, currency)} for ${plural(days, 'unused day')} of ${theirs(note.current_plan_name)}`
      : ''
  const sum =
    typeof whole === 'number' && less !== '' ? `${money(whole, currency)} for ${plan}${less}` : `for ${plan}`
  return `Charged ${who} ${money(charged, currency)}: ${sum}.`
}

/**
 * What people want to know after a plan change: what was charged, what was credited, and when the next bill
 * comes.
 */
export const doneView = (subscriptionId: string, changed: Changed, said: string | undefined): View => {
  const { invoice, subscription, plan, customer, product } = changed
  const note = invoice?.credit_note
  const symbol = invoice?.currency_symbol ?? subscription?.currency_symbol ?? plan?.currency_symbol
  const currency = { code: plan?.currency_code, symbol }
  const amount = (value: number | null | undefined) =>
    value === undefined || value === null ? undefined : money(value, currency)
  const from = note?.current_plan_name
  const to = note?.new_plan_name ?? plan?.plan_name
  return {
    title: `Plan of ${theirs(subscriptionId)}`,
    tone: 'good',
    blocks: [
      facts({
        [from ? 'Plan' : 'New plan']: from && to ? `${from} → ${to}` : to,
        Charged: amount(note?.charge_amount ?? invoice?.amount),
        Invoice: [invoice?.invoice_id ?? invoice?.id, invoice?.status].filter(Boolean).join(', '),
        'Still due': invoice?.due_amount ? amount(invoice.due_amount) : undefined,
        'Due date': due(invoice?.due_date),
        [paymentTermWords.label]: termWords(invoice?.payment_term ?? subscription?.payment_terms),
        'New plan costs': amount(numberOf(note?.new_plan_total) ?? note?.new_plan_price ?? plan?.price),
        'Credit for the old plan': amount(note?.new_credits),
        'Total credit':
          note?.total_credit_amount === note?.new_credits ? undefined : amount(note?.total_credit_amount),
        'Old plan used': used(note?.used_days, note?.remaining_days),
        'Credit used': creditWords(note?.credit_applied, amount),
        'Credit of the customer':
          typeof customer?.credit === 'number' ? amount(customer.credit) : openText(customer?.credit),
        Note: note?.transaction_note,
        Tax: taxWords(invoice, amount),
        Status: subscription?.status,
        Quantity: subscription?.quantity,
        Amount: amount(subscription?.amount),
        'Setup fee': subscription?.setup_fee ? amount(subscription.setup_fee) : undefined,
        'Add-ons': subscription?.addons?.map((addon) => addonWords(addon, amount)).join(', '),
        Coupon: couponWords(subscription?.coupon),
        'Paid through': [subscription?.gateway_type, subscription?.gateway_id, subscription?.payment_method]
          .filter(Boolean)
          .join(', '),
        Reason: subscription?.update_reason,
        Product: product?.product_name,
        Customer: customerWords(customer, subscription?.customer_id),
        'Trial ends': due(subscription?.trial_expiry_date),
        'Last billing': when(subscription?.last_billing_date),
        [termEndLabel]: due(subscription?.next_billing_date),
        Expires: due(subscription?.expiry_date),
        Cancelled: when(subscription?.canceled_date),
        'The service says': said,
      }),
    ],
  }
}

type Amount = (value: number | null | undefined) => string | undefined
type Subscription = NonNullable<Changed['subscription']>
type Invoice = NonNullable<Changed['invoice']>

/** "12.50 of 112.50 (SE, tax_1)" */
const taxWords = (invoice: Changed['invoice'], amount: Amount): string | undefined => {
  const { total_tax, total_amount, country, tax_id } = invoice?.tax_apply ?? {}
  const tax = numberOf(total_tax) ?? numberOf(invoice?.credit_note?.total_tax)
  if (tax === undefined || tax === 0) return undefined
  const of = total_amount ? ` of ${amount(total_amount)}` : ''
  const where = [country, tax_id].filter(Boolean).join(', ')
  return `${amount(tax)}${of}${where === '' ? '' : ` (${where})`}`
}

const creditWords = (
  used: NonNullable<Invoice['credit_note']>['credit_applied'],
  amount: Amount,
): string | undefined =>
  used
    ?.map((one) => {
      const left = amount(one.remaining_amount)
      return [amount(one.amount), left && `${left} left`].filter(Boolean).join(', ')
    })
    .filter(Boolean)
    .join('; ')

const addonWords = (addon: NonNullable<Subscription['addons']>[number], amount: Amount): string => {
  const name = addon.name || addon.id || ''
  const many = addon.quantity ? `${theirs(name)} × ${addon.quantity}` : name
  return addon.adjusted_amount ? `${many} (${amount(addon.adjusted_amount)})` : many
}

/** "SPRING20, 20 percent off the total amount" */
const couponWords = (coupon: Subscription['coupon']): string | undefined => {
  const code = coupon?.coupon_code || coupon?.coupon_name
  if (!code) return undefined
  if (typeof coupon?.discount !== 'number') return code
  const kind = coupon.discount_type?.replaceAll('_', ' ')
  const off = coupon.apply_to ? ` off the ${coupon.apply_to.replaceAll('_', ' ')}` : ' off'
  return `${theirs(code)}, ${[coupon.discount, kind].filter(Boolean).join(' ')}${off}`
}

/** One that the service wrote otherwise stays as it is. */
const termWords = (term: string | null | undefined): string | null | undefined =>
  Object.entries<string>(paymentTermWords.values).find(([value]) => value === term)?.[1] ?? term

const numberOf = (text: string | null | undefined): number | undefined =>
  text && Number.isFinite(Number(text)) ? Number(text) : undefined

const used = (days: number | null | undefined, left: number | null | undefined): string | undefined =>
  typeof days === 'number' && typeof left === 'number'
    ? `${plural(days, 'day')} of ${plural(days + left, 'day')}`
    : undefined

const customerWords = (customer: Changed['customer'], id: string | null | undefined): string => {
  const name = [customer?.first_name, customer?.last_name].filter(Boolean).join(' ')
  return [name, customer?.email_id, customer?.id ?? id].filter(Boolean).join(', ')
}
