import { type ChangeState, type PastRequest, unsettledStates } from '../../kernel/model/change.ts'

/** What was counted at a moment of the past, under one key; undefined where the record cannot say. */
export type Timeline = { at(key: string, time: number, except: PastRequest): number | undefined }

type Counting = {
  states: readonly ChangeState[]
  /** How long a state counts after it was reached; what is not settled counts until it is. */
  windowMs: number
  keyOf(request: PastRequest): string | undefined
  /** A whole number for each step. */
  weightOf(amount: number | null): number
}

const unsettled: ReadonlySet<ChangeState> = new Set(['applying', ...unsettledStates])

/**
 * Sums over a window, as they were at any moment. A request counts from the step that brought it into a state that
 * counts until the next step, or until the window has passed it.
 */
export const createTimeline = (requests: readonly PastRequest[], counting: Counting): Timeline => {
  const { keyOf } = counting
  const events = new Map<string, { time: number; delta: number }[]>()
  const vague = new Map<string, { from: number; to: number }[]>()
  for (const request of requests) {
    const key = keyOf(request)
    if (key === undefined) continue
    if (request.steps === undefined) add(vague, key, vagueSpan(request, counting))
    for (const { from, to, weight } of spansOf(request, counting)) {
      add(events, key, { time: from, delta: weight })
      add(events, key, { time: to, delta: -weight })
    }
  }
  const sums = new Map([...events].map(([key, some]) => [key, prefixesOf(some)]))
  return {
    at: (key, time, except) => {
      if (vague.get(key)?.some(({ from, to }) => from <= time && time < to)) return undefined
      const own = keyOf(except) === key ? spansOf(except, counting) : []
      const ownSum = own.reduce(
        (sum, { from, to, weight }) => (from <= time && time < to ? sum + weight : sum),
        0,
      )
      return sumAt(sums.get(key), time) - ownSum
    },
  }
}

const add = <T>(map: Map<string, T[]>, key: string, value: T): void => {
  const some = map.get(key)
  if (some === undefined) map.set(key, [value])
  else some.push(value)
}

const spansOf = (request: PastRequest, { states, windowMs, weightOf }: Counting) => {
  const { steps = [], judged } = request
  let amount = judged?.amount === undefined ? request.amount : judged.amount
  return steps.flatMap((step, at) => {
    if (step.amount !== undefined) amount = step.amount
    if (!states.includes(step.state)) return []
    const next = steps[at + 1]?.at ?? Number.POSITIVE_INFINITY
    // The last moment of the window still counts.
    const to = unsettled.has(step.state) ? next : Math.min(next, step.at + windowMs + 1)
    const weight = weightOf(amount)
    return to > step.at && weight !== 0 ? [{ from: step.at, to, weight }] : []
  })
}

/** When a request without steps may or may not have counted. */
const vagueSpan = ({ createdAt, updatedAt, state }: PastRequest, { windowMs }: Counting) => ({
  from: createdAt,
  to: unsettled.has(state) ? Number.POSITIVE_INFINITY : updatedAt + windowMs + 1,
})

const prefixesOf = (events: { time: number; delta: number }[]): { time: number; sum: number }[] => {
  let sum = 0
  return events
    .sort((one, other) => one.time - other.time)
    .map(({ time, delta }) => {
      sum += delta
      return { time, sum }
    })
}

const sumAt = (prefixes: readonly { time: number; sum: number }[] = [], time: number): number => {
  let low = 0
  let high = prefixes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((prefixes[middle] as { time: number }).time <= time) low = middle + 1
    else high = middle
  }
  return prefixes[low - 1]?.sum ?? 0
}
