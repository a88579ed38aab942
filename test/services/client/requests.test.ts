import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toRequest } from '../../../src/lib/services/client/request.ts'
import { type RowId, rowById } from '../../../src/lib/services/endpoints/tables.ts'
import { openRecorder } from '../recorder.ts'

const { recorder, services } = await openRecorder()

const url = 'https://example.com/1.png'
const section = { title: 'Shoes', products: [{ productRetailerId: 'sku' }] }
const products = {
  to: 15550100,
  type: 'interactive',
  interactiveType: 'product_list',
  header: 'h',
  body: 'b',
  action: { catalogId: 'c' },
  sections: [section],
}
const media = { to: 15550100, type: 'template', templateName: 't', link: url }
const cards = (n: number) => ({
  carouselBodies: Array(n).fill({ bodyParams: [] }),
  carouselFileData: Array(n).fill({ fileUrl: url, fileName: '1.png' }),
})
const carousel = { to: 15550100, type: 'template', templateName: 't', ...cards(2) }
const send = { campaignId: 'c', emails: ['a@example.com'] }
const plan = { plan_id: 'p', payment_mode: 'offline' }
const addon = {
  name: 'n',
  code: 'c',
  price: 1,
  billing_period: 'm',
  billing_period_num: 1,
  billing_cycle: 'onetime',
  status: 'true',
  associate_plans: 'all_plans',
}
const id = { id: '64b7f0c2a1d3e4f5a6b7c8d9' }
const email = { email: 'a@example.com' }

type Bad = [row: RowId, input: object, words: RegExp]

