import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createCaller, type Observation } from '../../../src/lib/services/client/caller.ts'
import { FenceError } from '../../../src/lib/services/client/fence.ts'
import { broken, type HttpExchange, type Limits } from '../../../src/lib/services/client/http-exchange.ts'
import { defaultSettings } from '../../../src/lib/services/client/settings.ts'
import type { Effect } from '../../../src/lib/services/endpoints/row.ts'
import { rowById } from '../../../src/lib/services/endpoints/tables.ts'
import { assertUntil } from '../../harness/assert-until.ts'
import { ticksOf } from '../../harness/ticks.ts'

const answer = (status: number, headers = {}): HttpExchange => ({
  end: 'answered',
  status,
  headers,
  body: Buffer.from(
    '{"status":"success","message":"Done","data":{"email":"ada@example.com","engagedSubscribers":0}}',
  ),
})
/** What may come of one attempt: what it is called, whether it says that the service is down, and whether it may have been taken. */
const points = {
  ok: { exchange: answer(200) },
  refused: { exchange: answer(400), kind: 'rejected' },
  lost: {
    exchange: { ...broken(new Error('reset')), left: true } as HttpExchange,
    kind: 'unavailable',
    taken: true,
  },
  down: { exchange: answer(503), kind: 'unavailable', taken: true },
  unsent: { exchange: broken(new Error('refused')), kind: 'unavailable', unsent: true },
  busy: { exchange: answer(429), kind: 'rate_limited' },
  fenced: { exchange: broken(new FenceError()), kind: 'given_up' },
} satisfies Record<string, { exchange: HttpExchange; kind?: string; taken?: boolean; unsent?: boolean }>
type Point = { exchange: HttpExchange; kind?: string; taken?: boolean; unsent?: boolean }

const rows: Record<Effect, ReturnType<typeof rowById>> = {
  read: rowById('email.subscriberStats'),
  idempotent: rowById('email.updateSubscriber'),
  once: rowById('billing.refundPayment'),
}
const inputs = {
  read: {},
  idempotent: { params: { email: 'ada@example.com' }, body: { firstName: 'A' } },
  once: { params: { payment_id: 'p' } },
}

const callerOf = (script: () => HttpExchange, over: Partial<typeof defaultSettings>, now = () => 1_000) => {
  const seen: Observation[] = []
  const limits: Limits[] = []
  const told: unknown[] = []
  const closing = new AbortController().signal
  const caller = createCaller(
    {
      send: async (_request, _effect, given) => {
        limits.push(given)
        return script()
      },
      expect: () => undefined,
      close: async () => undefined,
    },
    {
      settings: { ...defaultSettings, backoff: { firstMs: 0, longestMs: 0 }, concurrency: 1, ...over },
      log: {
        info: (fields, words) => told.push({ ...fields, words }),
        warn: (fields, words) => told.push({ ...fields, words }),
      },
      now,
      ticks: ticksOf(now),
      random: () => 0,
      observe: (one) => seen.push(one),
      redact: (words) => words,
      closing,
    },
  )
  return { caller, seen, limits, told, closing }
}

const effect = fc.constantFrom<Effect>('read', 'idempotent', 'once')
const name = fc.constantFrom(...(Object.keys(points) as (keyof typeof points)[]))

