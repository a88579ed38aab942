const minuteMs = 60_000

/** `waitMs`: how long to wait before this call may be made, 0 if it may go on. `left`: how many more may follow before `resetMs` are over. */
export type Turn = { waitMs: number; left: number; resetMs: number }

export type TakeTurn = (agent: { id: string; rate: number }) => Turn

/** So many calls in any minute. Each process counts its own. */
export const createTurns = (now: () => number): TakeTurn => {
  const turns = new Map<string, number[]>()
  return ({ id, rate }) => {
    const at = now()
    const recent = (turns.get(id) ?? []).filter((time) => at - time < minuteMs)
    const first = recent[recent.length - rate]
    const taken = first === undefined ? [...recent, at] : recent
    turns.set(id, taken)
    return {
      waitMs: first === undefined ? 0 : first + minuteMs - at,
      left: Math.max(0, rate - taken.length),
      resetMs: (taken[0] ?? at) + minuteMs - at,
    }
  }
}
