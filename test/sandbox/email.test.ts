import { expect, test } from 'vitest'
import { november, openSandbox } from './client.ts'

const { sandbox, ask } = await openSandbox()

const get = async (path: string) => (await ask('email', 'GET', path)).body.data
const ada = () => get('/subscribers/ada@example.com')

test('an update changes what is sent and leaves the rest', async () => {
  const before = await ada()
  const said = await ask('email', 'PUT', '/subscribers/ada@example.com', {
    lastName: 'Lund',
    leadScore: -4,
    status: 'unsubscribed',
    tagsToAdd: ['vip', 'customer'],
    tagsToRemove: ['newsletter', 'never-had'],
    customFields: { position: 'Owner' },
  })
  expect(said.body).toMatchObject({ success: true, status: 'success' })
  expect(said.body.data).toMatchObject({
    firstName: 'Ada',
    lastName: 'Lund',
    leadScore: -4,
    status: 'unsubscribed',
    tags: ['customer', 'vip'],
    customFields: { company: before.customFields.company, position: 'Owner' },
    isSuppressed: false,
    suppressionDetail: { reason: '', type: '' },
    updatedAt: new Date(november).toISOString(),
  })
  expect(await ada()).toMatchObject({ lastName: 'Lund', tags: ['customer', 'vip'] })
})

test('an odd address is found through an encoded path', async () => {
  const odd = 'söl+a/b%c@exämple.com'
  await ask('email', 'POST', '/subscribers', { email: odd, firstName: 'Odd' })
  expect(await get(`/subscribers/${encodeURIComponent(odd)}`)).toMatchObject({ email: odd, firstName: 'Odd' })
  expect(sandbox.wire[1]?.path).toContain('s%C3%B6l%2Ba%2Fb%25c%40ex%C3%A4mple.com')
})

test('the single read shows no suppression reason, the update does', async () => {
  const suppressed = sandbox.state.email.subscribers.find((one) => one.isSuppressed)
  const path = `/subscribers/${suppressed?.email}`
  expect(Object.keys((await get(path)).suppressionDetail)).toEqual(['createdAt', 'updatedAt'])
  const updated = await ask('email', 'PUT', path, {})
  expect(updated.body.data.isSuppressed).toBe(true)
  expect(updated.body.data.suppressionDetail.reason).not.toBe('')
})

test('pages do not overlap, and together hold everybody', async () => {
  const seen: string[] = []
  let page = 1
  for (let more = true; more && page < 10; page++) {
    const data = await get(`/subscribers?limit=100&page=${page}`)
    expect(data.pagination).toMatchObject({
      currentPage: page,
      itemsPerPage: 100,
      totalItems: 250,
      totalPages: 3,
    })
    expect(data.pagination.hasPrevPage).toBe(page > 1)
    seen.push(...data.subscribers.map((one: { email: string }) => one.email))
    more = data.pagination.hasNextPage
  }
  expect(page).toBe(4)
  expect(new Set(seen).size).toBe(250)
})

test('ten subscribers are on a page by default, and none beyond the last', async () => {
  expect((await get('/subscribers')).subscribers).toHaveLength(10)
  const beyond = await get('/subscribers?page=26')
  expect(beyond.subscribers).toEqual([])
  expect(beyond.pagination).toMatchObject({ hasNextPage: false, hasPrevPage: true })
})

test.each([
  ['status=bounced', (one: Found) => one.status === 'bounced'],
  ['tags=beta,referral', (one: Found) => one.tags.includes('beta') || one.tags.includes('referral')],
  ['tags=beta&tags=referral', (one: Found) => one.tags.includes('beta') || one.tags.includes('referral')],
  ['segments=High%20score', (one: Found) => one.segments.includes('High score')],
  ['lists=VIP', (one: Found) => one.lists.includes('VIP')],
  ['leadScoreMin=90', (one: Found) => one.leadScore >= 90],
  ['leadScoreMax=5', (one: Found) => one.leadScore <= 5],
  [
    'search=freya',
    (one: Found) => `${one.email} ${one.firstName} ${one.lastName}`.toLowerCase().includes('freya'),
  ],
  [
    'status=subscribed&lists=VIP&leadScoreMin=40',
    (one: Found) => one.status === 'subscribed' && one.lists.includes('VIP') && one.leadScore >= 40,
  ],
])('the filter %s finds exactly those who fit', async (filter, isWanted) => {
  const data = await get(`/subscribers?limit=100&${filter}`)
  const expected = sandbox.state.email.subscribers.filter(isWanted)
  expect(expected.length).toBeGreaterThan(0)
  expect(data.pagination.totalItems).toBe(expected.length)
  expect(data.subscribers.map((one: Found) => one.email)).toEqual(
    expected.slice(0, 100).map((one) => one.email),
  )
})

interface Found {
  email: string
  firstName: string
  lastName: string
  status: string
  tags: string[]
  segments: string[]
  lists: string[]
  leadScore: number
}

