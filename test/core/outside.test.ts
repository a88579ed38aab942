import { describe, expect, it } from 'vitest'
import { receiverName, streamState } from '../../src/core/stream.ts'
import { readPast } from '../../src/core/times/read-past.ts'
import { zoneOf } from '../../src/core/times/zone.ts'
import { defaultTimings } from '../../src/core/timings.ts'
import { witnessesOf, witnessStates } from '../../src/core/witnesses.ts'
import { ownZone } from '../../src/view/zones.ts'
import { policyOf } from '../policy/example.ts'
import { gather } from '../storage/store.ts'

const minute = 60_000

describe('a witness outside', () => {
  const anchor = { everyMs: 10 * minute, folder: '/w', channels: { slack: 'C1' }, tsa: undefined } as never
  const statesAt = async (now: number, { last = 0, at = 0, size = 5, gap = false, none = false } = {}) =>
    witnessStates(
      {
        anchors: {
          latest: async () => [
            ...(last === 0 ? [] : [{ witness: 'slack', size: last, at }]),
            { witness: 'folder', size, at: now },
          ],
          gaps: async () => (gap ? [{ witness: 'slack', since: 3, error: 'no answer' }] : []),
        },
        auditTree: { checkpoint: async () => (none ? undefined : { size, at: 1_000 }) },
      } as never,
      anchor,
      now,
    )
  const awayOf = async (...given: Parameters<typeof statesAt>) =>
    (await statesAt(...given)).find(({ name }) => name === 'slack')?.away
  const most = 20 * minute + 30_000

  it('that has the newest checkpoint is not away, however long ago it got it', async () => {
    expect(await awayOf(99 * most, { last: 5 })).toBeUndefined()
    expect(await awayOf(99 * most, { none: true })).toBeUndefined()
  })
  it('that is behind for two intervals and the time to answer is away since then', async () => {
    expect(await awayOf(most + 2_000, { last: 4, at: 2_000 })).toBeUndefined()
    expect(await awayOf(most + 2_001, { last: 4, at: 2_000 })).toMatchObject({ since: 2_000 })
    expect(await awayOf(most + 1_000)).toBeUndefined()
    expect(await awayOf(most + 1_001)).toMatchObject({ since: 1_000 })
  })
  it('that could not be reached is away since then, and says why', async () => {
    expect(await awayOf(5_000, { last: 5, gap: true })).toEqual({ since: 3, why: 'no answer' })
  })
  it('is named with what it has, each that the policy names', async () => {
    expect(await statesAt(9_000, { last: 4, at: 8_000 })).toMatchObject([
      { name: 'folder', latest: { size: 5, at: 9_000 } },
      { name: 'slack', latest: { size: 4, at: 8_000 } },
    ])
    expect(await witnessStates({} as never, null, 0)).toEqual([])
    const store = {
      anchors: { latest: async () => [], gaps: async () => [] },
      auditTree: { checkpoint: async () => undefined },
    }
    const named = { everyMs: minute, folder: undefined, channels: {}, tsa: 'https://tsa.example' }
    const states = await witnessStates(store as never, named as never, 0)
    expect(states.map(({ name }) => name)).toEqual(['tsa'])
  })
  it('in a messenger that is not turned on keeps nothing, and cannot be read', async () => {
    const [witness] = witnessesOf({
      policy: { anchor: { everyMs: minute, channels: { slack: 'C1' } } },
      messengers: new Map(),
    } as never)
    await expect(witness?.keep({} as never)).rejects.toThrow('it is not turned on')
    await expect(gather(witness?.held?.() as never)).rejects.toThrow(
      'it cannot be read from here, where it is not turned on',
    )
  })
})

describe('the receiver of the audit log', () => {
  const stateAt = async (now: number, { seq = 0, base = 0, size = 0, at = 0, gap = '' } = {}) =>
    streamState(
      {
        streamCursors: { at: async () => seq },
        auditTree: {
          state: async () => ({ base, frontier: { size } }),
          rowsAfter: async (from: number, limit: number) => {
            expect([from, limit]).toEqual([seq, 1])
            return [{ at: String(at) }]
          },
        },
        anchors: { gaps: async () => [{ witness: gap, since: 3, error: 'no answer' }] },
      } as never,
      { https: 'https://siem.example' } as never,
      now,
    )
  it('is as far behind as there are entries that it does not have, since the first of them', async () => {
    expect(await stateAt(900, { seq: 7, base: 4, size: 5, at: 100 })).toEqual({
      to: 'https://siem.example',
      behind: 2,
      lagMs: 800,
      away: undefined,
    })
    expect(await stateAt(50, { seq: 0, size: 1, at: 100 })).toMatchObject({ behind: 1, lagMs: 0 })
    expect(await stateAt(900, { seq: 9, base: 4, size: 5 })).toMatchObject({ behind: 0, lagMs: 0 })
    expect(await stateAt(900, { seq: 12, size: 5 })).toMatchObject({ behind: 0, lagMs: 0 })
  })
  it('is away since it could not be reached, and no witness stands for it', async () => {
    expect((await stateAt(900, { gap: 'stream' }))?.away).toEqual({ since: 3, why: 'no answer' })
    expect((await stateAt(900, { gap: 'slack' }))?.away).toBeUndefined()
    expect(await streamState({} as never, null, 0)).toBeUndefined()
  })
  it('has a name of its own, by which it is known again', () => {
    const nameOf = (rule: object) => receiverName(rule as never)
    expect([
      nameOf({ file: '/a/../b' }),
      nameOf({ https: 'h', syslog: 's' }),
      nameOf({ syslog: 's' }),
    ]).toEqual(['file /b', 'h', 's'])
  })
})

