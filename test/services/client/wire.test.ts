import { beforeEach, describe, expect, it } from 'vitest'
import type { Services } from '../../../src/lib/services/client/client.ts'
import { done, ok, openRecorder } from '../recorder.ts'

const { recorder, services } = await openRecorder()
beforeEach(() => {
  recorder.requests.length = 0
  recorder.respond = done
})

const contact = '64b7f0c2a1d3e4f5a6b7c8d9'
const bearer = { email: 'Bearer email-key-1', chat: 'Bearer chat-key-1' }
const basic = `Basic ${btoa('billing-key-1:billing-secret-1')}`

type Case = [
  name: string,
  call: (s: Services) => Promise<unknown>,
  method: string,
  url: string,
  authorization: string,
  body?: unknown,
]

const products = {
  to: 919876543210,
  type: 'interactive',
  header: 'New',
  body: 'Have a look',
  footer: 'Bye',
  action: { catalogId: 'cat-1' },
  sections: [{ title: 'Shoes', products: [{ productRetailerId: 'sku-1' }] }],
} as const
const media = {
  to: 919876543210,
  type: 'template',
  templateName: 'receipt',
  link: 'https://example.com/r.pdf',
  filename: 'r.pdf',
  bodyParams: ['Ada'],
  contact: '{"name":"Ada"}',
} as const
const carousel = {
  to: 919876543210,
  type: 'template',
  templateName: 'spring',
  languageCode: 'en',
  bodyParams: ['Ada'],
  carouselBodies: [{ bodyParams: ['1'] }, { bodyParams: [] }],
  carouselFileData: [
    { fileUrl: 'https://example.com/1.png', fileName: '1.png' },
    { fileUrl: 'https://example.com/2.png', fileName: '2.png' },
  ],
  urlVariables: ['a', 'b'],
  copyCodeParam: 'SAVE',
  quickReplies: '["yes"]',
} as const
const addon = {
  name: 'Seat',
  code: 'seat',
  price: 5,
  billing_period: 'm',
  billing_period_num: 1,
  billing_cycle: 'lifetime',
  status: 'true',
  associate_plans: 'selected_plans',
  plans_array: ['p1'],
} as const
const change = {
  plan_id: 'p2',
  payment_mode: 'offline',
  price: '12.50',
  quantity: '2',
  setup_fee: '0',
  addons: '[]',
} as const

