import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ticks } from '../../../src/lib/clock.ts'
import { createBreaker, type Ticket } from '../../../src/lib/services/client/breaker.ts'
import { createConcurrencyLimit } from '../../../src/lib/services/client/concurrency-limit.ts'
import { startDeadline } from '../../../src/lib/services/client/deadline.ts'
import { openEnvelope } from '../../../src/lib/services/client/envelope.ts'
import { ticksOf } from '../../harness/ticks.ts'

type BreakerModel = { is: 'closed'; failed: number } | { is: 'open'; until: number; probe: boolean }

it('a breaker is shut for so long after so many failures in a row, and then believes one probe', () => {
  const result = fc.constantFrom('ok', 'failed', 'nothing' as const)
  const event = fc.oneof(
    fc.record({ tick: fc.constantFrom(1, 9, 10, 11) }),
    fc.constant({ enter: true as const }),
    fc.record({ report: result, which: fc.nat(3) }),
  )
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.array(event, { maxLength: 40, size: 'max' }),
      (failures, events) => {
        let now = 100
        const breaker = createBreaker(
          { failures, openMs: 10 },
          ticksOf(() => now),
        )
        let state: BreakerModel = {
          is: 'closed',
          failed: 0,
        }
        const inside: Ticket[] = []
        for (const one of events) {
          const shut: number = state.is === 'open' ? Math.max(0, state.until - now) : 0
          if ('tick' in one) now += one.tick
          else if ('enter' in one) {
            const isRefused: boolean = state.is === 'open' && (shut > 0 || state.probe)
            const entered = breaker.enter()
            expect(entered).toEqual(isRefused ? { shutForMs: shut } : { probe: state.is === 'open' })
            if (!isRefused && state.is === 'open') state.probe = true
            if ('probe' in entered) inside.push(entered)
          } else {
            const [ticket] = inside.splice(one.which % (inside.length || 1), 1)
            if (ticket === undefined) continue
            breaker.report(ticket, one.report)
            if (state.is === 'open' && !ticket.probe) continue
            if (one.report === 'ok') state = { is: 'closed', failed: 0 }
            else if (state.is === 'open')
              Object.assign(state, { probe: false, until: one.report === 'failed' ? now + 10 : state.until })
            else if (one.report === 'failed')
              state =
                state.failed + 1 < failures
                  ? { is: 'closed', failed: state.failed + 1 }
                  : { is: 'open', until: now + 10, probe: false }
          }
          const left = state.is === 'open' ? Math.max(0, state.until - now) : 0
          expect(breaker.state()).toBe(
            state.is === 'closed' ? 'closed' : state.probe || left === 0 ? 'half_open' : 'open',
          )
        }
      },
    ),
    { numRuns: 300 },
  )
})

it('a limit lets so many in, the others in the order in which they came, and those who give up never', async () => {
  const event = fc.oneof(
    fc.constant({ do: 'enter' as const, which: 0 }),
    fc.record({ do: fc.constantFrom('leave' as const, 'abort' as const), which: fc.nat(5) }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(event, { maxLength: 30, size: 'max' }),
      async (width, events) => {
        const limit = createConcurrencyLimit(width)
        const inside: number[] = []
        const waiting: number[] = []
        const seen: number[] = []
        const leaves = new Map<number, () => void>()
        const aborts = new Map<number, AbortController>()
        let gaveUp = 0
        let aborted = 0
        for (const [n, one] of events.entries()) {
          if (one.do === 'enter') {
            const controller = new AbortController()
            aborts.set(n, controller)
            limit.enter(controller.signal).then(
              (leave) => {
                seen.push(n)
                leaves.set(n, leave)
              },
              () => {
                gaveUp += 1
              },
            )
            if (inside.length < width) inside.push(n)
            else waiting.push(n)
          } else if (one.do === 'leave' && inside.length > 0) {
            const [who] = inside.splice(one.which % inside.length, 1) as [number]
            leaves.get(who)?.()
            leaves.delete(who)
            if (waiting.length > 0) inside.push(waiting.shift() as number)
          } else if (one.do === 'abort' && waiting.length > 0) {
            const [who] = waiting.splice(one.which % waiting.length, 1) as [number]
            aborts.get(who)?.abort()
            aborted += 1
          }
          await Promise.resolve().then(() => Promise.resolve())
          expect([[...leaves.keys()].sort(), gaveUp]).toEqual([inside.toSorted(), aborted])
        }
        expect(seen).toEqual(seen.toSorted((a, b) => a - b))
      },
    ),
    { numRuns: 100 },
  )
  await expect(createConcurrencyLimit(1).enter(AbortSignal.abort('gone'))).rejects.toBe('gone')
})