it('what is tried again, how often, and what is known in the end', async () => {
  const ends = new Set<string>()
  await assertUntil(
    fc.asyncProperty(
      fc.array(fc.record({ effect, script: fc.array(name, { minLength: 4, maxLength: 4 }) }), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.record({ retries: fc.nat(2), failures: fc.integer({ min: 1, max: 4 }) }),
      async (calls, { retries, failures }) => {
        let next: Point[] = []
        const { caller, seen } = callerOf(() => (next.shift() as Point).exchange, {
          retries,
          breaker: { failures, openMs: 10_000 },
        })
        let inARow = 0
        let isOpen = false
        for (const call of calls) {
          // The model: one attempt after the other, as the settings and the kinds of requests say.
          const told: string[] = []
          let end = ''
          let mayBeDone = false
          for (let attempt = 1; end === ''; attempt += 1) {
            if (isOpen) {
              told.push(`${attempt} unavailable`)
              end =
                told.length === 1 ? 'unavailable not_done' : `${told.at(-2)?.slice(2)} ${known(mayBeDone)}`
              break
            }
            const point: Point = points[call.script[attempt - 1] as keyof typeof points]
            told.push(`${attempt} ${point.kind}`)
            if (point.kind === 'unavailable') inARow += 1
            else if (point.kind !== 'given_up') inARow = 0
            isOpen = inARow >= failures
            if (point.kind === undefined) end = 'done'
            if (point.taken && call.effect !== 'read') mayBeDone = true
            const isAgain = point.kind === 'unavailable' || point.kind === 'rate_limited'
            if (attempt > retries || !isAgain || (call.effect === 'once' && !point.unsent))
              end ||= `${point.kind} ${known(mayBeDone)}`
          }
          next = call.script.map((one) => points[one])
          seen.length = 0
          const result = await caller
            .call(rows[call.effect], inputs[call.effect], { deadlineMs: 60_000 })
            .then(
              () => 'done',
              ({ kind, outcome }) => `${kind} ${outcome}`,
            )
          expect([result, ...seen.map((one) => `${one.attempt} ${one.kind}`)]).toEqual([end, ...told])
          expect(caller.breakerState()).toBe(isOpen ? 'open' : 'closed')
          ends.add(end)
        }
      },
    ),
    400,
    () => ends.size === 9,
  )
  expect([...ends].sort()).toEqual([
    'done',
    'given_up not_done',
    'given_up unknown',
    'rate_limited not_done',
    'rate_limited unknown',
    'rejected not_done',
    'rejected unknown',
    'unavailable not_done',
    'unavailable unknown',
  ])
})

const known = (mayBeDone: boolean): string => (mayBeDone ? 'unknown' : 'not_done')

it.each<[Effect, number | undefined, number]>([
  ['read', undefined, 400],
  ['read', 300, 300],
  ['idempotent', undefined, 400],
  ['once', undefined, 900],
  ['once', 800, 800],
])('an attempt of %s with a deadline of %s may take %s ms', async (kind, deadlineMs, expected) => {
  const settings = { attemptMs: 400, readDeadlineMs: 800, writeDeadlineMs: 900 }
  const { caller, limits, closing } = callerOf(() => answer(200), settings)
  await caller.call(rows[kind], inputs[kind], { deadlineMs })
  // A call that is over keeps nothing of itself.
  expect(getEventListeners(closing, 'abort')).toEqual([])
  expect(limits.map(({ timeoutMs, maxBytes }) => [timeoutMs, maxBytes])).toEqual([
    [expected, defaultSettings.maxBytes],
  ])
})

it.each([
  ['reads', 'read', 700],
  ['changes', 'idempotent', 900],
] as const)('%s have a deadline of their own', async (_, kind, expected) => {
  const settings = { attemptMs: 5_000, readDeadlineMs: 700, writeDeadlineMs: 900 }
  const { caller, limits } = callerOf(() => answer(200), settings)
  await caller.call(rows[kind], inputs[kind])
  expect(limits[0]?.timeoutMs).toBe(expected)
})

it.each([
  ['its code', Object.assign(new Error('words'), { code: 'ECONNRESET' }), 'ECONNRESET'],
  ['its words, where it has no code', new Error('reset'), 'reset'],
  ['nothing, where it is no error', 'reset', 'unknown'],
])('of what broke an exchange the log has %s', async (_, cause, fault) => {
  const { caller, told } = callerOf(() => broken(cause), {})
  await caller.call(rows.once, inputs.once).catch(() => undefined)
  expect(told[0]).toMatchObject({ fault })
})

const named = { 'content-type': 'application/json' }
it.each<[string, Effect, HttpExchange, object]>([
  ['is understood', 'read', answer(200, named), { words: 'service call' }],
  [
    'is not understood',
    'once',
    { ...answer(200, named), body: Buffer.from('{"status":"success"}') } as HttpExchange,
    { words: 'service answer not understood', contentType: 'application/json', bytes: 20 },
  ],
  [
    'is too large',
    'read',
    { ...answer(200, named), body: 'too large' } as HttpExchange,
    {
      words: 'service call failed',
      kind: 'malformed',
      outcome: 'not_done',
      contentType: 'application/json',
      bytes: 'too large',
    },
  ],
])(
  'of an answer that %s the log has its traits, and nothing of what stands in it',
  async (_, kind, exchange, traits) => {
    const { caller, told } = callerOf(() => exchange, {})
    await caller.call(rows[kind], inputs[kind]).catch(() => undefined)
    const { id: operation, row } = rows[kind]
    const { method, path } = row
    expect(told).toEqual([{ operation, method, path, status: 200, ms: 0, attempt: 1, ...traits }])
  },
)

it('a pause that ends before the deadline is waited out, and one that ends with it is not', async () => {
  const script = [answer(429, { 'retry-after': '0.02' }), answer(200)]
  for (const [deadlineMs, sent] of [
    [20, 1],
    [5_000, 2],
  ] as const) {
    const left = [...script]
    const { caller, limits, seen } = callerOf(
      () => left.shift() as HttpExchange,
      {},
      sent === 1 ? undefined : Date.now,
    )
    const result = await caller.call(rows.read, {}, { deadlineMs }).then(
      () => 'done',
      ({ kind, retryAfterMs }) => [kind, retryAfterMs],
    )
    expect([result, limits.length]).toEqual([sent === 2 ? 'done' : ['rate_limited', 20], sent])
    // Nobody waited for what could not come.
    expect(seen).toHaveLength(sent)
  }
})

it('whoever gets the only place while the service asks for a pause gives it back, and has it again afterwards', async () => {
  const left = [answer(429, { 'retry-after': '0.02' }), answer(200)]
  const { caller } = callerOf(() => left.shift() as HttpExchange, { retries: 0 }, Date.now)
  const both = [1, 2].map(() => caller.call(rows.read, {}, { deadlineMs: 60_000 }))
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})

it('a call that has nothing to wait for waits for nothing', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { caller } = callerOf(() => answer(200), {})
  expect(await caller.call(rows.read, {})).toMatchObject({ understood: true })
  expect(vi.getTimerCount()).toBe(0)
})

