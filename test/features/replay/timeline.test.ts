import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTimeline } from '../../../src/features/replay/timeline.ts'
import type { ChangeState, PastRequest } from '../../../src/kernel/model/change.ts'

const counted: ChangeState[] = ['applying', 'unknown', 'applied']
const isUnsettled = (state: ChangeState) => state === 'applying' || state === 'unknown'
const windowMs = 10

type Steps = { at: number; state: ChangeState; amount?: number | null }[]
const requestOf = (intent: string, amount: number | null, steps: Steps | undefined, over: object = {}) =>
  ({ intent, amount, createdAt: 0, updatedAt: 0, state: 'pending', steps, ...over }) as unknown as PastRequest
const counting = {
  states: counted,
  windowMs,
  keyOf: ({ intent }: PastRequest) => (intent === 'none' ? undefined : intent),
  weightOf: (amount: number | null) => amount ?? 0,
}

/** What one request counts at a moment, read plainly: the last step that was taken by then decides. */
const weightAt = (steps: Steps, amount: number | null, time: number): number => {
  const taken = steps.filter(({ at }) => at <= time)
  const last = taken.at(-1)
  if (last === undefined || !counted.includes(last.state)) return 0
  if (!isUnsettled(last.state) && time > last.at + windowMs) return 0
  return taken.reduce((sum, step) => (step.amount === undefined ? sum : step.amount), amount) ?? 0
}

it('a sum is what the others had come to by then, each as its last step says', () => {
  const state = fc.constantFrom<ChangeState>(
    'pending',
    'approved',
    'applying',
    'unknown',
    'applied',
    'failed',
  )
  const steps = fc
    .array(
      fc.record(
        { gap: fc.integer({ min: 0, max: 12 }), state, amount: fc.constantFrom<number | null>(null, 3, 5) },
        { requiredKeys: ['gap', 'state'] },
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((some) => {
      let at = 0
      return some.map(({ gap, ...step }) => {
        at += gap
        return { ...step, at }
      })
    })
  const request = fc.record({
    intent: fc.constantFrom('a', 'b', 'none'),
    amount: fc.constantFrom<number | null>(null, 1, 2),
    judged: fc.constantFrom<{ amount?: number | null }>({}, { amount: null }, { amount: 7 }),
    steps,
  })
  fc.assert(
    fc.property(
      fc.array(request, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: -1, max: 60 }),
      (requests, time) => {
        const past = requests.map((one) =>
          requestOf(one.intent, one.amount, one.steps, { judged: one.judged }),
        )
        const timeline = createTimeline(past, counting)
        const start = (one: (typeof requests)[number]) =>
          one.judged.amount === undefined ? one.amount : one.judged.amount
        for (const key of ['a', 'b'])
          for (const [own, except] of past.entries()) {
            const others = requests.filter((one, at) => one.intent === key && at !== own)
            const expected = others.reduce((sum, one) => sum + weightAt(one.steps, start(one), time), 0)
            expect(timeline.at(key, time, except)).toBe(expected)
          }
      },
    ),
    { numRuns: 1_500 },
  )
})

it.each<[ChangeState, number, boolean]>([
  ['applied', 4, false],
  ['applied', 5, true],
  ['applied', 30, true],
  ['applied', 31, false],
  ['unknown', 4, false],
  ['unknown', 999, true],
  ['applying', 999, true],
])('where a request that is %s has no steps, nobody knows at %i: %s', (state, time, isVague) => {
  const vague = requestOf('a', 1, undefined, { createdAt: 5, updatedAt: 20, state })
  const known = requestOf('a', 1, [{ at: 0, state: 'unknown' }])
  const timeline = createTimeline([vague, known], counting)
  expect(timeline.at('a', time, vague)).toBe(isVague ? undefined : 1)
  expect(timeline.at('b', time, vague)).toBe(0)
})
