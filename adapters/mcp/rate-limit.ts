const minuteMs = 60_000

/** How long an agent has to wait before its next call; 0 if it may go on. */
export type TakeTurn = (agent: { id: string; rate: number }) => number

/** So many calls in any minute. Each process counts its own. */
export const createTurns = (now: () => number): TakeTurn => {
  const turns = new Map<string, number[]>()
  return ({ id, rate }) => {
    const at = now()
    const recent = (turns.get(id) ?? []).filter((time) => at - time < minuteMs)
    const first = recent[recent.length - rate]
    turns.set(id, first === undefined ? [...recent, at] : recent)
    return first === undefined ? 0 : first + minuteMs - at
  }
}