const cases: Case[] = [
  [
    'updateSubscriber',
    (s) =>
      s.email.updateSubscriber({
        params: { email: 'ada@example.com' },
        body: { firstName: 'Ada', leadScore: -3, tagsToAdd: ['vip'], customFields: { company: 'Engines' } },
      }),
    'PUT',
    '/email/api/v2/subscribers/ada%40example.com',
    bearer.email,
    { firstName: 'Ada', leadScore: -3, tagsToAdd: ['vip'], customFields: { company: 'Engines' } },
  ],
  [
    'getSubscriber',
    (s) => s.email.getSubscriber({ params: { email: 'ada@example.com' } }),
    'GET',
    '/email/api/v2/subscribers/ada%40example.com',
    bearer.email,
  ],
  [
    'findSubscribers',
    (s) =>
      s.email.findSubscribers({
        query: {
          page: 2,
          limit: 100,
          search: 'a&b=c',
          status: 'bounced',
          tags: ['vip', 'new one'],
          lists: 'x,y',
          segments: [],
          leadScoreMin: -5,
          leadScoreMax: '10',
        },
      }),
    'GET',
    '/email/api/v2/subscribers?page=2&limit=100&search=a%26b%3Dc&status=bounced&tags=vip%2Cnew%20one&lists=x%2Cy&leadScoreMin=-5&leadScoreMax=10',
    bearer.email,
  ],
  [
    'subscriberStats',
    (s) => s.email.subscriberStats(),
    'GET',
    '/email/api/v2/subscribers/stats',
    bearer.email,
  ],
  [
    'findCampaigns',
    (s) => s.email.findCampaigns({ query: { campaignType: 'API / Workflow Campaign', limit: 500 } }),
    'GET',
    '/email/api/v2/campaigns?limit=500&campaignType=API%20%2F%20Workflow%20Campaign',
    bearer.email,
  ],
  [
    'sendCampaign',
    (s) =>
      s.email.sendCampaign({
        body: {
          campaignId: 'c1',
          emails: ['ada@example.com'],
          subject: 'Zoë — “hi”',
          attachments: [{ filename: 'a.pdf', url: 'https://example.com/a.pdf' }],
        },
      }),
    'POST',
    '/email/api/v2/campaigns/send-to-individual',
    bearer.email,
    {
      campaignId: 'c1',
      emails: ['ada@example.com'],
      subject: 'Zoë — “hi”',
      attachments: [{ filename: 'a.pdf', url: 'https://example.com/a.pdf' }],
    },
  ],
  [
    'createList',
    (s) => s.email.createList({ body: { name: 'VIP' } }),
    'POST',
    '/email/api/v2/lists',
    bearer.email,
    { name: 'VIP' },
  ],
  [
    'removeFromLists',
    (s) => s.email.removeFromLists({ body: { subscriberId: 's1', listIds: ['l1'] } }),
    'POST',
    '/email/api/v2/lists/remove-subscriber',
    bearer.email,
    { subscriberId: 's1', listIds: ['l1'] },
  ],
  [
    'updateContact',
    (s) =>
      s.chat.updateContact({ params: { id: contact }, body: { optin: false, tags: [], tagsToAdd: 'a,b' } }),
    'PUT',
    `/chat/api/v1/contacts/${contact}`,
    bearer.chat,
    { optin: false, tags: [], tagsToAdd: 'a,b' },
  ],
  [
    'getContact',
    (s) => s.chat.getContact({ params: { id: contact } }),
    'GET',
    `/chat/api/v1/contacts/${contact}`,
    bearer.chat,
  ],
  ['contactLists', (s) => s.chat.contactLists(), 'GET', '/chat/api/v1/contacts/lists', bearer.chat],
  [
    'sendProducts',
    (s) => s.chat.sendProducts({ body: structuredClone(products) as never }),
    'POST',
    '/chat/api/v1/messages',
    bearer.chat,
    { ...products, interactiveType: 'product_list' },
  ],
  [
    'sendMediaTemplate',
    (s) => s.chat.sendMediaTemplate({ body: structuredClone(media) as never }),
    'POST',
    '/chat/api/v1/messages',
    bearer.chat,
    media,
  ],
  [
    'sendCarousel',
    (s) => s.chat.sendCarousel({ body: structuredClone(carousel) as never }),
    'POST',
    '/chat/api/v1/messages',
    bearer.chat,
    carousel,
  ],
  [
    'createMultiplan',
    (s) =>
      s.billing.createMultiplan({
        body: { product_id: 'p', page_title: 'Plans', plans: ['a', 'b'], preferred_plan_id: 'b' },
      }),
    'POST',
    '/billing/api/v1/multiplans',
    basic,
    { product_id: 'p', page_title: 'Plans', plans: ['a', 'b'], preferred_plan_id: 'b' },
  ],
  [
    'createAddon',
    (s) => s.billing.createAddon({ params: { product_id: 'p/1' }, body: structuredClone(addon) as never }),
    'POST',
    '/billing/api/v1/addon/p%2F1',
    basic,
    addon,
  ],
  [
    'updateAddon',
    (s) =>
      s.billing.updateAddon({
        params: { addon_id: 'a1' },
        body: { price: 0, status: false, plans_array: null },
      }),
    'PUT',
    '/billing/api/v1/addon/a1',
    basic,
    { price: 0, status: false, plans_array: null },
  ],
  [
    'refundPayment',
    (s) =>
      s.billing.refundPayment({
        params: { payment_id: 'pay 1?' },
        body: { amount: 40, refund_type: 'record_refund' },
      }),
    'POST',
    '/billing/api/v1/transaction/refund/pay%201%3F',
    basic,
    { amount: 40, refund_type: 'record_refund' },
  ],
  [
    'refundPayment of all of it',
    (s) => s.billing.refundPayment({ params: { payment_id: 'pay1' } }),
    'POST',
    '/billing/api/v1/transaction/refund/pay1',
    basic,
    {},
  ],
  [
    'findLicenses',
    async (s) => {
      recorder.respond = ok([])
      await s.billing.findLicenses({ params: { product_id: 'p1' }, query: { limit: '100', page: 3 } })
    },
    'GET',
    '/billing/api/v1/products/p1/licenses?limit=100&page=3',
    basic,
  ],
  [
    'changePlan',
    (s) => s.billing.changePlan({ params: { subscription_id: 's1' }, body: change }),
    'PUT',
    '/billing/api/v1/subscription/s1/upgrade-downgrade',
    basic,
    change,
  ],
  [
    'a path-only write without a body',
    (s) => s.billing.deleteAddon({ params: { addon_id: 'a1' } }),
    'DELETE',
    '/billing/api/v1/addon/a1',
    basic,
  ],
  [
    'a path-only read with its slash',
    (s) => s.chat.findContacts({ query: { page: 1 } }),
    'GET',
    '/chat/api/v1/contacts/?page=1',
    bearer.chat,
  ],
  [
    'a call by row id',
    (s) => s.call('chat.sendText', { body: { to: 1, type: 'text', text: 'hi' } }),
    'POST',
    '/chat/api/v1/messages',
    bearer.chat,
    { to: 1, type: 'text', text: 'hi' },
  ],
]

describe('on the wire', () => {
  it.each(cases)('%s is one right request', async (_, call, method, url, authorization, body) => {
    await call(services)
    expect(recorder.requests).toHaveLength(1)
    const [request] = recorder.requests
    expect(request).toMatchObject({ method, url })
    expect(request?.headers.authorization).toBe(authorization)
    expect(request?.headers.accept).toBe('application/json')
    if (body === undefined) {
      expect(request?.body).toBe('')
      expect(request?.headers['content-type']).toBeUndefined()
    } else {
      expect(JSON.parse(request?.body ?? '')).toEqual(body)
      expect(request?.headers['content-type']).toBe('application/json')
    }
  })

  it.each([
    ['a+b@example.com', 'a%2Bb%40example.com'],
    ['a/b@example.com', 'a%2Fb%40example.com'],
    ['100%@example.com', '100%25%40example.com'],
    ['zoë@exämple.com', 'zo%C3%AB%40ex%C3%A4mple.com'],
    ['名@example.com', '%E5%90%8D%40example.com'],
    ["o'neil&co=1?#@example.com", "o'neil%26co%3D1%3F%23%40example.com"],
  ])('the email %s is the path segment %s', async (email, segment) => {
    await services.email.getSubscriber({ params: { email } })
    expect(recorder.requests[0]?.url).toBe(`/email/api/v2/subscribers/${segment}`)
  })

  it('keeps the connection of reads open, and gives every once request a connection of its own', async () => {
    const ports = () => new Set(recorder.requests.map(({ port }) => port)).size
    for (let n = 0; n < 10; n += 1) await services.email.subscriberStats()
    expect(ports()).toBeLessThanOrEqual(2)
    recorder.requests.length = 0
    for (let n = 0; n < 3; n += 1) await services.billing.refundPayment({ params: { payment_id: 'p' } })
    expect(ports()).toBe(3)
  })
})
