import { setTimeout as pause } from 'node:timers/promises'
import type { Change } from '../../src/model/change.ts'
import { progressText } from './results.ts'

export type Waiting = {
  /** The change as it is now. */
  look(): Promise<Change | undefined>
  seconds: number
  /** Ends the wait early: the caller is gone, or the bot stops. */
  signal: AbortSignal
  now(): number
  /** Called with a sentence when something changed, and now and then while nothing does. */
  tell(words: string): Promise<void>
}

export const isOpen = ({ state }: Change): boolean =>
  state === 'pending' || state === 'approved' || state === 'applying'

/** Callers give up on a call that says nothing for long. */
const tellEveryMs = 10_000
const lookEveryMs = { first: 150, last: 1_000 }

/** Looks until the change has ended or the time is over, whichever process works on it. */
export const waitForEnd = async (
  change: Change,
  { look, seconds, signal, now, tell }: Waiting,
): Promise<Change> => {
  const until = now() + seconds * 1_000
  let last = change
  let toldAt = now()
  let every = lookEveryMs.first
  if (isOpen(last) && seconds > 0) await tell(progressText(last, now()))
  while (isOpen(last) && now() < until && !signal.aborted) {
    await pause(Math.min(every, until - now()), undefined, { signal }).catch(() => undefined)
    every = Math.min(every * 1.2, lookEveryMs.last)
    const next = (await look()) ?? last
    if (next.version !== last.version || now() - toldAt >= tellEveryMs) {
      toldAt = now()
      await tell(progressText(next, now()))
    }
    last = next
  }
  return last
}
