import { describe, expect, test } from 'vitest'
import { subscriberFacts } from '../../packs/email/subscriber.ts'
import { blocksOf, diffIn, factsIn, notesIn, useBot } from './bot.ts'

const bot = useBot()
const ada = () => bot.sandbox.state.email.subscribers[0]

describe('subscriber get', () => {
  test('shows by address what a person wants to know first', async () => {
    const view = await bot.look('subscriber get ada@example.com')
    expect(view.title).toBe('“Ada Lindqvist”')
    expect(factsIn(view)).toMatchObject({
      Email: 'ada@example.com',
      Status: 'subscribed',
      'Lead score': '72',
      Tags: 'customer, newsletter',
      Lists: 'Newsletter, Customers',
      Mail: expect.stringMatching(
        /^\d+ sent, \d+ delivered, 18 opened \(9 unique\), 6 clicked \(3 unique\)$/,
      ),
    })
    expect(factsIn(view).Added).toMatch(/^\d+ \w+ \d{4}, [\d:]+ UTC$/)
  })

  test('finds the same person by id', async () => {
    const view = await bot.look(`subscriber get ${ada()?._id}`)
    expect(factsIn(view).Email).toBe('ada@example.com')
  })

  test('says what to try when nobody has the address', async () => {
    const refusal = await bot.refused('subscriber get nora.smith@example.com')
    expect(refusal).toMatchObject({
      code: 'not_found',
      next: expect.stringContaining('subscriber find nora'),
    })
  })

  test('does not take the statistics for somebody’s id', async () => {
    expect((await bot.refused('subscriber get stats')).message).toContain('subscriber stats')
    expect(bot.sandbox.wire).toEqual([])
  })

  test('gives exact dates beside relative ones for suppression and activity', async () => {
    const day = new Date(Date.now() - 3 * 86_400_000).toISOString()
    Object.assign(ada() ?? {}, {
      isSuppressed: true,
      suppression: { reason: 'asked by phone', type: 'manual', createdAt: day, updatedAt: day },
      activity: [{ type: 'open', at: day }],
    })
    const { Activity } = factsIn(await bot.look('subscriber get ada@example.com'))
    expect(Activity).toMatch(/^open, \d+ \w+ \d{4}, [\d:]+ UTC$/)
    const record = { isSuppressed: true, suppressionDetail: { createdAt: day } }
    expect(factsIn({ title: '', tone: 'plain', blocks: [subscriberFacts(record)] })).toMatchObject({
      Suppressed: expect.stringMatching(/^yes \(since \d+ \w+ \d{4}, [\d:]+ UTC\)$/),
    })
    const change = await bot.run('subscriber update ada@example.com --lead-score 1')
    expect(factsIn(change.outcome?.view).Suppressed).toMatch(/\(since \d+ \w+ \d{4}, [\d:]+ UTC\)$/)
  })

  test('leaves out a place that the service does not know', async () => {
    Object.assign(ada() ?? {}, { city: 'Not Specified', country: 'Not Specified' })
    expect(factsIn(await bot.look('subscriber get ada@example.com'))).not.toHaveProperty('Place')
  })

  test('survives a record whose fields are missing, null or of another type', async () => {
    Object.assign(ada() ?? {}, {
      tags: null,
      lists: 'none',
      leadScore: 'high',
      customFields: 7,
      totalSent: null,
    })
    const view = await bot.look('subscriber get ada@example.com')
    expect(factsIn(view)).toMatchObject({ Email: 'ada@example.com', Tags: 'none' })
  })
})