test('statistics are counted from the subscribers, and a complaint is called spam', async () => {
  const before = await get('/subscribers/stats')
  expect(Object.values<number>(before.statusAnalytics).reduce((a, b) => a + b)).toBe(250)
  await ask('email', 'PUT', '/subscribers/ada@example.com', { status: 'complaint' })
  await ask('email', 'POST', '/lists/remove-subscriber', {
    email: 'ada@example.com',
    listIds: ['lst_newsletter'],
  })
  const after = await get('/subscribers/stats')
  expect(after.statusAnalytics.spam).toBe(before.statusAnalytics.spam + 1)
  expect(after.statusAnalytics.subscribed).toBe(before.statusAnalytics.subscribed - 1)
  expect(after.totalSubscribersAcrossAllLists).toBe(before.totalSubscribersAcrossAllLists - 1)
  expect(after).toMatchObject({ isListSpecific: false, selectedListName: 'All Subscribers' })
  expect(after.leadScoreConfig.unsubscribe).toMatchObject({ value: -10, status: 'active' })
})

test('campaigns of one type are listed, and a page over 100 is cut to 100', async () => {
  const all = await get('/campaigns?limit=500')
  expect(all.pagination).toMatchObject({ page: 1, limit: 100, totalCount: 14, totalPages: 1 })
  const api = await get(`/campaigns?campaignType=${encodeURIComponent('API / Workflow Campaign')}`)
  const regular = await get('/campaigns?campaignType=Regular&limit=2&page=2')
  expect(api.pagination.totalCount + regular.pagination.totalCount).toBe(14)
  expect(regular.campaigns).toHaveLength(2)
  expect(regular.campaigns[0].campaignDetails.campaignType).toBe('Regular')
  expect(all.campaigns.some((one: { _id: string }) => one._id === 'cmp_foreign')).toBe(false)
})

test('a send queues one email an address, with what was overridden', async () => {
  const said = await ask('email', 'POST', '/campaigns/send-to-individual', {
    campaignId: 'cmp_spring_sale',
    emails: ['ada@example.com', 'new@example.com'],
    subject: 'Only today',
    attachments: [{ filename: 'price-list.pdf', url: 'https://files.example.com/price-list.pdf' }],
  })
  expect(said.body.data).toMatchObject({
    campaignId: 'cmp_spring_sale',
    campaignName: 'Spring sale',
    totalEmails: 2,
    queued: 2,
  })
  expect(sandbox.state.email.outbox).toMatchObject([
    { email: 'ada@example.com', subject: 'Only today', fromName: 'Harbour Goods' },
    { email: 'new@example.com', subject: 'Only today' },
  ])
})

test('a campaign made through the API is live at once', async () => {
  const made = await ask('email', 'POST', '/campaigns', { campaignName: 'Flash', subject: 'Now' })
  const campaignId = made.body.data.campaign._id
  const sent = await ask('email', 'POST', '/campaigns/send-to-individual', {
    campaignId,
    emails: ['a@example.com'],
  })
  expect(sent.status).toBe(200)
})

test('a new list is empty and takes members, and its counts follow', async () => {
  const made = await ask('email', 'POST', '/lists', { name: ' Autumn ' })
  expect(made.body.data.list).toMatchObject({ name: 'Autumn', count: 0, counts: { totalSubscribers: 0 } })
  const { id } = made.body.data.list
  await ask('email', 'POST', '/lists/add-subscriber', { email: 'ada@example.com', listIds: [id] })
  expect((await get(`/lists/${id}`)).list).toMatchObject({
    count: 1,
    counts: { totalSubscribers: 1, engagedCount: 1 },
  })
  await ask('email', 'PUT', '/subscribers/ada@example.com', { status: 'unsubscribed' })
  expect((await get(`/lists/${id}`)).list.counts.unsubscribedCount).toBe(1)
  expect((await ask('email', 'POST', '/lists', { name: 'AUTUMN' })).status).toBe(409)
})

test('a removal leaves out lists without the subscriber and lists that do not exist', async () => {
  const before = (await get('/lists/lst_newsletter')).list.count
  const said = await ask('email', 'POST', '/lists/remove-subscriber', {
    subscriberId: (await ada())._id,
    listIds: ['lst_newsletter', 'lst_vip', 'lst_none'],
  })
  expect(said.body.data).toMatchObject({
    email: 'ada@example.com',
    removedLists: ['Newsletter'],
    currentLists: ['Customers'],
  })
  expect((await get('/lists/lst_newsletter')).list.count).toBe(before - 1)
})

test('deleted subscribers are gone', async () => {
  await ask('email', 'DELETE', '/subscribers', { emails: ['ada@example.com'] })
  expect((await ask('email', 'GET', '/subscribers/ada@example.com')).status).toBe(404)
  expect((await get('/subscribers')).pagination.totalItems).toBe(249)
})