describe('a deadline', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('is over when its time is up, and nobody cancelled it', () => {
    const deadline = startDeadline(100, ticks, [undefined])
    vi.advanceTimersByTime(99)
    expect([deadline.leftMs(), deadline.signal.aborted]).toEqual([1, false])
    vi.advanceTimersByTime(1)
    expect([deadline.leftMs(), deadline.signal.aborted, deadline.wasCancelled()]).toEqual([0, true, false])
  })

  it('is over as soon as any of its signals ends it, also one that had before', () => {
    for (const before of [true, false]) {
      const controller = new AbortController()
      if (before) controller.abort()
      const deadline = startDeadline(100, ticks, [undefined, new AbortController().signal, controller.signal])
      expect([deadline.leftMs(), deadline.wasCancelled()]).toEqual(before ? [0, true] : [100, false])
      controller.abort()
      expect([deadline.leftMs(), deadline.signal.aborted, deadline.wasCancelled()]).toEqual([0, true, true])
    }
  })

  it('that was stopped hears nothing more, and keeps nothing alive', () => {
    const controller = new AbortController()
    const deadline = startDeadline(100, ticks, [controller.signal])
    deadline.stop()
    expect(vi.getTimerCount()).toBe(0)
    controller.abort()
    expect([deadline.signal.aborted, deadline.wasCancelled()]).toEqual([false, false])
  })

  it('never has less than nothing left', () => {
    let now = 0
    const deadline = startDeadline(
      100,
      ticksOf(() => now),
      [],
    )
    now = 101
    expect(deadline.leftMs()).toBe(0)
    deadline.stop()
  })
})

it('an envelope is what only its own words surround, or what says so by success or data', () => {
  const status = fc.constantFrom<unknown>(
    'success',
    ' SUCCESS ',
    'error',
    'live',
    '399',
    '400',
    '39',
    399,
    400,
    true,
    false,
    null,
  )
  const body = fc.record(
    {
      status,
      success: fc.constantFrom<unknown>(true, false, 'false', 0),
      message: fc.constantFrom<unknown>('done', ' ', 7),
      data: fc.constantFrom<unknown>(null, { id: 1 }, []),
      code: fc.constant(1),
      email: fc.constant('a@b.c'),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.oneof({ weight: 9, arbitrary: body }, fc.constantFrom<unknown>(null, [], 'x', 1)),
      fc.boolean(),
      (given, isShown) => {
        const some = given as Record<string, unknown>
        const isRecord = typeof given === 'object' && given !== null && !Array.isArray(given)
        const has = (key: string) => isRecord && Object.hasOwn(some, key)
        const isWrapped =
          has('data') ||
          (has('success') && typeof some.success === 'boolean') ||
          (has('status') && ((isShown && typeof some.message === 'string') || !has('email')))
        const isRefused =
          some?.success === false || ['error', '400', 400, false].includes(some?.status as never)
        const isDone = some?.success === true || ['success', ' SUCCESS '].includes(some?.status as never)
        expect(openEnvelope(given, isShown)).toEqual(
          isWrapped
            ? {
                verdict: isRefused ? 'refused' : isDone ? 'done' : undefined,
                isWrapped,
                message: some.message === 'done' ? 'done' : undefined,
                data: has('data') ? (some.data ?? undefined) : has('email') ? { email: 'a@b.c' } : undefined,
              }
            : { verdict: undefined, isWrapped, message: undefined, data: given },
        )
      },
    ),
    { numRuns: 1_000 },
  )
})