describe('subscriber find', () => {
  test('sends every filter as the service documents it', async () => {
    await bot.look(
      'subscriber find an --status subscribed --tags customer,beta --segments "High score" --lists Newsletter,VIP --lead-score-min 10 --lead-score-max 90 --page 1 --limit 5',
    )
    const { query } = requestOf('findSubscribers')
    expect(query).toEqual({
      search: 'an',
      status: 'subscribed',
      tags: 'customer,beta',
      segments: 'High score',
      lists: 'Newsletter,VIP',
      leadScoreMin: '10',
      leadScoreMax: '90',
      page: '1',
      limit: '5',
    })
  })

  test('marks who is suppressed, by the record or by the list beside it', async () => {
    const rowOf = async () =>
      blocksOf(await bot.look('subscriber find ada@example.com'), 'table')[0]?.rows[0]?.[2]
    expect(await rowOf()).toBe('subscribed')
    Object.assign(ada() ?? {}, { isSuppressed: true })
    expect(await rowOf()).toBe('subscribed, suppressed')
  })

  test('pages forward and back through all matches', async () => {
    const first = await bot.look('subscriber find --limit 100')
    expect(first).toMatchObject({ title: '250 subscribers', footer: 'Page 1 of 3, 250 subscribers' })
    expect(blocksOf(first, 'table')[0]?.rows).toHaveLength(100)
    const second = await bot.turn(first, 'next')
    expect(second.footer).toContain('Page 2 of 3')
    const last = await bot.turn(second, 'next')
    expect(blocksOf(last, 'table')[0]?.rows).toHaveLength(50)
    expect(last.actions?.map(({ verb }) => verb)).toEqual(['previous', 'file', 'share'])
  })

  test('says what to try when nobody matches', async () => {
    const view = await bot.look('subscriber find nobody-like-this')
    expect(notesIn(view)).toBe('No subscribers match all of these filters.')
    expect(blocksOf(view, 'list')[0]?.items).toContain('list segments')
  })

  test('offers one name at a time, where the service found nobody by both', async () => {
    const view = await bot.look('subscriber find "Ada Lindqvist"')
    const [alone] = blocksOf(view, 'list')
    expect(alone?.items).toEqual(['subscriber find Ada', 'subscriber find Lindqvist'])
    expect(blocksOf(await bot.look(String(alone?.items[1])), 'table')[0]?.rows).toHaveLength(1)
  })

  test('says where the last page is when asked for one behind it', async () => {
    expect(notesIn(await bot.look('subscriber find --page 99'))).toContain('the last one is 25')
  })

  test.each([
    ['subscriber find --limit 101', 'a page has at most 100 subscribers.'],
    ['subscriber find --limit 0', 'a page has at least 1 subscriber.'],
    ['subscriber find --page 0', 'pages start at 1.'],
    ['subscriber find --lead-score-min 9 --lead-score-max 8', 'the highest lead score is below the lowest.'],
  ])('refuses %s by name before anything is asked', async (line, message) => {
    expect(await bot.refused(line)).toMatchObject({
      code: 'bad_value',
      message: expect.stringContaining(message),
    })
    expect(bot.sandbox.wire).toEqual([])
  })
})

