import { describe, expect, it } from 'vitest'
import { readPast } from '../../src/kernel/times/read-past.ts'
import { zoneOf } from '../../src/kernel/times/zone.ts'
import { defaultTimings } from '../../src/kernel/timings.ts'
import { ownZone } from '../../src/lib/view/zones.ts'
import { policyOf } from '../policy/example.ts'

const minute = 60_000

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
  ['2026-11-01', Date.UTC(2026, 9, 31, 23)],
  ['2026-11-01T10:00Z', Date.UTC(2026, 10, 1, 10)],
  ['2026-99-01', undefined],
  ['yesterday', Date.UTC(2026, 10, 11, 23)],
  ['someday', undefined],
  ['x2026-11-01', undefined],
])('"%s" is since %s', (written, at) => {
  expect(readPast(written, { now: Date.UTC(2026, 10, 13, 11), zone: 'Europe/Berlin' })?.from).toBe(at)
})

it('what replicas share in time leaves room: two heartbeats within half a life, a lease longer than a life, pauses that grow', () => {
  const { heartbeatMs, lifeMs, idleMs, applyGraceMs, passingMs, leaseMs, checksMs } = defaultTimings
  expect(2 * heartbeatMs).toBeLessThanOrEqual(lifeMs / 2)
  expect(applyGraceMs).toBeLessThanOrEqual(lifeMs / 2)
  expect(leaseMs).toBeGreaterThan(2 * lifeMs)
  expect(passingMs).toBeLessThan(idleMs)
  expect(idleMs).toBeLessThan(heartbeatMs)
  expect(checksMs.every((ms, at) => ms > 2 * (checksMs[at - 1] ?? 0))).toBe(true)
  expect(checksMs).toEqual([5 / 60, 0.5, 2, 5].map((minutes) => minutes * minute))
})
