import { after, msBetween, type Tick, type Ticks } from '../clock.ts'

const minuteMs = 60_000

/** `waitMs`: how long to wait before this call may be made, 0 if it may go on. `left`: how many more may follow before `resetMs` are over. */
export type Turn = { waitMs: number; left: number; resetMs: number }

export type TakeTurn = (agent: { id: string; rate: number }) => Turn

/** So many calls in any minute. Each process counts its own. */
export const createTurns = (ticks: Ticks): TakeTurn => {
  const turns = new Map<string, Tick[]>()
  return ({ id, rate }) => {
    const at = ticks()
    const recent = (turns.get(id) ?? []).filter((time) => msBetween(time, at) < minuteMs)
    const first = recent[recent.length - rate]
    const taken = first === undefined ? [...recent, at] : recent
    turns.set(id, taken)
    return {
      waitMs: first === undefined ? 0 : msBetween(at, after(first, minuteMs)),
      left: Math.max(0, rate - taken.length),
      resetMs: msBetween(at, after(taken[0] ?? at, minuteMs)),
    }
  }
}
