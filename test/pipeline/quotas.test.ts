import { describe, expect, it } from 'vitest'
import type { Intent } from '../../src/kernel/messenger/inbound.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { ticks } from '../../src/lib/clock.ts'
import { createAdmission } from '../../src/lib/limits/admission.ts'
import { agentPolicy } from '../mcp/harness.ts'
import { account, openHarness, refusalOf } from './harness.ts'

const long = 'x'.repeat(300)
const line = (words: string): Intent => ({ kind: 'line', line: words })

/** Every account of one person, and their agent's: whichever way somebody comes, they are one. */
const doors = [
  ['Slack', account('slack', 'U0SAM')],
  ['Discord', account('discord', '400000000000000001')],
  ['the console', account('console', 'sam')],
  ['the terminal', account('terminal', 'sam')],
  ['an agent of theirs', account('mcp', 'helper')],
] as const

const kinds: [string, Intent, Intent][] = [
  ['a line', line('bellhop whoami'), line(`list find ${long}`)],
  [
    'a form',
    { kind: 'form', command: 'bellhop whoami', values: {} },
    { kind: 'form', command: 'list find', values: { query: long } },
  ],
  [
    'options',
    { kind: 'options', command: 'bellhop whoami', values: {} },
    { kind: 'options', command: 'list find', values: { query: long } },
  ],
  [
    'a press',
    { kind: 'press', verb: 'next', id: 'a' },
    { kind: 'press', verb: 'next', id: 'a', reason: long },
  ],
]

describe('requests a minute, and text an hour, of one person', async () => {
  const harness = await openHarness({ policy: agentPolicy })
  const use = (limits: Parameters<typeof createAdmission>[1]) =>
    Object.assign(harness.app.core, { admission: createAdmission(ticks, limits) })

  it.each(
    doors.flatMap(([door, from]) => kinds.map(([kind, short, text]) => ({ door, kind, from, short, text }))),
  )('count $kind through $door', async ({ from, short, text }) => {
    use({ burst: 1, aMinute: 0.001 })
    await harness.handle({ from, intent: short })
    const refused = refusalOf(await harness.handle({ from, intent: short }))
    expect(refused).toMatchObject({
      code: 'too_many_requests',
      message: expect.stringContaining('thousands'),
    })
    use({ textAnHour: 50 })
    expect(refusalOf(await harness.handle({ from, intent: text }))).toMatchObject({
      code: 'too_many_requests',
      message: expect.stringContaining('2 MB'),
    })
  })

  it('are those of all their accounts and agents together, and not of anybody else', async () => {
    use({ burst: doors.length, aMinute: 0.001 })
    const ask = (from: (typeof doors)[number][1]) => harness.handle({ from, intent: line('bellhop whoami') })
    for (const [, from] of doors) expect((await ask(from)).kind).toBe('answer')
    for (const [, from] of doors) expect((await ask(from)).kind).toBe('refused')
    expect((await ask(account('slack', 'U0FAY'))).kind).toBe('answer')
  })

  it('hold back neither a freeze nor a decision', async () => {
    use({ burst: 0, aMinute: 0, textAnHour: 0 })
    const freeze = line(`freeze email --reason "${long.slice(0, 250)}"`)
    expect((await harness.handle({ from: account('slack', 'U0FAY'), intent: freeze })).kind).toBe('change')
    const decide = line('approval approve abcdefgh')
    expect(
      refusalOf(await harness.handle({ from: account('slack', 'U0FAY'), intent: decide })).code,
    ).not.toBe('too_many_requests')
  })
})

describe('requests of one person that wait', async () => {
  const harness = await openHarness()
  const { ask, say, store, payment, app } = harness
  const waitBeside = async (one: Change, many: number) =>
    store.tx(async (inner) => {
      for (let at = 0; at < many; at++) await inner.changes.insert({ ...one, id: `copy${many}x${at}` })
    })

  it('have their cards shown one after the other where many come at once, and those of others at once', async () => {
    const askOnce = (who?: string) => ask(`refund ${payment()} 200 --reason "charged twice"`, who)
    const first = await askOnce()
    await waitBeside(first, 30)
    await app.drain()
    await askOnce()
    await app.drain()
    expect(await store.tasks.pending(), 'one that comes alone').not.toHaveProperty('cards')
    for (let at = 0; at < 20; at++) app.core.admission.cardAfterMs('sam')
    await askOnce()
    await app.drain()
    expect(await store.tasks.pending(), 'while the messengers take all').not.toHaveProperty('cards')
    app.core.admission.limited()
    await askOnce()
    await askOnce('fay')
    await app.drain()
    expect(await store.tasks.pending()).toMatchObject({ cards: 1 })
    for (let at = 0; at < 20; at++) app.core.admission.cardAfterMs('fay')
    await say('freeze email --reason "wrong"', 'fay')
    await app.drain()
    expect(await store.tasks.pending(), 'the brake waits for no other card').toMatchObject({ cards: 1 })
    await say('unfreeze email', 'fay')
  })

  it('are 2,000, and a freeze is none of them', async () => {
    const one = await ask(`refund ${payment()} 200 --reason "charged twice"`, 'fay')
    await waitBeside(one, 2_000)
    const refused = refusalOf(await say(`refund ${payment()} 200 --reason "charged twice"`, 'fay'))
    expect(refused).toMatchObject({ code: 'too_many_requests', message: expect.stringContaining('2,000') })
    expect(await ask(`refund ${payment()} 200 --reason "charged twice"`)).toMatchObject({ state: 'pending' })
    expect(await say('freeze chat --reason "wrong"', 'fay')).toMatchObject({ kind: 'change' })
  })
})
