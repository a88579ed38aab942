import { after, latest, longAgo, msBetween, type Tick, type Ticks } from '../clock.ts'
import { no, type Result } from '../result.ts'
import { refusal } from '../view/refusals.ts'
import { createFairQueue } from './fair-queue.ts'
import { createLanes, type InLane } from './lanes.ts'

type Limits = { atOnce: number; maxWaiting: number; textAnHour: number; aMinute: number; burst: number }

/** Enough for whoever works fast or lets a program work; not enough to keep everybody else out. */
const defaults: Limits = {
  atOnce: 32,
  maxWaiting: 5_000,
  textAnHour: 2_000_000,
  aMinute: 1_200,
  burst: 6_000,
}

/** For programs that try one request after the other in somebody's name. */
export const unboundedPace: Partial<Limits> = {
  textAnHour: Number.POSITIVE_INFINITY,
  aMinute: Number.POSITIVE_INFINITY,
  burst: Number.MAX_SAFE_INTEGER,
}

/** A request as short as this costs no more than its line in the log, so only what is longer counts as text. */
const freeLength = 200
/** More refusals than these nobody reads, and while they wait they take room. */
const maxRefused = 1_000
const hourMs = 3_600_000
const minuteMs = 60_000
/** Messengers take about one message a second in a channel; a few at once do no harm. */
const cards = { burst: 20, everyMs: 1_000 }
/** So long after a messenger has said that it is too much, people's cards wait for each other. */
const limitedMs = 60_000

/** What one person has under way, waiting and sent: whatever they send, the others are worked on beside it. */
export type Admission = {
  inLane: InLane
  /**
   * In each turn of the event loop as many requests begin as a few milliseconds hold, and as many that are urgent beside them; of
   * each person one after the other. So nobody waits for all that somebody else has sent, and what comes together is stored
   * together. Resolves in the turn in which it may begin.
   */
  pace(person: string, isUrgent: boolean): Promise<void> | undefined
  /** The turn of what is refused: its answer costs about as much. Where a great many wait already, this one does not. */
  paceRefused(person: string): Promise<void> | undefined
  /** Whether somebody has sent more requests than they may in a while; it is counted if not. */
  isTooOften(person: string): boolean
  /** Whether somebody has sent so much text within the last hour that no more of it is kept; it is counted if not. */
  isTooMuchText(person: string, length: number): boolean
  /**
   * How long the card of another request of theirs waits, so that nobody else's stands behind all of them. Nobody waits
   * while the messengers take what they are given.
   */
  cardAfterMs(person: string): number
  /** A messenger takes no more for now. */
  limited(): void
}

export const createAdmission = (ticks: Ticks, limits: Partial<Limits> = {}): Admission => {
  const { atOnce, maxWaiting, textAnHour, aMinute, burst } = { ...defaults, ...limits }
  const { ordinary, urgent } = createPace(ticks)
  const requests = createPacer(ticks, { burst, everyMs: minuteMs / aMinute })
  const posted = createPacer(ticks, cards)
  let limitedAt = longAgo
  const began = ticks()
  let hour = { n: 0, sent: new Map<string, number>(), before: new Map<string, number>() }
  return {
    inLane: createLanes({ atOnce, maxWaiting }),
    pace: (person, isUrgent) => (isUrgent ? urgent : ordinary)(person),
    paceRefused: (person) => ordinary(person, maxRefused),
    isTooOften: (person) => {
      const { waitMs, count } = requests(person)
      if (waitMs === 0) count()
      return waitMs > 0
    },
    cardAfterMs: (person) => {
      const { waitMs, count } = posted(person)
      count()
      return msBetween(limitedAt, ticks()) < limitedMs ? waitMs : 0
    },
    limited: () => {
      limitedAt = ticks()
    },
    isTooMuchText: (person, length) => {
      const size = Math.max(0, length - freeLength)
      const sinceMs = msBetween(began, ticks())
      const n = Math.floor(sinceMs / hourMs)
      if (n !== hour.n) hour = { n, sent: new Map(), before: n === hour.n + 1 ? hour.sent : new Map() }
      const total = (hour.sent.get(person) ?? 0) + size
      // Of the hour before, the share that still lies within sixty minutes.
      const share = 1 - (sinceMs % hourMs) / hourMs
      if (total + (hour.before.get(person) ?? 0) * share > textAnHour) return true
      hour.sent.set(person, total)
      return false
    },
  }
}

/** How long another one of this person's is too early, where so many come at once and then one in so many milliseconds. */
const createPacer = (ticks: Ticks, { burst, everyMs }: typeof cards) => {
  /** When nothing of what they had sent would count any more. */
  const restedAt = new Map<string, Tick>()
  return (person: string) => {
    const now = ticks()
    const next = after(latest(now, restedAt.get(person) ?? now), everyMs)
    return {
      waitMs: Math.max(0, msBetween(now, next) - burst * everyMs),
      count: () => void restedAt.set(person, next),
    }
  }
}

/** So much begins in one turn of the event loop, as long as it takes no longer than this. */
const turn = { most: 16, ms: 4 }

type Begin = (person: string, most?: number) => Promise<void> | undefined

const createPace = (ticks: Ticks): { ordinary: Begin; urgent: Begin } => {
  const [ordinary, urgent] = [createLine(), createLine()]
  const both = [urgent, ordinary]
  let isGoing = false
  const take = async (): Promise<void> => {
    const from = ticks()
    for (let begun = 0; begun < turn.most && msBetween(from, ticks()) < turn.ms; begun++) {
      const next = both.flatMap(({ waiting }) => waiting.next() ?? [])
      if (begun === 0) for (const line of both) line.hasBegun = false
      if (next.length === 0) break
      for (const begin of next) begin()
      await whenStill()
    }
    isGoing = both.some(({ waiting }) => waiting.size() > 0)
    if (isGoing) setImmediate(take)
  }
  const beginIn =
    (line: ReturnType<typeof createLine>): Begin =>
    (person, most = Number.POSITIVE_INFINITY) => {
      if (!isGoing) setImmediate(take)
      isGoing = true
      const isFirst = !line.hasBegun && line.waiting.size() === 0
      line.hasBegun = true
      if (isFirst || line.waiting.size(person) >= most) return undefined
      return new Promise((resolve) => line.waiting.add(person, resolve))
    }
  return { ordinary: beginIn(ordinary), urgent: beginIn(urgent) }
}

const createLine = () => ({ waiting: createFairQueue<() => void>(), hasBegun: false })

/** When all that was begun waits for something, and before anything else is done. */
const whenStill = (): Promise<void> =>
  new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)))

/** Runs what can be long, of each person one at a time; whoever has several waiting already is refused. */
export type SerialPerPerson = <T>(person: string, work: () => Promise<Result<T>>) => Promise<Result<T>>

export const createSerialPerPerson = (maxWaiting = 3): SerialPerPerson => {
  const inLane = createLanes({ atOnce: 1, maxWaiting })
  return (person, work) => inLane(person, work, async () => no(tooManyLong))
}

const tooManyLong = refusal('too_many_requests', 'Several of these are being worked out for you already.', {
  next: 'Wait until they are done.',
})