it('whoever gives up before, or while a service asks for a pause, sends nothing', async () => {
  for (const pause of ['0', '5']) {
    const { caller, limits } = callerOf(() => answer(429, { 'retry-after': pause }), { retries: 0 })
    await caller.call(rows.read, {}).catch(() => undefined)
    const gone = pause === '0' ? AbortSignal.abort() : AbortSignal.timeout(1)
    await expect(caller.call(rows.read, {}, { deadlineMs: 60_000, signal: gone })).rejects.toMatchObject({
      kind: 'unavailable',
      outcome: 'not_done',
      serviceMessage: undefined,
    })
    expect(limits).toHaveLength(1)
  }
})

it('the pause that a service asks for holds for every call of it until it is over', async () => {
  let now = 1_000
  const left = [answer(429, { 'retry-after': '60' }), answer(429, { 'retry-after': '1' }), answer(200)]
  const { caller, limits } = callerOf(
    () => left.shift() as HttpExchange,
    { retries: 0 },
    () => now,
  )
  const call = (deadlineMs: number) =>
    caller.call(rows.read, {}, { deadlineMs }).then(
      () => 'done',
      ({ kind, status, retryAfterMs }) => [kind, status, retryAfterMs],
    )
  expect(caller.pausedForMs()).toBe(0)
  expect(await call(1_000)).toEqual(['rate_limited', 429, 60_000])
  expect(caller.pausedForMs()).toBe(60_000)
  now += 59_999
  expect(await call(1)).toEqual(['rate_limited', undefined, 1])
  expect(limits).toHaveLength(1)
  now += 1
  expect(await call(1_000)).toEqual(['rate_limited', 429, 1_000])
  now += 1_000
  expect([await call(1_000), caller.pausedForMs()]).toEqual(['done', 0])
})
