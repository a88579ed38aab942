import { createLanes, type InLane } from '../../messenger/lanes.ts'
import { no, type Result } from '../../model/result.ts'
import { refusal } from '../../view/refusals.ts'

type Limits = { atOnce: number; mostWaiting: number; textAnHour: number; aMinute: number; burst: number }

/** Enough for whoever works fast or lets a program work; not enough to keep everybody else out. */
const defaults: Limits = {
  atOnce: 32,
  mostWaiting: 5_000,
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
const mostRefused = 1_000
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
   * In each turn of the event loop one request begins, and one of those that are urgent beside it; of each person one after the
   * other. So nobody waits for all that somebody else has sent. Resolves in the turn in which it may begin.
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

export const createAdmission = (now: () => number, limits: Partial<Limits> = {}): Admission => {
  const { atOnce, mostWaiting, textAnHour, aMinute, burst } = { ...defaults, ...limits }
  const [ordinary, urgent] = [createPace(), createPace()]
  const requests = createPacer(now, { burst, everyMs: minuteMs / aMinute })
  const posted = createPacer(now, cards)
  let limitedAt = Number.NEGATIVE_INFINITY
  let hour = { n: 0, sent: new Map<string, number>(), before: new Map<string, number>() }
  return {
    inLane: createLanes({ atOnce, mostWaiting }),
    pace: (person, isUrgent) => (isUrgent ? urgent : ordinary)(person),
    paceRefused: (person) => ordinary(person, mostRefused),
    isTooOften: (person) => {
      const { waitMs, count } = requests(person)
      if (waitMs === 0) count()
      return waitMs > 0
    },
    cardAfterMs: (person) => {
      const { waitMs, count } = posted(person)
      count()
      return now() - limitedAt < limitedMs ? waitMs : 0
    },
    limited: () => {
      limitedAt = now()
    },
    isTooMuchText: (person, length) => {
      const size = Math.max(0, length - freeLength)
      const n = Math.floor(now() / hourMs)
      if (n !== hour.n) hour = { n, sent: new Map(), before: n === hour.n + 1 ? hour.sent : new Map() }
      const total = (hour.sent.get(person) ?? 0) + size
      // Of the hour before, the share that still lies within sixty minutes.
      const share = 1 - (now() % hourMs) / hourMs
      if (total + (hour.before.get(person) ?? 0) * share > textAnHour) return true
      hour.sent.set(person, total)
      return false
    },
  }
}

/** How long another one of this person's is too early, where so many come at once and then one in so many milliseconds. */
const createPacer = (now: () => number, { burst, everyMs }: typeof cards) => {
  /** When nothing of what they had sent would count any more. */
  const restedAt = new Map<string, number>()
  return (person: string) => {
    const next = Math.max(now(), restedAt.get(person) ?? 0) + everyMs
    return {
      waitMs: Math.max(0, next - now() - burst * everyMs),
      count: () => void restedAt.set(person, next),
    }
  }
}

const createPace = (): ((person: string, most?: number) => Promise<void> | undefined) => {
  const waiting = new Map<string, (() => void)[]>()
  let hasBegun = false
  const turn = (): void => {
    const [first] = waiting
    hasBegun = first !== undefined
    if (first === undefined) return
    const [person, turns] = first
    turns.shift()?.()
    // Whoever has more comes again after everybody else.
    waiting.delete(person)
    if (turns.length > 0) waiting.set(person, turns)
    setImmediate(turn)
  }
  return (person, most = Number.POSITIVE_INFINITY) => {
    if (!hasBegun) {
      hasBegun = true
      setImmediate(turn)
      return undefined
    }
    const before = waiting.get(person)
    if (before !== undefined && before.length >= most) return undefined
    return new Promise((resolve) => {
      if (before === undefined) waiting.set(person, [resolve])
      else before.push(resolve)
    })
  }
}

/** Runs what can be long, of each person one at a time; whoever has several waiting already is refused. */
export type OneAtATime = <T>(person: string, work: () => Promise<Result<T>>) => Promise<Result<T>>

export const createOneAtATime = (mostWaiting = 3): OneAtATime => {
  const inLane = createLanes({ atOnce: 1, mostWaiting })
  return (person, work) => inLane(person, work, async () => no(tooManyLong))
}

const tooManyLong = refusal('too_many_requests', 'Several of these are being worked out for you already.', {
  next: 'Wait until they are done.',
})
