/**
 * A platform signs each delivery anew, so the same signature again is somebody playing back what they caught. A copy
 * within the same moment may be the network's doing: it is let through, and the delivery's own id makes it count once.
 */
const momentMs = 1_000

/** Whether a signature was seen before. It is remembered for as long as its time would still be accepted. */
export const createReplayGuard = (acceptedMs: number) => {
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  let turnAt = 0
  return (signature: string, now: number): boolean => {
    if (now >= turnAt) {
      old = young
      young = new Map()
      turnAt = now + 2 * acceptedMs
    }
    const first = young.get(signature) ?? old.get(signature)
    if (first === undefined) young.set(signature, now)
    return first !== undefined && now - first > momentMs
  }
}
