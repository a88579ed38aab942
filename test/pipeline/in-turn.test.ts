import { expect, test } from 'vitest'
import type { Intent } from '../../src/kernel/messenger/inbound.ts'
import { isUrgent, isUrgentLine } from '../../src/kernel/request/urgent.ts'
import { ticks } from '../../src/lib/clock.ts'
import { createAdmission } from '../../src/lib/limits/admission.ts'
import { commandsWith } from '../harness/commands.ts'
import { openHarness, refusalOf } from './harness.ts'

test.each<[string, Intent, boolean]>([
  ['a freeze', { kind: 'line', line: 'freeze billing --reason "wrong prices"' }, true],
  ['a freeze with a slash', { kind: 'line', line: ' /Freeze  all' }, true],
  ['a freeze by options', { kind: 'options', command: 'freeze', values: {} }, true],
  ['an approval in words', { kind: 'line', line: 'approval approve abc' }, true],
  ['a press of Approve', { kind: 'press', verb: 'approve', id: 'a' }, true],
  ['a press of Next', { kind: 'press', verb: 'next', id: 'a' }, false],
  ['what is written below a card', { kind: 'reply', to: 'm1', text: 'approve' }, false],
  ['a look-up', { kind: 'line', line: 'campaign list' }, false],
  ['a schedule', { kind: 'line', line: 'schedule create "whoami" --every 1h' }, false],
  ['a change', { kind: 'form', command: 'refund', values: {} }, false],
  ['words', { kind: 'line', line: 'please freeze everything' }, false],
])('%s is urgent, or not', (_, intent, expected) => {
  expect(isUrgent(commandsWith(), intent)).toBe(expected)
})

test('everything that decides, and the brake, is urgent by its name, and nothing else', () => {
  const registry = commandsWith()
  const named = registry.all
    .filter(({ name }) => isUrgentLine(registry, `/${name} x`))
    .map(({ name }) => name)
  const decisions = registry.all.filter(({ kind }) => kind === 'decision').map(({ name }) => name)
  expect(named.toSorted()).toEqual([...decisions, 'freeze', 'unfreeze'].toSorted())
})

test('somebody whose look-ups fill all their room still freezes and decides, and others look things up', async () => {
  const { app, ask, say, click, payment } = await openHarness()
  const change = await ask(`refund ${payment()} 200 --reason "charged twice"`)
  const admission = createAdmission(ticks, { atOnce: 1, maxWaiting: 1, textAnHour: 5 })
  Object.assign(app.core, { admission })
  const held = Promise.withResolvers<void>()
  const first = admission.inLane(
    'fay',
    () => held.promise,
    async () => undefined,
  )
  const waiting = say('campaign list', 'fay')
  expect(refusalOf(await say('campaign list', 'fay'))).toMatchObject({
    code: 'too_many_requests',
    next: 'Send it again in a minute. Freezing and deciding are never held back.',
  })
  expect(refusalOf(await say(`campaign list ${'x'.repeat(400)}`, 'fay')).message).toContain('2 MB')
  expect(await say('campaign list', 'sam')).toMatchObject({ kind: 'answer' })
  expect(await say(`freeze email --reason "${'x'.repeat(190)}"`, 'fay')).toMatchObject({ kind: 'change' })
  expect((await click('reject', change, 'fay', 'not now')).state).toBe('rejected')
  held.resolve()
  await first
  expect(await waiting).toMatchObject({ kind: 'answer' })
})

test.each<[string, Parameters<typeof createAdmission>[1], string]>([
  ['that come too often', { burst: 0 }, 'thousands'],
  ['with too much text', { textAnHour: 0 }, '2 MB'],
  ['of which too many wait', { atOnce: 0, maxWaiting: 0 }, 'waiting already'],
])(
  'requests %s are refused a few in a turn, so that others do not wait for all of them',
  async (_, limits, words) => {
    const { app, say } = await openHarness()
    Object.assign(app.core, { admission: createAdmission(ticks, limits) })
    let turn = 0
    const count = (): void => {
      turn++
      counting = setImmediate(count)
    }
    let counting = setImmediate(count)
    const many = Array.from({ length: 50 }, async () => {
      const { message } = refusalOf(await say(`campaign list ${'x'.repeat(400)}`, 'fay'))
      return { message, turn }
    })
    const answered = await Promise.all(many)
    clearImmediate(counting)
    expect(answered.filter(({ message }) => message.includes(words))).toHaveLength(50)
    const inTurns = [...Map.groupBy(answered, (one) => one.turn).values()]
    expect(inTurns.filter(({ length }) => length > 17)).toEqual([])
  },
)

test('of one person one long look-up runs at a time and few wait, whichever they are; those of others run beside them', async () => {
  const { app, say } = await openHarness()
  const long = app.core.registry.all.filter((command) => command.kind === 'query' && command.isLong)
  const lines = long.map(({ examples: [line] }) => line).filter((line) => !line.includes('subscriber'))
  const held = Promise.withResolvers<never>()
  const { audit } = app.core.store
  const stream = async function* () {
    yield await held.promise
  }
  Object.defineProperty(app.core.store, 'audit', { value: { ...audit, stream } })
  const first = Array.from({ length: 4 }, () => say('audit export', 'fay'))
  for (const line of lines) expect(refusalOf(await say(line, 'fay')).code, line).toBe('too_many_requests')
  expect(await say('audit verify', 'finn')).toMatchObject({ kind: 'answer' })
  held.reject(new Error('over'))
  expect(await Promise.all(first)).toHaveLength(4)
})

test.each([
  ['too often', { isTooOften: () => true }],
  ['too much text', { isTooMuchText: () => true }],
])('somebody who sends %s still freezes and decides', async (_, held) => {
  const { app, ask, say, press, payment, stored } = await openHarness()
  const change = await ask(`refund ${payment()} 100 --reason "charged twice"`)
  Object.assign(app.core, { admission: { ...app.core.admission, ...held } })
  expect(refusalOf(await say('campaign list', 'fay'))).toMatchObject({ code: 'too_many_requests' })
  await press('approve', change.id, 'fay')
  expect((await stored(change)).state).toBe('applied')
  expect((await say('freeze billing --reason "wrong prices"', 'fay')).kind).not.toBe('refused')
})

test('somebody decides while one look-up of theirs is held and no other may wait', async () => {
  const { app, ask, say, press, payment, stored } = await openHarness()
  const change = await ask(`refund ${payment()} 100 --reason "charged twice"`)
  const held = Promise.withResolvers<never>()
  const { audit } = app.core.store
  const stream = async function* () {
    yield await held.promise
  }
  const admission = createAdmission(ticks, { atOnce: 1, maxWaiting: 0 })
  Object.assign(app.core, { admission, store: { ...app.core.store, audit: { ...audit, stream } } })
  const first = say('audit export', 'fay')
  expect(refusalOf(await say('campaign list', 'fay'))).toMatchObject({ code: 'too_many_requests' })
  await press('approve', change.id, 'fay')
  expect((await stored(change)).state).toBe('applied')
  held.reject(new Error('over'))
  await first
})
