import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { hooks } from '../../../src/features/hooks/index.ts'
import type { Change } from '../../../src/kernel/model/change.ts'
import { createHttpServer } from '../../../src/lib/http/server.ts'
import { ticksOf } from '../../harness/ticks.ts'
import { whenDone } from '../../harness/when-done.ts'
import { clockAt } from '../../later/clock.ts'
import { shop } from '../../later/shop.ts'
import { openHarness } from '../../pipeline/harness.ts'

const policy = `version: 1
people:
  - { id: sam, name: Sam, roles: [support] }
  - { id: fay, name: Fay, roles: [finance] }
roles:
  support: { run: ["*"] }
  finance: { run: ["*"], approve: ["*"] }
policies:
  - { name: money back, commands: ["shop refund"], require: { approvals: 1, from: [finance] } }
`
const secret = 'a secret of some length'
const clock = clockAt(Date.parse('2026-11-19T12:00:00Z'))
const counted: string[] = []
let ahead = 0
const bot = await openHarness({
  policy,
  packs: [shop],
  tasks: false,
  now: clock.now,
  ticks: ticksOf(() => performance.now() + ahead),
  servicesNow: clock.now,
  count: (event) => {
    if (event.kind === 'counted' && event.metric === 'bellhop_hooks_total')
      counted.push(event.labels.result ?? '')
  },
})
const http = createHttpServer()
hooks.serve?.(bot.app.core, http, { base: '', secrets: { shop: [secret] } })
const base = await http.listen({ host: '127.0.0.1', port: 0 })
whenDone(http.close)

const call = async (
  event: object | string,
  { at = clock.now(), by = secret, path = '/hooks/shop' } = {},
): Promise<number> => {
  const body = typeof event === 'string' ? event : JSON.stringify(event)
  const t = Math.floor(at / 1000)
  const v1 = createHmac('sha256', by).update(`${t}.${body}`).digest('hex')
  const headers = { 'shop-signature': `t=${t},v1=${v1}`, 'content-type': 'application/json' }
  const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}
let events = 0
const changed = (id: string, state: string, more: object = {}) => ({
  id: `evt_${++events}`,
  type: 'approval.changed',
  data: { id, state, ...more },
})
let payments = 0
const held = async (): Promise<Change> => {
  payments += 1
  return bot.click('approve', await bot.ask(`shop refund pay_${payments} 30`), 'fay')
}
const idOf = ({ atService }: Change): string => atService?.id ?? ''
const stateOf = async (change: Change) => (await bot.stored(change)).state

it('ends what is held by what the service tells, once, however often it tells it', async () => {
  const change = await held()
  const event = changed(idOf(change), 'carried_out')
  expect(await call(event)).toBe(200)
  clock.pass(1_000)
  expect(await call(event)).toBe(200)
  await bot.app.drain()
  expect(await stateOf(change)).toBe('applied')
  clock.pass(1_000)
  expect(await call(event)).toBe(200)
  await bot.app.drain()
  expect(counted.splice(0)).toEqual(['taken', 'repeated', 'used', 'repeated'])
  const kinds = (await bot.store.audit.find({ changeId: change.id, limit: 20 })).map(({ kind }) => kind)
  expect(kinds.toReversed()).toEqual(['asked', 'approved', 'claimed', 'held', 'applied'])
  expect(bot.effects('refund')).toHaveLength(1)
})

it('that could not be stored is taken when it comes again as it was, and is refused from then on', async () => {
  const change = await held()
  counted.length = 0
  const event = changed(idOf(change), 'carried_out')
  const at = clock.now()
  const { store } = bot.app.core
  const { tx } = store
  store.tx = async () => {
    throw new Error('the database is away')
  }
  expect(await call(event, { at })).toBe(503)
  store.tx = tx
  ahead += 5_000
  expect(await call(event, { at })).toBe(200)
  ahead += 5_000
  expect(await call(event, { at })).toBe(401)
  await bot.app.drain()
  expect(await stateOf(change)).toBe('applied')
  expect(counted.splice(0)).toEqual(['taken', 'replayed', 'used'])
})

it('goes from held to accepted, and says who decided that it was taken back', async () => {
  const change = await held()
  await call(changed(idOf(change), 'agreed'))
  await bot.app.drain()
  expect(await stateOf(change)).toBe('accepted')
  await call(changed(idOf(change), 'refused', { why: 'the card is closed' }))
  await bot.app.drain()
  const end = await bot.stored(change)
  expect(end).toMatchObject({
    state: 'failed',
    late: { reversed: true, message: 'Shop says “refused”: “the card is closed”.' },
  })
  counted.length = 0
})

it('what is older than what is known changes nothing', async () => {
  const change = await held()
  counted.length = 0
  await call(changed(idOf(change), 'carried_out', { changed: '2026-11-19T13:00:00Z' }))
  await bot.app.drain()
  await call(changed(idOf(change), 'refused', { changed: '2026-11-19T12:00:00Z' }))
  await bot.app.drain()
  expect(await stateOf(change)).toBe('applied')
  expect(counted.splice(0).toSorted()).toEqual(['no_news', 'taken', 'taken', 'used'])
})

it('waits a while for the answer that says what it is about, and then drops it', async () => {
  expect(await call(changed('apr_elsewhere', 'carried_out'))).toBe(200)
  await bot.app.drain()
  expect(counted).toEqual(['taken'])
  for (const ms of [2_000, 5_000, 15_000, 45_000]) {
    clock.pass(ms)
    await bot.app.drain()
  }
  expect(counted.splice(0)).toEqual(['taken', 'not_ours'])
})

it('an event that nobody declared is counted and dropped', async () => {
  const change = await held()
  await call({ ...changed(idOf(change), 'carried_out'), type: 'approval.opened' })
  await bot.app.drain()
  expect(await stateOf(change)).toBe('held')
  expect(counted.splice(0)).toEqual(['taken', 'not_ours'])
})

it.each([
  ['forged', () => call(changed('apr_1', 'carried_out'), { by: 'another secret, no better' }), 401],
  ['stale', () => call(changed('apr_1', 'carried_out'), { at: clock.now() - 600_000 }), 401],
  ['unreadable', () => call('no JSON'), 400],
  ['too_large', () => call({ ...changed('apr_1', 'carried_out'), more: 'x'.repeat(300_000) }), 413],
])('what is %s is refused and counted, and nothing of it is stored', async (result, called, status) => {
  expect(await called()).toBe(status)
  expect(counted.splice(0)).toEqual([result])
  expect(await bot.store.tasks.pending()).not.toHaveProperty('hook_event')
})

it('a service without a hook or a secret has no place to call', async () => {
  expect(await call(changed('apr_1', 'carried_out'), { path: '/hooks/billing' })).toBe(404)
  expect(await call(changed('apr_1', 'carried_out'), { path: '/hooks' })).toBe(404)
})

it('the word of the service against that of a person opens the question again', async () => {
  const change = await held()
  expect(await bot.click('did_not', change, 'fay', 'they said so')).toMatchObject({ state: 'not_applied' })
  await call(changed(idOf(change), 'carried_out'))
  await bot.app.drain()
  expect(await bot.stored(change)).toMatchObject({
    state: 'unknown',
    late: { learned: 'applied', contradicts: { by: { person: 'fay' }, happened: false } },
  })
})
