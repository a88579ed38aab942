import { describe, expect, it } from 'vitest'
import { campaignFind } from '../../../commands/campaign/find.ts'
import { campaignSend } from '../../../commands/campaign/send.ts'
import { campaignSendList } from '../../../commands/campaign/send-list.ts'
import { addonsSent, addonsWords } from '../../../commands/upgrade/addons.ts'
import { blocksOf, factsIn } from '../bot.ts'

type Pin = NonNullable<typeof campaignSend.bulk>['pin']
type Work = NonNullable<typeof campaignSend.bulk>['work']
const { bulk } = campaignSend
if (bulk === undefined) throw new Error('campaign send takes many')

const emailsOf = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@x.io`)

describe('a campaign to many', () => {
  const pinned = async (given: object, status = 'live', campaignName = 'N') => {
    const kept: string[][] = []
    const email = {
      getCampaign: async () => ({ data: { _id: 'c', status, campaignDetails: { campaignName } } }),
      findCampaigns: async () => ({ data: { campaigns: [] } }),
      getSubscriber: async ({ params }: { params: { email: string } }) => ({
        data: { email: params.email, status: 'subscribed' },
      }),
      findSubscribers: async () => ({
        data: {
          subscribers: emailsOf(7).map((one) => ({ email: one, status: 'subscribed' })),
          pagination: { totalPages: 1 },
        },
      }),
    }
    const context = {
      email,
      chunk: 3,
      pin: async (members: string[]) => {
        kept.push(members)
        return { set: 's', total: members.length, digest: 'd', chunks: 1 }
      },
    }
    const done = await bulk.pin({ campaignId: 'c', ...given }, context as unknown as Parameters<Pin>[1])
    return { done, kept }
  }

  it.each([
    ['as many addresses as fit into one request', { emails: emailsOf(3) }, 0],
    ['one more', { emails: emailsOf(4) }, 4],
    ['many more', { emails: emailsOf(9) }, 9],
    ['a file', { file: { name: 'f.csv', text: emailsOf(2).join('\n') } }, 2],
    ['a filter', { tags: ['vip'] }, 7],
  ])('is kept as a set where it goes to %s', async (_, given, count) => {
    const { done, kept } = await pinned(given)
    if (!done.ok) throw new Error(done.refusal.message)
    if (count === 0) {
      expect([done.value, kept]).toEqual([undefined, []])
      return
    }
    expect(kept).toEqual([emailsOf(count)])
    expect(done.value).toMatchObject({
      pinned: { report: { total: count, emails: emailsOf(Math.min(count, 5)), report: { strangers: 0 } } },
    })
    // What was typed is kept without the addresses: they are in the set.
    expect(done.value?.input).toEqual({
      campaignId: 'c',
      ...('tags' in given ? given : 'file' in given ? { file: { name: 'f.csv', text: '' } } : {}),
    })
  })

  it.each([
    ['LIVE', true],
    ['draft', false],
  ])('that is %s is taken: %s, before anybody is looked up', async (status, isTaken) => {
    const { done, kept } = await pinned({ tags: ['vip'] }, status)
    expect([done.ok, kept.length]).toEqual([isTaken, isTaken ? 1 : 0])
  })

  it.each([
    ['N', 'N is draft'],
    ['', 'c is draft'],
  ])('that is not live is named in the refusal, by its id where its name is %j', async (name, words) => {
    const { done } = await pinned({ tags: ['vip'] }, 'draft', name)
    expect(done.ok ? '' : done.refusal.message).toContain(words)
  })

  it.each([
    [3, 3, 0],
    [2, 2, 1],
    [5, 3, 0],
    [undefined, 3, 0],
  ])(
    'of which the service queues %s counts %s as done and %s as failed, when its turn has come',
    async (queued, done, failed) => {
      const steps: unknown[] = []
      const context = {
        throttle: async () => void steps.push('waited'),
        email: {
          sendCampaign: async ({ body }: { body: object }) => {
            steps.push(body)
            return { data: queued === undefined ? undefined : { queued } }
          },
        },
      }
      const plan = { campaignId: 'c', subject: 'S', recipients: { emails: [] } }
      const worked = await bulk.work(plan, emailsOf(3), context as unknown as Parameters<Work>[2])
      expect(worked.done).toBe(done)
      expect(worked.troubles).toHaveLength(failed)
      for (const { why } of worked.troubles ?? []) expect(why).toContain(`only ${queued} of the 3 addresses`)
      expect(steps).toEqual([
        'waited',
        expect.objectContaining({ campaignId: 'c', subject: 'S', emails: emailsOf(3) }),
      ])
    },
  )

  it('asks for one campaign to see whether the service is there', async () => {
    const asked: unknown[] = []
    const email = { findCampaigns: async (given: unknown) => asked.push(given) }
    await bulk.probe?.({}, { email } as never)
    expect(asked).toEqual([{ query: { limit: 1 } }])
  })
})

const ways = {
  emails: ['a@x.io'],
  file: { name: 'f.csv', text: 'b@x.io' },
  tags: ['vip'],
  status: 'subscribed',
}
it.each([
  [['emails'], true],
  [['file'], true],
  [['tags', 'status'], true],
  [['emails', 'file'], false],
  [['emails', 'tags'], false],
  [['file', 'status'], false],
] as [(keyof typeof ways)[], boolean][])(
  'recipients by %j are one way to choose them: %s',
  (names, isOne) => {
    const chosen = Object.fromEntries(names.map((name) => [name, ways[name]]))
    expect(campaignSend.input.safeParse({ campaignId: 'cmp_1', ...chosen }).success).toBe(isOne)
  },
)

describe('a campaign to lists', () => {
  it.each([
    ['Spring sale', 'Spring sale'],
    ['', 'c'],
  ])('goes by its name, and by its id where that is %j', async (campaignName, name) => {
    const email = {
      getCampaign: async () => ({ data: { _id: 'c', status: 'live', campaignDetails: { campaignName } } }),
      findLists: async () => ({ data: { lists: [{ _id: 'l1', name: 'VIP' }] } }),
    }
    const prepared = await campaignSendList.prepare({ campaignId: 'c', listIds: ['VIP'] }, { email } as never)
    expect(prepared).toMatchObject({ ok: true, value: { name } })
  })
  const shown = (lists: object[], overrides: object = {}) =>
    campaignSendList.preview({ campaignId: 'c', name: 'N', subject: 'S', lists, overrides }, undefined)
  const [vip, news, odd] = [
    { id: 'l1', words: 'VIP (l1)', subscribers: 1 },
    { id: 'l2', words: 'News (l2)', subscribers: 2 },
    { id: 'l3', words: 'Odd (l3)' },
  ]
  it.each([
    [[vip], 'Send N to 1 person on VIP (l1)', '1 subscriber'],
    [
      [vip, news],
      'Send N to 3 people on VIP (l1), News (l2)',
      '3 subscribers, those in several lists counted more than once',
    ],
    [[news, odd], 'Send N to News (l2), Odd (l3)', 'not known'],
  ])('says how many %j are', (lists, title, subscribers) => {
    const view = shown(lists as object[])
    expect([view.title, factsIn(view).Subscribers]).toEqual([title, subscribers])
    expect(blocksOf(view, 'list')[0]?.items).toHaveLength(lists.length)
  })
  it('shows what is sent instead of its own, and what goes with it', () => {
    expect(factsIn(shown([vip as object]))).toMatchObject({ Subject: 'S' })
    const attachments = [{ filename: 'a.pdf', url: 'https://a.io/a.pdf' }]
    const view = shown([vip as object], { subject: 'R', attachments })
    expect(factsIn(view).Subject).toBe('R (instead of S)')
    expect(blocksOf(view, 'list')[1]?.items).toEqual(['a.pdf: https://a.io/a.pdf'])
    expect(blocksOf(shown([vip as object], { attachments: [] }), 'list')).toHaveLength(1)
  })
})

describe('a page of campaigns', () => {
  const one = { _id: 'c', status: 'live', campaignDetails: { campaignName: 'N' } }
  const page = async (data: object | undefined, given: Record<string, unknown> = {}) => {
    const email = { findCampaigns: async () => ({ data }) }
    const found = await campaignFind.run(given, { email } as never)
    if (!found.ok) throw new Error(found.refusal.message)
    const { view, pages } = found.value
    const [block] = view.blocks
    return [view.title, view.footer, block?.kind === 'note' ? block.text : block?.kind, pages]
  }
  const none = 'There are no such campaigns. Try all of them:'
  it.each([
    [undefined, {}, ['Campaigns', undefined, none, { previous: false, next: false }]],
    [{ campaigns: [one] }, { page: 2 }, ['Campaigns', undefined, 'table', { previous: true, next: false }]],
    [
      { campaigns: [one], pagination: { page: 2, totalCount: 21, totalPages: 3 } },
      {},
      ['21 campaigns', 'Page 2 of 3, 21 campaigns', 'table', { previous: true, next: true }],
    ],
    [
      { campaigns: [one], pagination: { page: 3, totalCount: 21, totalPages: 3 } },
      {},
      ['21 campaigns', 'Page 3 of 3, 21 campaigns', 'table', { previous: true, next: false }],
    ],
    [
      { campaigns: [one], pagination: { page: 2, totalCount: 21, hasNextPage: false, hasPrevPage: false } },
      {},
      ['21 campaigns', 'Page 2 of 2, 21 campaigns', 'table', { previous: false, next: false }],
    ],
    [
      { campaigns: [], pagination: { page: 3, totalCount: 11, totalPages: 2 } },
      {},
      [
        '11 campaigns',
        undefined,
        'There is nothing on page 3: the last one is 2.',
        { previous: true, next: false },
      ],
    ],
    [
      { campaigns: [], pagination: { page: 1, totalCount: 0, totalPages: 1 } },
      {},
      ['0 campaigns', undefined, none, { previous: false, next: false }],
    ],
    [
      { campaigns: [], pagination: { page: 1, totalCount: 0, totalPages: 0 } },
      {},
      ['0 campaigns', undefined, none, { previous: false, next: false }],
    ],
  ])('%j, asked for by %j', async (data, given, expected) => {
    expect(await page(data, given)).toEqual(expected)
  })
})

it.each([
  [
    'a:2, b',
    [
      { id: 'a', quantity: 2 },
      { id: 'b', quantity: 1 },
    ],
    'a × 2, b',
  ],
  ['a, a', undefined, ''],
  ['a:0', undefined, ''],
  ['a b', undefined, ''],
  ['7', undefined, ''],
  ['[{"id":"a"}]', [{ id: 'a' }], 'a'],
  ['[]', [], 'none'],
  ['{"a":2,"b":"1"}', { a: 2, b: '1' }, 'a × 2, b'],
  ['[{"x":1}]', [{ x: 1 }], '[{"x":1}]'],
])('add-ons written as %s are sent and read', (written, sent, words) => {
  const got = addonsSent(written, 'list')
  expect(got).toEqual(sent)
  if (got !== undefined) expect(addonsWords(got)).toBe(words)
})
