import { beforeAll, describe, expect, it } from 'vitest'
import { comparedWords, windowOf } from '../../../commands/report/window.ts'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { readPast } from '../../../src/kernel/times/read-past.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import { type Harness, openHarness } from '../../pipeline/harness.ts'

const minute = 60_000

const policy = `
version: 1
people:
  - { id: sam, name: Sam Support, roles: [support] }
  - { id: kim, name: Kim Support, roles: [support] }
  - { id: fay, name: Fay Finance, roles: [finance] }
  - { id: finn, name: Finn Finance, roles: [finance] }
roles:
  support: { run: [refund, "subscriber *", "api *"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: small, commands: [refund], amount: { upTo: 50 }, require: confirm }
  - { name: middle, commands: [refund], require: { approvals: 1, from: [finance] }, expiresIn: 1h }
budgets:
  - { name: a day, commands: [refund], per: requester, window: 24h, limit: 1000, then: { approvals: 1, from: [finance] } }
  - { name: of all, commands: [refund], per: everyone, window: 24h, limit: 2000, then: { approvals: 1, from: [finance] } }
`

type Entry = {
  at: number
  kind: string
  who: string
  command: string
  changeId: string | null
  doc: Record<string, unknown>
}

const clock = { now: Date.UTC(2026, 10, 13, 11) }
let harness: Harness