describe('where somebody is', () => {
  const policy = policyOf(
    'version: 1\npeople:\n  - { id: ann, name: Ann, slack: U0ANN, zone: Asia/Kolkata }\n',
  )
  const zoneFor = (zone: unknown, over: object = {}) =>
    zoneOf(
      {
        policy,
        messengers: new Map([['slack', { zone }]]) as never,
        log: { warn: () => undefined } as never,
      },
      { platform: 'slack', account: 'U0ANN', person: 'ann', ...over },
    )
  it.each<[string, unknown, object, { zone: string; isGuess: boolean }]>([
    ['as their messenger says', () => 'Europe/Berlin', {}, { zone: 'Europe/Berlin', isGuess: false }],
    ['else as the file says', () => undefined, {}, { zone: 'Asia/Kolkata', isGuess: false }],
    [
      'as the file says where the messenger says nonsense',
      () => 'Mars/Base',
      {},
      { zone: 'Asia/Kolkata', isGuess: false },
    ],
    [
      'as the file says where the messenger fails',
      () => Promise.reject(new Error('down')),
      {},
      { zone: 'Asia/Kolkata', isGuess: false },
    ],
    [
      'not as a messenger says of a foreign workspace',
      () => 'Europe/Berlin',
      { workspace: 'T9' },
      { zone: 'Asia/Kolkata', isGuess: false },
    ],
    ['where the bot is, which is a guess', undefined, { person: 'bob' }, { zone: ownZone(), isGuess: true }],
    [
      'where the bot is, which is none in its terminal',
      undefined,
      { person: 'bob', platform: 'terminal' },
      { zone: ownZone(), isGuess: false },
    ],
  ])('is %s', async (_, zone, over, expected) => {
    expect(await zoneFor(zone, over)).toEqual(expected)
  })
})

it.each([
  ['24h', Date.UTC(2026, 10, 12, 11)],
  ['2026-11-01', Date.UTC(2026, 10, 1)],
  ['2026-11-01T10:00Z', Date.UTC(2026, 10, 1, 10)],
  ['2026-99-01', undefined],
  ['yesterday', Date.UTC(2026, 10, 11, 23)],
  ['someday', undefined],
  ['x2026-11-01', undefined],
])('"%s" is since %s', (written, at) => {
  expect(readPast(written, { now: Date.UTC(2026, 10, 13, 11), zone: 'Europe/Berlin' })).toBe(at)
})

it('what replicas share in time leaves room: two heartbeats within half a life, a lease longer than a life, pauses that grow', () => {
  const { heartbeatMs, lifeMs, idleMs, applyGraceMs, passingMs, leaseMs, checksMs, webhookPausesMs } =
    defaultTimings
  expect(2 * heartbeatMs).toBeLessThanOrEqual(lifeMs / 2)
  expect(applyGraceMs).toBeLessThanOrEqual(lifeMs / 2)
  expect(leaseMs).toBeGreaterThan(2 * lifeMs)
  expect(passingMs).toBeLessThan(idleMs)
  expect(idleMs).toBeLessThan(heartbeatMs)
  for (const pauses of [checksMs, webhookPausesMs])
    expect(pauses.every((ms, at) => ms > 2 * (pauses[at - 1] ?? 0) || ms >= 6 * 60 * minute)).toBe(true)
  // As docs/webhooks.md has it.
  const told = [5 / 60, 0.5, 2, 10, 60, 3 * 60, 6 * 60, 12 * 60, 24 * 60]
  expect(webhookPausesMs).toEqual(told.map((minutes) => minutes * minute))
  expect(checksMs).toEqual([5 / 60, 0.5, 2, 5].map((minutes) => minutes * minute))
})