describe('subscriber update', () => {
  test('shows each field old to new, and sends only what changes', async () => {
    const change = await bot.ask(
      'subscriber update ada@example.com --first-name Ada --last-name Berg --lead-score 80 --company "Fern and Field" --tags-to-add beta,customer --tags-to-remove newsletter',
    )
    expect(diffIn(change.preview)).toEqual({
      'Last name': ['Lindqvist', 'Berg'],
      'Lead score': ['72', '80'],
      Company: [expect.any(String), 'Fern and Field'],
      Tags: ['customer, newsletter', 'customer, beta'],
    })
    expect(bot.sent('updateSubscriber')).toEqual([])
    const done = await bot.confirm(change)
    expect(done.outcome?.message).toBe(
      'Updated Ada Lindqvist (ada@example.com): last name, lead score, company, tags.',
    )
    expect(bot.sent('updateSubscriber')).toEqual([
      {
        lastName: 'Berg',
        leadScore: 80,
        customFields: { company: 'Fern and Field' },
        tagsToAdd: ['beta'],
        tagsToRemove: ['newsletter'],
      },
    ])
    expect(ada()).toMatchObject({ lastName: 'Berg', tags: ['customer', 'beta'] })
    expect(ada()?.customFields.position).toBeTruthy()
  })

  test('shows a name that is emptied as gone', async () => {
    const change = await bot.run('subscriber update ada@example.com --first-name ""')
    expect(diffIn(change.preview)).toEqual({ 'First name': ['Ada', null] })
    expect(ada()?.firstName).toBe('')
  })

  test('warns when the new status may stop all mail', async () => {
    const change = await bot.ask('subscriber update ada@example.com --status unsubscribed')
    expect(notesIn(change.preview)).toContain('may no longer get any email')
  })

  test('sends a status that the documents do not name, with a warning', async () => {
    const change = await bot.ask('subscriber update ada@example.com --status paused')
    expect(notesIn(change.preview)).toContain('The documents name no status paused')
  })

  test('sets custom fields by name, and sends only those that differ', async () => {
    Object.assign(ada()?.customFields ?? {}, { plan: 'silver', seats: '12' })
    const change = await bot.ask('subscriber update ada@example.com --custom-fields plan=gold,seats=12,note=')
    expect(diffIn(change.preview)).toEqual({ plan: ['silver', 'gold'] })
    await bot.confirm(change)
    expect(bot.sent('updateSubscriber')).toEqual([{ customFields: { plan: 'gold' } }])
  })

  test('takes a tag that is repeated once', async () => {
    await bot.run('subscriber update ada@example.com --tags-to-add beta,beta')
    expect(bot.sent('updateSubscriber')).toEqual([{ tagsToAdd: ['beta'] }])
  })

  test('offers the look-up that could tell whether it happened', async () => {
    const change = await bot.ask('subscriber update ada@example.com --lead-score 1')
    expect(change.lookUps).toEqual(['subscriber get ada@example.com'])
  })

  test.each([
    ['subscriber update ada@example.com', 'nothing_to_change'],
    ['subscriber update ada@example.com --first-name Ada --tags-to-add customer', 'nothing_to_change'],
    ['subscriber update nobody@example.com --first-name Ada', 'not_found'],
    ['subscriber update ada@example.com --tags-to-add a,b --tags-to-remove b', 'bad_value'],
    ['subscriber update ada@example.com --custom-fields gold', 'bad_value'],
    ['subscriber update ada@example.com --custom-fields a=1,a=2', 'bad_value'],
    ['subscriber update ada@example.com --custom-fields company=Fern', 'bad_value'],
    ['subscriber update not-an-address --first-name Ada', 'bad_value'],
  ])('refuses %s before anybody is asked', async (line, code) => {
    expect((await bot.refused(line)).code).toBe(code)
  })

  test('does not go through when the record has changed since it was shown', async () => {
    const change = await bot.ask('subscriber update ada@example.com --lead-score 80')
    Object.assign(ada() ?? {}, { leadScore: 5 })
    const after = await bot.confirm(change)
    expect(after.state).toBe('pending')
    expect(diffIn(after.preview)).toEqual({ 'Lead score': ['5', '80'] })
    expect(bot.sent('updateSubscriber')).toEqual([])
  })

  test('is not disturbed by counters that move on their own', async () => {
    const change = await bot.ask('subscriber update ada@example.com --lead-score 80')
    Object.assign(ada() ?? {}, { totalOpens: 999, updatedAt: new Date().toISOString() })
    expect((await bot.confirm(change)).state).toBe('applied')
  })
})

describe('subscriber stats', () => {
  test('counts people by status and by list, with charts', async () => {
    const view = await bot.look('subscriber stats')
    const facts = factsIn(view)
    expect(facts).toMatchObject({
      Subscribers: '250',
      'Score rules': 'open +2, click +5, bounce -5, unsubscribe -10',
    })
    const [statuses, lists] = blocksOf(view, 'chart')
    const points = statuses?.series[0]?.points ?? []
    expect(points.map(({ label }) => label)).toEqual(['Subscribed', 'Unsubscribed', 'Bounced', 'Complaints'])
    expect(points.reduce((sum, { value }) => sum + value, 0)).toBe(250)
    expect(lists?.series[0]?.points).toHaveLength(7)
    expect(blocksOf(view, 'table')[0]?.rows).toHaveLength(7)
  })

  test('shows what the service counts as spam as complaints', async () => {
    const complaints = bot.sandbox.state.email.subscribers.filter(
      ({ status }) => status === 'complaint',
    ).length
    expect(factsIn(await bot.look('subscriber stats')).Complaints).toMatch(new RegExp(`^${complaints} \\(`))
  })
})

test('subscriber fields names the custom fields', async () => {
  const [table] = blocksOf(await bot.look('subscriber fields'), 'table')
  expect(table?.columns.map(({ label }) => label)).toEqual(['Name', 'Type', 'Id'])
  expect(table?.rows.map(([name]) => name)).toEqual(['company', 'position', 'billing_id'])
})

const requestOf = (row: string) => {
  const entry = bot.sandbox.wire.find((one) => one.row === row)
  const url = new URL(entry?.path ?? '', 'http://sandbox')
  return { query: Object.fromEntries(url.searchParams) }
}
