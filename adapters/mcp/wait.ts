import { setTimeout as pause } from 'node:timers/promises'
import type { Change } from '../../src/kernel/model/change.ts'
import { after, msBetween, type Ticks } from '../../src/lib/clock.ts'
import { progressText } from './results.ts'

export type Waiting = {
  /** The change as it is now. */
  look(): Promise<Change | undefined>
  seconds: number
  /** Ends the wait early: the caller is gone, or the bot stops. */
  signal: AbortSignal
  now(): number
  ticks: Ticks
  /** Called with a sentence when something changed, and now and then while nothing does. */
  tell(words: string): Promise<void>
}

/** Calls that wait hold a connection each, and look at the store. */
const maxWaiting = { ofCaller: 16, inAll: 256 }

/** Room for calls that wait: what one caller holds open leaves room for the others. */
export type WaitingRoom = {
  /** Lets go of the place; undefined where there is none. */
  enter(caller: string): (() => void) | undefined
}

export const createWaitingRoom = (most: Partial<typeof maxWaiting> = {}): WaitingRoom => {
  const { ofCaller, inAll } = { ...maxWaiting, ...most }
  const held = new Map<string, number>()
  let all = 0
  return {
    enter: (caller) => {
      const own = held.get(caller) ?? 0
      if (own >= ofCaller || all >= inAll) return undefined
      held.set(caller, own + 1)
      all += 1
      return () => {
        all -= 1
        const left = (held.get(caller) ?? 1) - 1
        if (left === 0) held.delete(caller)
        else held.set(caller, left)
      }
    },
  }
}

export const isOpen = ({ state }: Change): boolean =>
  state === 'pending' || state === 'approved' || state === 'applying'

/** Callers give up on a call that says nothing for long. */
const tellEveryMs = 10_000
const lookEveryMs = { first: 150, last: 1_000 }

/** Looks until the change has ended or the time is over, whichever process works on it. */
export const waitForEnd = async (
  change: Change,
  { look, seconds, signal, now, ticks, tell }: Waiting,
): Promise<Change> => {
  const until = after(ticks(), seconds * 1_000)
  let last = change
  let toldAt = ticks()
  let every = lookEveryMs.first
  if (isOpen(last) && seconds > 0) await tell(progressText(last, now()))
  while (isOpen(last) && ticks() < until && !signal.aborted) {
    await pause(Math.min(every, msBetween(ticks(), until)), undefined, { signal }).catch(() => undefined)
    every = Math.min(every * 1.2, lookEveryMs.last)
    const next = (await look()) ?? last
    if (next.version !== last.version || msBetween(toldAt, ticks()) >= tellEveryMs) {
      toldAt = ticks()
      await tell(progressText(next, now()))
    }
    last = next
  }
  return last
}