const bad: Bad[] = [
  ['email.getSubscriber', { params: { email: 'nobody' } }, /valid email/],
  ['email.getSubscriber', { params: { email: 'a..b@example.com' } }, /valid email/],
  ['email.getSubscriber', { params: { email: 'a@example' } }, /valid email/],
  ['email.getSubscriber', { params: { email: 'a b@example.com' } }, /valid email/],
  ['email.getSubscriber', { params: { email: 'a/./b@example.com' } }, /cannot stand in a path/],
  ['email.getSubscriber', {}, /email address is needed/],
  ['email.getSubscriber', { params: email, body: { a: 1 } }, /takes no body/],
  ['email.getSubscriberById', { params: { id: '..' } }, /cannot stand in a path/],
  ['email.getSubscriberById', { params: { id: '\ud800' } }, /cannot stand in a path/],
  ['email.findSubscribers', { query: { limit: 101 } }, /at most 100/],
  ['email.findSubscribers', { query: { limit: 0 } }, /at least 1/],
  ['email.findSubscribers', { query: { page: 0 } }, /at least 1/],
  ['email.findSubscribers', { query: { page: '1.5' } }, /whole number/],
  ['email.findSubscribers', { query: { status: 'spam' } }, /complaint/],
  ['email.findSubscribers', { query: { tags: ['a,b'] } }, /comma/],
  ['email.findSubscribers', { query: { sort: 'x' } }, /sort/],
  ['email.findCampaigns', { query: { campaignType: 'regular' } }, /Regular/],
  ['email.updateSubscriber', { params: email, body: { leadScore: 1.5 } }, /whole number/],
  ['email.updateSubscriber', { params: email, body: { nickname: 'x' } }, /nickname/],
  ['email.sendCampaign', { body: { ...send, emails: [] } }, /at least one address/],
  ['email.sendCampaign', { body: { ...send, emails: ['x'] } }, /valid email/],
  ['email.sendCampaign', { body: { emails: ['a@example.com'] } }, /campaign id is needed/],
  ['email.sendCampaign', { body: { ...send, attachments: [{ filename: 'report', url }] } }, /extension/],
  ['email.sendCampaign', { body: { ...send, attachments: [{ filename: '.pdf', url }] } }, /extension/],
  [
    'email.sendCampaign',
    { body: { ...send, attachments: [{ filename: 'a.pdf', url: 'ftp://example.com/a' }] } },
    /http/,
  ],
  ['email.createList', { body: { name: '' } }, /must not be empty/],
  ['email.createList', { body: { name: 'x'.repeat(101) } }, /at most 100/],
  ['email.removeFromLists', { body: { email: 'a@example.com', listIds: [] } }, /at least one list/],
  ['email.removeFromLists', { body: { listIds: ['l'] } }, /email or a subscriber id/],
  ['chat.getContact', { params: { id: 'lists' } }, /24 hexadecimal/],
  ['chat.getContact', { params: { id: `${id.id}0` } }, /24 hexadecimal/],
  ['chat.updateContact', { params: id, body: { mobile: 'abc' } }, /dialing code/],
  ['chat.sendProducts', { body: { ...products, to: 0 } }, /phone number/],
  ['chat.sendProducts', { body: { ...products, to: 1.5 } }, /phone number/],
  ['chat.sendProducts', { body: { ...products, to: 1e15 } }, /15 digits/],
  ['chat.sendProducts', { body: { ...products, type: 'template' } }, /interactive/],
  ['chat.sendProducts', { body: { ...products, interactiveType: 'list' } }, /product_list/],
  ['chat.sendProducts', { body: { ...products, header: 'x'.repeat(61) } }, /at most 60/],
  ['chat.sendProducts', { body: { ...products, body: 'x'.repeat(1025) } }, /at most 1024/],
  ['chat.sendProducts', { body: { ...products, footer: 'x'.repeat(61) } }, /at most 60/],
  ['chat.sendProducts', { body: { ...products, action: {} } }, /catalog id/],
  ['chat.sendProducts', { body: { ...products, sections: Array(11).fill(section) } }, /at most 10 sections/],
  [
    'chat.sendProducts',
    {
      body: { ...products, sections: [{ title: 't', products: Array(31).fill({ productRetailerId: 's' }) }] },
    },
    /at most 30 products/,
  ],
  [
    'chat.sendProducts',
    { body: { ...products, sections: [{ ...section, title: 'x'.repeat(25) }] } },
    /at most 24/,
  ],
  ['chat.sendMediaTemplate', { body: { ...media, link: 'example.com/a.png' } }, /http/],
  ['chat.sendMediaTemplate', { body: { ...media, type: 'interactive' } }, /template/],
  ['chat.sendCarousel', { body: { ...carousel, ...cards(1) } }, /at least 2 cards/],
  ['chat.sendCarousel', { body: { ...carousel, ...cards(11) } }, /at most 10 cards/],
  ['chat.sendCarousel', { body: { ...carousel, carouselBodies: cards(3).carouselBodies } }, /each card/],
  ['chat.sendCarousel', { body: { ...carousel, urlVariables: ['a'] } }, /one value per card/],
  [
    'billing.createMultiplan',
    { body: { product_id: 'p', page_title: 't', plans: ['a'], preferred_plan_id: 'b' } },
    /one of the plans/,
  ],
  ['billing.createMultiplan', { body: { product_id: 'p', page_title: 't', plans: [] } }, /at least one plan/],
  [
    'billing.createMultiplan',
    { body: { product_id: 'p', page_title: 't', plans: ['a'], multiplan_list: 'grid' } },
    /radio, select/,
  ],
  [
    'billing.createAddon',
    { params: { product_id: 'p' }, body: { ...addon, billing_period: 'd' } },
    /m, y, w/,
  ],
  ['billing.createAddon', { params: { product_id: 'p' }, body: { ...addon, price: 1.5 } }, /whole number/],
  ['billing.createAddon', { params: { product_id: 'p' }, body: { ...addon, status: true } }, /true, false/],
  ['billing.updateAddon', { params: { addon_id: 'a' }, body: { status: 'true' } }, /true or false/],
  ['billing.updateAddon', { params: { addon_id: 'a' }, body: { billing_cycle: 'x' } }, /onetime/],
  ['billing.refundPayment', { params: { payment_id: 'p' }, body: { amount: 0 } }, /more than nothing/],
  ['billing.refundPayment', { params: { payment_id: 'p' }, body: { amount: 9.99 } }, /whole number/],
  ['billing.refundPayment', { params: { payment_id: 'p' }, body: { refund_type: 'all' } }, /record_refund/],
  ['billing.refundPayment', { params: { payment_id: '' } }, /id is needed/],
  ['billing.findLicenses', { params: { product_id: 'p' }, query: { limit: '101' } }, /at most 100/],
  [
    'billing.changePlan',
    { params: { subscription_id: 's' }, body: { plan_id: 'p' } },
    /offline, credit_card/,
  ],
  ['billing.changePlan', { params: { subscription_id: 's' }, body: { ...plan, price: '1e3' } }, /price/],
  [
    'billing.changePlan',
    { params: { subscription_id: 's' }, body: { ...plan, quantity: '0' } },
    /at least 1/,
  ],
  [
    'billing.changePlan',
    { params: { subscription_id: 's' }, body: { ...plan, payment_term: 'net1' } },
    /neteonm/,
  ],
  [
    'billing.changePlan',
    { params: { subscription_id: 's' }, body: { ...plan, activated_at_val: 'now' } },
    /immediately, eot/,
  ],
]

describe('a request that breaks a rule of the documents', () => {
  it.each(bad)('%s %j is refused in words and not sent', async (row, input, words) => {
    const error = await services.call(row, input).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      name: 'ServiceError',
      kind: 'rejected',
      outcome: 'not_done',
      status: undefined,
    })
    expect((error as { serviceMessage: string }).serviceMessage).toMatch(words)
    expect(recorder.requests).toHaveLength(0)
  })

  it('an empty piece of a path is refused also where a service leaves that to us', () => {
    const named = rowById('email.getSubscriberById')
    const lax = { ...named, row: { ...named.row, params: z.object({ id: z.string() }) } }
    expect(toRequest(lax, { params: { id: 'a' } }).path).toMatch(/\/a$/)
    expect(() => toRequest(lax, { params: { id: '' } })).toThrow(
      expect.objectContaining({ serviceMessage: 'id: this cannot stand in a path' }),
    )
  })

  it('says no more than 300 characters', async () => {
    const body = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`key${n}`, n]))
    const error = await services.call('email.createList', { body }).catch((thrown: unknown) => thrown)
    expect((error as { serviceMessage: string }).serviceMessage).toHaveLength(300)
  })
})
