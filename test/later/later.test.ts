import { beforeEach, expect, it } from 'vitest'
import { pack as square } from '../../examples/square/index.ts'
import { settle, settling } from '../../examples/square/settling.ts'
import { statusOf } from '../../src/kernel/cards/card.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { plainWords } from '../../src/lib/view/words.ts'
import { textOf } from '../harness/app.ts'
import { openHarness } from '../pipeline/harness.ts'
import { clockAt } from './clock.ts'
import { shop } from './shop.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
  - { id: finn, name: Finn, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: money back, commands: ["square refund-payment", "shop refund"], require: { approvals: 1, from: [finance] } }
budgets:
  - { name: refunds a day, commands: ["square refund-payment"], per: requester, window: 24h, limit: 1000, then: { approvals: 2, from: [finance] } }
duplicates: { window: 30m }
`
const clock = clockAt(Date.parse('2026-11-19T12:00:00Z'))
const bot = await openHarness({
  policy,
  packs: [{ ...square, sandbox: async () => settling }, shop],
  tasks: false,
  now: clock.now,
  servicesNow: clock.now,
})
const state = () => bot.sandbox.state as unknown as { square: Parameters<typeof settle>[0] }
beforeEach(() => {
  clock.pass(25 * 3_600_000)
  return bot.sandbox.reset()
})

let payments = 0
/** A refund that the service has accepted. */
const accepted = async (amount = 12): Promise<Change> => {
  payments += 1
  const asked = await bot.ask(`square refund-payment pay_${payments} ${amount} USD`)
  const change = await bot.click('approve', asked, 'fay')
  expect(change.state).toBe('accepted')
  return change
}
/** What is due then is done. */
const after = async (ms: number): Promise<void> => {
  clock.pass(ms)
  await bot.app.drain()
}
const refundOf = ({ atService }: Change): string => atService?.id ?? ''
const sent = () => bot.effects('refundPayment')
const kindsOf = async ({ id }: Change): Promise<string[]> =>
  (await bot.store.audit.find({ changeId: id, limit: 50 })).map(({ kind }) => kind).toReversed()

it('what the service takes and settles later is accepted, and done when the service says so', async () => {
  const change = await accepted()
  expect(plainWords(statusOf(change))).toBe('Accepted, not settled yet. Square Connect API says PENDING.')
  await after(20_000)
  expect((await bot.stored(change)).state).toBe('accepted')
  settle(state().square, refundOf(change), 'COMPLETED', clock.now())
  await after(60_000)
  expect(await bot.stored(change)).toMatchObject({ state: 'applied', ended: null })
  expect(await kindsOf(change)).toEqual(['asked', 'approved', 'claimed', 'accepted', 'applied'])
  expect(sent()).toHaveLength(1)
})

it('what the service takes back after it accepted it has failed, and says so to everybody who decided', async () => {
  const change = await accepted()
  settle(state().square, refundOf(change), 'FAILED', clock.now())
  await after(20_000)
  const end = await bot.stored(change)
  expect(end).toMatchObject({
    state: 'failed',
    late: { reversed: true, learned: 'failed', contradicts: null },
  })
  expect(textOf(await bot.say(`approval get ${change.id}`, 'fay'))).toContain('did not stay so')
  expect(await kindsOf(change)).toEqual(['asked', 'approved', 'claimed', 'accepted', 'reversed'])
})

it('the longer it takes, the less often the service is asked', async () => {
  const change = await accepted()
  const asked = () => bot.sandbox.wire.filter(({ row }) => row === 'getPaymentRefund').length
  const counts: number[] = []
  for (const minutes of [1, 9, 50, 600]) {
    for (let at = 0; at < 20; at++) await after(minutes * 3_000)
    counts.push(asked())
  }
  expect((await bot.stored(change)).state).toBe('accepted')
  const [first = 0, ...later] = counts
  expect(first).toBeGreaterThan(1)
  expect(later.map((count, at) => count - (counts[at] ?? 0)).every((some) => some <= 6)).toBe(true)
})

it('a person settles what the service is silent about, and never who asked', async () => {
  const change = await accepted()
  expect(await bot.refusedClick('happened', change, 'sam', 'I saw it')).toMatchObject({ code: 'own_request' })
  const done = await bot.click('happened', change, 'finn', 'it is on the statement')
  expect(done).toMatchObject({ state: 'applied', ended: { by: { person: 'finn' } } })
  settle(state().square, refundOf(change), 'FAILED', clock.now())
  await after(3_600_000)
  expect((await bot.stored(change)).state).toBe('applied')
})

it('a press of Look it up asks the service at once', async () => {
  const change = await accepted()
  settle(state().square, refundOf(change), 'COMPLETED', clock.now())
  const reply = await bot.press('look_up', change.id, 'fay')
  expect(reply).toMatchObject({ kind: 'change', change: { state: 'applied' } })
})

it('what the service holds for somebody there is held, and its end is what they say there', async () => {
  const asked = await bot.ask('shop refund pay_1 30')
  const change = await bot.click('approve', asked, 'fay')
  expect(change).toMatchObject({
    state: 'held',
    atService: { id: 'apr_1', by: 'Fay', link: 'https://shop.example.com/approvals/apr_1' },
  })
  expect(plainWords(statusOf(change))).toBe(
    'Held by Shop until Fay approves it there. Shop says approval_required.',
  )
  const shown = textOf(await bot.say(`approval get ${change.id}`, 'fay'))
  expect(shown).toContain('https://shop.example.com/approvals/apr_1')
  expect(textOf(await bot.press('again', change.id, 'sam'))).toContain('not asked for again')
  const { shop: held } = bot.sandbox.state as unknown as { shop: { approvals: { state: string }[] } }
  for (const one of held.approvals) one.state = 'carried_out'
  await after(20_000)
  expect((await bot.stored(change)).state).toBe('applied')
  expect(await kindsOf(change)).toEqual(['asked', 'approved', 'claimed', 'held', 'applied'])
})

it('what somebody at the service refuses has failed, and nothing was taken back', async () => {
  const asked = await bot.ask('shop refund pay_2 30')
  const change = await bot.click('approve', asked, 'fay')
  const { shop: held } = bot.sandbox.state as unknown as { shop: { approvals: { state: string }[] } }
  for (const one of held.approvals) one.state = 'refused'
  await after(20_000)
  const end = await bot.stored(change)
  expect(end.state).toBe('failed')
  expect(end.late).toBeUndefined()
})

it('the given services say nothing of the kind: a refund of theirs is done at once', async () => {
  const asked = await bot.ask(`refund ${bot.payment()} 5`)
  expect((await bot.click('approve', asked, 'fay')).state).toBe('applied')
})

it('it counts against budgets and duplicates until it is settled, and is not asked for again', async () => {
  const change = await accepted(900)
  const more = await bot.ask('square refund-payment pay_more 90 USD')
  expect(more.clauses).toMatchObject([{ count: 2, because: expect.stringContaining('budget') }])
  await after(3_600_000)
  const same = await bot.ask(change.line)
  expect(same.judged?.same?.count).toBe(1)
  const again = await bot.press('again', change.id, 'sam')
  expect(textOf(again)).toContain('settles it later, so it is not asked for again')
  expect(sent()).toHaveLength(1)
})
