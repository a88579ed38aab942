import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { looseTable, membersIn, recordWith } from '../../packs/billing/loose.ts'
import { paymentColumns, refundColumns, totalWords } from '../../packs/billing/transaction.ts'
import { blocksOf, factsIn, notesIn } from './bot.ts'
import { openTeamBot } from './team-bot.ts'

const bot = await openTeamBot()

describe('transaction find', () => {
  test('lists payments with their currency, and what was refunded of them', async () => {
    const view = await bot.look('transaction find cus_1009')
    const [list] = blocksOf(view, 'table')
    expect(list?.columns.map(({ label }) => label)).toEqual([
      'When',
      'Amount',
      'Status',
      'Invoice',
      'Refunded',
      'Payment',
    ])
    expect(list?.columns.flatMap(({ label, isMore }) => (isMore ? [] : label))).toHaveLength(4)
    expect(list?.rows).toEqual([
      [
        expect.stringMatching(/^\d+ \w+ \d{4}, [\d:]+ UTC$/),
        '245 USD',
        'partially refunded',
        'INV-511',
        '100 USD',
        'pay_1011',
      ],
    ])
    expect(view.footer).toBe('1 payment')
  })

  test('counts a thousand payments as they are, and shows each page whole in every messenger', async () => {
    const { transactions } = bot.sandbox.state.billing
    const own = transactions.find(({ id }) => id === 'pay_1011')
    if (own === undefined) throw new Error('no payment')
    const before = [...transactions]
    for (let at = 1; at < 1_000; at++) transactions.push({ ...own, id: `pay_more_${at}` })
    const first = await bot.look('transaction find cus_1009')
    expect(first.footer).toContain('1 to 20 of 1,000 payments')
    const turns = (view: typeof first) =>
      (view.actions ?? []).flatMap(({ verb }) => (verb === 'next' || verb === 'previous' ? verb : []))
    expect(turns(first)).toEqual(['next'])
    const last = await bot.look('transaction find cus_1009 --page 50')
    expect(last.footer).toContain('981 to 1,000 of 1,000 payments')
    expect(turns(last)).toEqual(['previous'])
    for (const view of [first, last]) {
      expect(blocksOf(view, 'table')[0]?.rows).toHaveLength(20)
      expect(JSON.stringify([renderSlack(view), renderDiscord(view)])).not.toContain('left out')
    }
    expect((await bot.look('transaction find cus_1009 --page 51')).title).toContain('nothing on page 51')
    transactions.splice(0, transactions.length, ...before)
  })

  test('says what to try when there are none', async () => {
    bot.sandbox.state.billing.transactions.length = 0
    expect(notesIn(await bot.look('transaction find cus_1001'))).toContain('transaction refunds')
  })

  test('says so if the customer is unknown', async () => {
    expect(await bot.refused('transaction find cus_none')).toMatchObject({ code: 'not_found' })
  })
})

describe('transaction refunds', () => {
  test('lists refunds and sums them up', async () => {
    const view = await bot.look('transaction refunds cus_1009')
    expect(blocksOf(view, 'table')[0]?.rows[0]?.slice(1)).toEqual([
      '100 USD',
      'refund',
      'Charged twice',
      'pay_1011',
      'ref_901',
    ])
    expect(view.footer).toBe('1 refund, 100 USD in all')
  })

  test('shows a refund that was just made', async () => {
    await bot.run('refund pay_1001 20 --description "Charged twice"')
    const view = await bot.look('transaction refunds cus_1001')
    expect(blocksOf(view, 'table')[0]?.rows[0]?.[1]).toBe('20 USD')
  })

  test('points to the payments when there are none', async () => {
    expect(notesIn(await bot.look('transaction refunds cus_1002'))).toContain('transaction find cus_1002')
  })
})

describe('transaction delete', () => {
  test('says that it could not look first, and deletes', async () => {
    const change = await bot.ask('transaction delete pay_1008')
    expect(factsIn(change.preview)).toEqual({ Payment: 'pay_1008' })
    expect(notesIn(change.preview)).toContain(
      'Nobody has looked at this payment: no customer is known for it.',
    )
    expect((await bot.settle(change)).outcome?.message).toBe('Transaction pay_1008 was deleted.')
    expect(bot.asked()).toEqual(['DELETE /billing/api/v1/transaction/pay_1008'])
  })
})

describe('answers of undocumented shape', () => {
  const one = { id: 'a', amount: '12.50', currency: 'EUR', payment_status: 'paid' }

  test.each([
    ['the list itself', [one]],
    ['a list under some name', { transactions: [one], page: 1 }],
    ['a list further down', { result: { items: [one] }, links: [] }],
    ['one record alone', one],
  ])('are read from %s', (_, data) => {
    const { rows } = looseTable(membersIn(data), paymentColumns) as { rows: string[][] }
    expect(rows).toEqual([['12.50 EUR', 'paid', 'a']])
  })

  test('with no known field are shown by the fields they have', () => {
    const shown = looseTable(membersIn([{ foo_bar: 1, deep: {} }, 'plain']), refundColumns)
    expect(shown).toMatchObject({
      columns: [{ label: 'Foo bar' }, { label: 'Value' }],
      rows: [
        ['1', ''],
        ['', 'plain'],
      ],
    })
  })

  test('have no sum if an amount is missing, and one for each currency otherwise', () => {
    expect(totalWords([{ amount: 5 }, {}])).toBeUndefined()
    expect(
      totalWords([
        { amount: 5, currency: 'EUR' },
        { amount: 2.5, currency: 'USD' },
        { amount: 5, currency: 'EUR' },
      ]),
    ).toBe('10 EUR and 2.50 USD')
  })

  test('a record is found though it is wrapped', () => {
    expect(recordWith({ addon: { id: 'x' } }, ['id'])).toEqual({ id: 'x' })
    expect(recordWith([{ id: 'x' }], ['id'])).toEqual({ id: 'x' })
    expect(recordWith('nothing', ['id'])).toEqual({})
  })

  test('never break a table, whatever they are', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        const records = membersIn(data)
        const table = looseTable(records, paymentColumns) as { rows: string[][]; columns: unknown[] }
        expect(table.rows.every((row) => row.length === table.columns.length)).toBe(true)
        expect(table.rows.flat().every((cell) => typeof cell === 'string')).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
