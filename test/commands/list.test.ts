import { describe, expect, test } from 'vitest'
import { blocksOf, diffIn, factsIn, notesIn, useBot } from './bot.ts'

const bot = useBot()
const always = Number.POSITIVE_INFINITY
const ada = () => bot.sandbox.state.email.subscribers[0]

describe('list find, get and segments', () => {
  test('list find shows every list with its size and id', async () => {
    const view = await bot.look('list find')
    expect(view.title).toBe('7 lists')
    const [newsletter] = blocksOf(view, 'table')[0]?.rows ?? []
    expect(newsletter).toEqual(expect.arrayContaining(['Newsletter', 'lst_newsletter']))
  })

  test('list find says how to make the first list', async () => {
    bot.sandbox.state.email.lists.length = 0
    const view = await bot.look('list find')
    expect(blocksOf(view, 'list')[0]?.items).toEqual(['list create Newsletter'])
  })

  test('list get shows one list', async () => {
    const view = await bot.look('list get lst_product_updates')
    expect(view.title).toBe('“Product updates”')
    expect(factsIn(view)).toMatchObject({
      Subscribers: expect.stringMatching(/^\d+$/),
      Id: 'lst_product_updates',
    })
  })

  test('list get of an unknown id says where the ids are', async () => {
    expect(await bot.refused('list get lst_nothing')).toMatchObject({
      code: 'not_found',
      next: 'list find shows every id.',
    })
  })

  test('list segments keeps lists and segments apart', async () => {
    const view = await bot.look('list segments')
    expect(blocksOf(view, 'text').map(({ text }) => text)).toEqual(['Lists', 'Segments'])
    expect(blocksOf(view, 'table').map(({ rows }) => rows.length)).toEqual([7, 4])
  })
})

describe('list create', () => {
  test('makes the list that was shown', async () => {
    const change = await bot.ask('list create "Spring launch"')
    expect(diffIn(change.preview)).toEqual({ List: [null, 'Spring launch'] })
    const done = await bot.confirm(change)
    expect(done).toMatchObject({ state: 'applied', outcome: { message: 'Created the list Spring launch.' } })
    expect(bot.sent('createList')).toEqual([{ name: 'Spring launch' }])
    expect(factsIn(done.outcome?.view).Id).toBe(bot.sandbox.state.email.lists.at(-1)?.id)
  })

  test.each([
    ['list create newsletter', 'There is a list named Newsletter already.'],
    ['list create "AT RISK"', 'There is a segment named “At risk” already.'],
  ])('refuses %s whatever its case', async (line, message) => {
    expect(await bot.refused(line)).toMatchObject({ code: 'not_allowed_now', message })
  })

  test('refuses a name that is empty or over 100 characters', async () => {
    expect((await bot.refused('list create " "')).message).toContain('a list needs a name.')
    const long = await bot.refused(`list create ${'n'.repeat(101)}`)
    expect(long.message).toContain('a list name has at most 100 characters.')
    expect(bot.sandbox.wire).toEqual([])
    await bot.ask(`list create ${'n'.repeat(100)}`)
  })

  test('checks the names in the statistics where the service does not give lists and segments', async () => {
    bot.sandbox.fault({ row: 'listsAndSegments', kind: 'status', status: 404, times: always })
    expect((await bot.refused('list create vip')).message).toBe('There is a list named VIP already.')
    const change = await bot.ask('list create Fresh')
    expect(notesIn(change.preview)).toContain('only lists were checked')
  })

  test('says so when no name could be checked', async () => {
    bot.sandbox.fault({ row: 'listsAndSegments', kind: 'garbage', times: always })
    bot.sandbox.fault({ row: 'subscriberStats', kind: 'garbage', times: always })
    const change = await bot.ask('list create Fresh')
    expect(notesIn(change.preview)).toContain('the name was not checked')
  })
})

describe('list remove', () => {
  test('shows the lists before and after, by name', async () => {
    const change = await bot.ask('list remove ada@example.com --list-ids lst_newsletter')
    expect(change.preview.title).toBe('Remove Ada Lindqvist (ada@example.com) from Newsletter')
    expect(diffIn(change.preview)).toEqual({ Lists: ['Newsletter, Customers', 'Customers'] })
    const done = await bot.confirm(change)
    expect(bot.sent('removeFromLists')).toEqual([{ email: 'ada@example.com', listIds: ['lst_newsletter'] }])
    expect(factsIn(done.outcome?.view)).toEqual({ Removed: 'Newsletter', 'Lists now': 'Customers' })
    expect(ada()?.lists).toEqual(['Customers'])
  })

  test('takes a subscriber id as well', async () => {
    await bot.run(`list remove ${ada()?._id} --list-ids lst_newsletter`)
    expect(bot.sent('removeFromLists')).toEqual([{ subscriberId: ada()?._id, listIds: ['lst_newsletter'] }])
  })

  test('takes the name of a list where people type it, and sends its id', async () => {
    await bot.run('list remove ada@example.com --list-ids newsletter')
    expect(bot.sent('removeFromLists')).toEqual([{ email: 'ada@example.com', listIds: ['lst_newsletter'] }])
  })

  test('says which lists make no difference and which are unknown', async () => {
    const change = await bot.ask('list remove ada@example.com --list-ids lst_customers,lst_vip,lst_nothing')
    expect(diffIn(change.preview)).toEqual({ Lists: ['Newsletter, Customers', 'Newsletter'] })
    expect(notesIn(change.preview)).toContain('Not in VIP')
    expect(notesIn(change.preview)).toContain('The name of lst_nothing is not known')
  })

  test('finds the names in the statistics where the lists cannot be read', async () => {
    bot.sandbox.fault({ row: 'findLists', kind: 'status', status: 405, times: always })
    const change = await bot.ask('list remove ada@example.com --list-ids lst_newsletter')
    expect(diffIn(change.preview)).toEqual({ Lists: ['Newsletter, Customers', 'Customers'] })
  })

  test('shows bare ids where no list can be read', async () => {
    bot.sandbox.fault({ row: 'findLists', kind: 'garbage', times: always })
    bot.sandbox.fault({ row: 'subscriberStats', kind: 'garbage', times: always })
    const change = await bot.run('list remove ada@example.com --list-ids lst_newsletter')
    expect(notesIn(change.preview)).toContain('The name of lst_newsletter is not known')
    expect(change.outcome?.message).toBe('Removed Ada Lindqvist (ada@example.com) from Newsletter.')
  })

  test('refuses when the subscriber is in none of the lists', async () => {
    expect(await bot.refused('list remove ada@example.com --list-ids lst_vip')).toMatchObject({
      code: 'nothing_to_change',
      next: 'The lists are Newsletter, “Customers”.',
    })
  })

  test('refuses without a list, and for somebody unknown', async () => {
    expect((await bot.refused('list remove ada@example.com')).code).toBe('missing_arguments')
    expect((await bot.refused('list remove ada@example.com --list-ids ""')).code).toBe('bad_value')
    expect((await bot.refused('list remove no@example.com --list-ids lst_vip')).code).toBe('not_found')
  })
})

test('lists are found through the documented statistics where the service has no listing of them', async () => {
  const titles = (await bot.look('list find')).title
  bot.sandbox.fault({ service: 'email', row: 'findLists', kind: 'status', status: 404 })
  const view = await bot.look('list find')
  expect(view.title).toBe(titles)
  expect(JSON.stringify(view.blocks)).toContain('lst_newsletter')
})
