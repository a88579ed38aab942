/** Runs so many of each person's at once, the rest in the order they came; `whenFull` answers if too much of theirs waits. */
export type InLane = <T>(person: string, work: () => Promise<T>, whenFull: () => Promise<T>) => Promise<T>

export const createLanes = ({ atOnce, maxWaiting }: { atOnce: number; maxWaiting: number }): InLane => {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (person, work, whenFull) => {
    const lane = lanes.get(person) ?? { running: 0, waiting: [] }
    lanes.set(person, lane)
    if (lane.running < atOnce) lane.running++
    else if (lane.waiting.length >= maxWaiting) return whenFull()
    else await new Promise<void>((resolve) => lane.waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = lane.waiting.shift()
      // The place goes on to the next one.
      if (next !== undefined) next()
      else if (--lane.running === 0) lanes.delete(person)
    }
  }
}