const fileOf = (reply: Reply): string => {
  if (reply.kind !== 'answer' || reply.file === undefined) throw new Error(JSON.stringify(reply))
  return reply.file.content
}
const viewOf = (reply: Reply) => {
  if (!('view' in reply)) throw new Error(reply.kind)
  return reply.view
}
const rowsOf = (csv: string): Record<string, string>[] => {
  const [head = '', ...lines] = csv.trim().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])))
}
const exported = async (): Promise<Entry[]> =>
  fileOf(await harness.say('audit export', 'fay'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
    .filter(({ kind }) => kind !== undefined)

beforeAll(async () => {
  harness = await openHarness({ policy, now: () => clock.now, started: false })
  const ask = async (person: string, amount: number, why: string): Promise<Change> => {
    clock.now += minute
    return harness.ask(`refund ${harness.payment()} ${amount} --description "${why}"`, person)
  }
  const decide = async (
    change: Change,
    person: string,
    verb: 'approve' | 'confirm' | 'reject',
    after: number,
  ) => {
    clock.now += after * minute
    await harness.click(verb, change, person, 'no')
  }
  await decide(await ask('sam', 20, 'Twice'), 'sam', 'confirm', 1)
  await decide(await ask('sam', 100, 'Twice'), 'fay', 'approve', 5)
  await decide(await ask('kim', 200, 'Late'), 'finn', 'approve', 10)
  await decide(await ask('kim', 300, 'Late'), 'fay', 'reject', 31)
  await ask('sam', 400, 'Forgotten')
  clock.now += 90 * minute
  await harness.app.drain()
  await decide(await ask('sam', 70, 'Late'), 'finn', 'approve', 3)
  await harness.say('subscriber get ada@example.com', 'sam')
  await harness.app.drain()
})

describe('report refunds', () => {
  it('says what the export says when somebody else adds it up', async () => {
    const entries = await exported()
    const asked = new Map(
      entries.filter(({ kind }) => kind === 'asked').map((entry) => [entry.changeId, entry]),
    )
    const done = entries.filter(({ kind, command }) => kind === 'applied' && command === 'refund')
    const amountOf = (entry: Entry) => Number(asked.get(entry.changeId)?.doc.amount)
    const total = done.reduce((sum, entry) => sum + amountOf(entry), 0)
    const byRequester = new Map<string, number>()
    for (const entry of done) {
      const who = asked.get(entry.changeId)?.who ?? ''
      byRequester.set(who, (byRequester.get(who) ?? 0) + amountOf(entry))
    }
    const rows = rowsOf(fileOf(await harness.say('report refunds --since 30d', 'fay')))
    expect(rows.map(({ change }) => change)).toEqual(done.map(({ changeId }) => changeId))
    expect(rows.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(total)
    expect(total).toBe(390)
    const reply = await harness.say('report refunds --since 30d --by requester', 'fay')
    const text = 'view' in reply ? textOfView(reply.view, { isWhole: true }) : ''
    expect(text).toContain('390')
    expect(byRequester).toEqual(
      new Map([
        ['sam', 190],
        ['kim', 200],
      ]),
    )
    expect(text).toMatch(/Sam Support +3 +190/)
    expect(text).toMatch(/Kim Support +1 +200/)
  })

  it.each([
    ['reason', /Twice +2 +120/],
    ['rule', /middle +3 +370/],
    ['customer', /cus_1001 +4 +390/],
  ])('adds up by %s', async (by, expected) => {
    const reply = await harness.say(`report refunds --since 30d --by ${by}`, 'fay')
    expect('view' in reply ? textOfView(reply.view, { isWhole: true }) : '').toMatch(expected)
  })

  it('has a chart, and counts only its own time', async () => {
    // One bar alone compares nothing, and is not drawn.
    for (const by of ['requester', 'reason', 'customer', 'rule']) {
      const reply = await harness.say(`report refunds --since 30d --by ${by}`, 'fay')
      const blocks = 'view' in reply ? reply.view.blocks : []
      const rows = blocks.flatMap((block) => (block.kind === 'table' ? [block.rows.length] : []))
      expect([by, blocks.some(({ kind }) => kind === 'chart')]).toEqual([by, (rows[0] ?? 0) > 1])
    }
    expect(
      rowsOf(fileOf(await harness.say('report refunds --since 10m', 'fay'))).map(({ amount }) => amount),
    ).toEqual(['70'])
    expect(await harness.say('report refunds --since whenever', 'fay')).toMatchObject({
      refusal: { code: 'bad_value' },
    })
  })

  it('answers in a sentence with the time before, and has ids, names and approvers in its file', async () => {
    const reply = await harness.say('report refunds --since 30d', 'fay')
    expect('view' in reply ? reply.view.title : '').toMatch(
      /^4 refunds, 390 USD, after nothing in the 30 days before$/,
    )
    const [row] = rowsOf(fileOf(reply))
    expect(row).toMatchObject({
      requester_name: expect.stringContaining('Support'),
      payment: expect.stringMatching(/^pay_/),
    })
    expect(rowsOf(fileOf(reply)).some(({ approvers }) => approvers?.includes('Finance'))).toBe(true)
  })

  describe('compared with the service', () => {
    const other = { customer_id: 'cus_elsewhere', currency_code: 'USD', refund_type: 'full', description: '' }
    const titleOf = async (line: string, person = 'fay') => viewOf(await harness.say(line, person)).title
    const customers = () =>
      [...new Set(harness.sandbox.state.billing.transactions.map(({ customer_id }) => customer_id))].join(',')
    const listed = (id: string, payment: string, amount: number, customer?: string) => {
      const { billing } = harness.sandbox.state
      const { customer_id = '' } = billing.transactions.find((one) => one.id === payment) ?? {}
      const createdAt = new Date(clock.now - minute).toISOString()
      billing.refunds.push({
        ...{ ...other, id, payment_id: payment, amount, createdAt },
        customer_id: customer ?? customer_id,
      })
    }

    beforeAll(async () => {
      // The service's clock is that of the test.
      for (const { at, changeId } of (await exported()).filter(({ kind }) => kind === 'applied')) {
        const change = await harness.store.changes.get(changeId ?? '')
        const { paymentId } = (change?.plan ?? {}) as { paymentId?: string }
        for (const refund of harness.sandbox.state.billing.refunds)
          if (refund.payment_id === paymentId) refund.createdAt = new Date(at).toISOString()
      }
    })

    it('says that nothing is missing where each refund is on record', async () => {
      expect(await titleOf(`report refunds --since 3h --compare --customers ${customers()}`)).toBe(
        'The log has every refund that billing lists',
      )
    })

    it('lists what the service has and the log does not, also a second one of what was asked for once', async () => {
      const [first] = (await exported()).filter(({ kind }) => kind === 'applied')
      const sent = harness.effects('refundPayment').at(-1)?.path.split('/').at(-1) ?? ''
      const { billing } = harness.sandbox.state
      const done = billing.refunds.findLast(({ payment_id }) => payment_id === sent)
      expect([first?.command, done?.payment_id]).toEqual(['refund', sent])
      listed('ref_lost', 'pay_nobody_knows', 33, billing.transactions[0]?.customer_id)
      listed('ref_twice', sent, done?.amount ?? 0)
      const line = `report refunds --since 3h --compare --customers ${customers()}`
      const said = textOfView(viewOf(await harness.say(line, 'fay')), { isWhole: true })
      expect(said).toContain('2 refunds that billing lists and the log does not have')
      expect(said).toMatch(/33.*pay_nobody_knows/)
      expect(said).toMatch(new RegExp(`${sent}`))
      expect(said).toContain('Do not send them again')
    })

    it('needs the right to see refunds, and every request of that time', async () => {
      expect(await harness.say('report refunds --compare', 'sam')).toMatchObject({ kind: 'refused' })
    })
  })

  it('takes a month in the zone of the team, and nothing beside it', async () => {
    const reply = await harness.say('report refunds --month 2026-10', 'fay')
    expect('view' in reply ? textOfView(reply.view, { isWhole: true }) : '').toContain('October 2026, in UTC')
    expect(await harness.say('report refunds --month 2026-13', 'fay')).toMatchObject({ kind: 'refused' })
    expect(await harness.say('report refunds --month 2026-10 --since 3d', 'fay')).toMatchObject({
      kind: 'refused',
    })
  })

  it.each([
    ['2026-10', 'Europe/Berlin', '2026-09-30T22:00:00.000Z', '2026-10-31T22:59:59.999Z'],
    ['2026-12', 'America/New_York', '2026-12-01T05:00:00.000Z', '2027-01-01T04:59:59.999Z'],
  ])('the month %s in %s', async (month, zone, from, to) => {
    const now = Date.UTC(2026, 11, 5)
    const past = async (written: string) => readPast(written, { now, zone })
    const window = await windowOf({ month }, { now, zone, past })
    if (!window.ok) throw new Error(window.refusal.message)
    expect(new Date(window.value.since).toISOString()).toBe(from)
    expect(new Date(window.value.until).toISOString()).toBe(to)
  })

  it.each([
    [133, 100, ', a third more than before'],
    [75, 100, ', a quarter less than before'],
    [100, 100, ', as much as before'],
    [250, 100, ', 2.5 times as much as before'],
    [5, 0, ', after nothing before'],
    [0, 0, ''],
  ])('%d after %d is said as "%s"', (now, before, words) => {
    const window = { since: 0, until: 1, words: '', before: { since: 0, words: 'before' } }
    expect(comparedWords(now, before, window)).toBe(words)
  })

  it('knows a refund that was asked for before its time', async () => {
    const reply = await harness.say('report refunds --since 1m --by requester', 'fay')
    expect('view' in reply ? textOfView(reply.view, { isWhole: true }) : '').toContain('Sam Support')
  })
})

describe('report approvals', () => {
  it('says what the export says when somebody else counts', async () => {
    const entries = await exported()
    const asked = entries.filter(
      ({ kind, doc }) =>
        kind === 'asked' && (doc.clauses as { kind: string }[]).some((one) => one.kind === 'approvals'),
    )
    const ids = new Set(asked.map(({ changeId }) => changeId))
    const first = (kind: string) => entries.filter((entry) => entry.kind === kind && ids.has(entry.changeId))
    const waits = [...first('approved'), ...first('rejected')].map(
      (entry) => entry.at - (asked.find(({ changeId }) => changeId === entry.changeId)?.at ?? 0),
    )
    const sorted = waits.toSorted((one, other) => one - other)
    const median = ((sorted[1] ?? 0) + (sorted[2] ?? 0)) / 2
    const reply = await harness.say('report approvals --since 30d', 'fay')
    const text = 'view' in reply ? textOfView(reply.view, { isWhole: true }) : ''
    expect(text).toContain(
      `${asked.length} requests, ${first('approved').length} approved, ${first('rejected').length} rejected, 1 expired, after none in the 30 days before`,
    )
    expect([
      asked.length,
      first('approved').length,
      first('rejected').length,
      first('expired').length,
    ]).toEqual([5, 3, 1, 1])
    expect(median / minute).toBe(7.5)
    expect(text).toMatch(/Half of them decided within +7 m 30 s/)
    expect(text).toMatch(/The longest took +31 m 0 s/)
    expect(text).toMatch(/Fay Finance +0 +1 +1/)
    expect(text).toMatch(/middle +5 +3 +7 m 30 s/)
    expect(rowsOf(fileOf(reply)).find(({ decision }) => decision === 'approved')).toMatchObject({
      requester_name: expect.stringContaining('Support'),
      payment: expect.stringMatching(/^pay_/),
      approvers: expect.stringContaining('Finance'),
      currency: 'USD',
    })
  })
})

describe('report budgets', () => {
  it('says what counts against each budget, as the store does', async () => {
    const rows = rowsOf(fileOf(await harness.say('report budgets', 'fay')))
    const spent = async (requester?: string) => {
      const sums = await harness.store.changes.spent({
        requester,
        names: ['refund'],
        since: clock.now - 24 * 60 * minute,
        states: ['approved', 'applying', 'applied', 'unknown'],
      })
      return sums.reduce((all, { sum }) => all + sum, 0)
    }
    const used = (budget: string, who: string) =>
      Number(rows.find((row) => row.budget === budget && row.who === who)?.used)
    const { title } = viewOf(await harness.say('report budgets', 'fay'))
    expect(title).toBe('Used most: a day, 200 of 1,000 USD used in the last 24 h by Kim Support')
    expect(used('a day', 'sam')).toBe(await spent('sam'))
    expect(used('a day', 'kim')).toBe(await spent('kim'))
    expect(used('of all', 'everyone')).toBe(await spent())
    expect(await spent()).toBe(390)
    const entries = await exported()
    const done = new Set(entries.flatMap(({ kind, changeId }) => (kind === 'applied' ? changeId : [])))
    const added = (person?: string) =>
      entries
        .filter(({ kind, changeId }) => kind === 'asked' && done.has(changeId))
        .filter(({ who }) => person === undefined || who === person)
        .reduce((sum, { doc }) => sum + Number(doc.amount), 0)
    expect([used('a day', 'sam'), used('a day', 'kim'), used('of all', 'everyone')]).toEqual([
      added('sam'),
      added('kim'),
      added(),
    ])
  })
})

describe('report digest', () => {
  it('says what waits, for whom and how long, what is unknown, and what was refunded', async () => {
    const waiting = await harness.ask(`refund ${harness.payment()} 500`, 'sam')
    clock.now += 5 * minute
    const reply = await harness.say('report digest', 'fay')
    const text = 'view' in reply ? textOfView(reply.view) : ''
    expect(text).toMatch(/^1 request waits, for 5 m 0 s$/m)
    expect(text).toContain(waiting.preview.title)
    expect(text).toContain('Needs 1 approval from finance. Fay Finance, Finn Finance')
    expect(text).toContain('5 m 0 s')
    expect(text).toMatch(/Refunded +4 refunds, 390 USD, after nothing in the 1 day before/)
  })

  it('says who can settle what nobody knows, also where its requester had confirmed it alone', async () => {
    const change = await harness.ask(`refund ${harness.payment()} 20`, 'sam')
    harness.sandbox.fault({ row: 'refundPayment', kind: 'drop_after' })
    expect(await harness.click('confirm', change, 'sam')).toMatchObject({ state: 'unknown' })
    const reply = await harness.say('report digest', 'fay')
    const text = 'view' in reply ? textOfView(reply.view) : ''
    const row = text.split('\n').find((line) => line.includes(change.preview.title)) ?? ''
    expect(row).toContain('Somebody who may approve it. Fay Finance, Finn Finance')
  })
})

describe('audit find', () => {
  it('shows changes with amount, reason and outcome, and look-ups only with --all', async () => {
    const found = await harness.say('audit find --who sam', 'fay')
    const text = 'view' in found ? textOfView(found.view, { isWhole: true }) : ''
    expect(text).toMatch(/refund +70 USD +Late +done/)
    expect(text).not.toContain('subscriber get')
    const all = await harness.say('audit find --who sam --all', 'fay')
    expect('view' in all ? textOfView(all.view, { isWhole: true }) : '').toContain('subscriber get')
  })
})

describe('report refunds --by customer', () => {
  it('adds up by the customer whom the payment was found at', async () => {
    const change = await harness.ask('refund pay_1001 5 --customer cus_1001', 'sam')
    await harness.click('confirm', change, 'sam')
    const reply = await harness.say('report refunds --since 10s --by customer', 'fay')
    expect('view' in reply ? textOfView(reply.view, { isWhole: true }) : '').toMatch(/cus_1001 +1 +/)
  })
})

describe('report refunds of several currencies', () => {
  it('shows two sums for two currencies, and knows them by the answer of the service', async () => {
    const paid = harness.payment()
    const euros = harness.sandbox.state.billing.transactions.find(({ id }) => id === paid)
    if (euros === undefined) throw new Error(`there is no ${paid}`)
    // Nobody has looked at it: its customer and its currency are not known before.
    Object.assign(euros, { id: 'pay_euros', currency_code: 'EUR' })
    const change = await harness.ask('refund pay_euros 7', 'sam')
    expect(change.currency).toBeNull()
    await harness.click('approve', change, 'fay')
    const { title } = viewOf(await harness.say('report refunds --since 10s', 'fay'))
    expect(title).toMatch(/^2 refunds, 5 USD and 7 EUR, /)
    const byCustomer = viewOf(await harness.say('report refunds --since 10s --by customer', 'fay'))
    expect(textOfView(byCustomer, { isWhole: true })).toMatch(/no customer given +1 +7 EUR/)
  })
})
