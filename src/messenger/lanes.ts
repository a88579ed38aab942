/** Of each person so many at once, the rest in the order they came. */
export type Lanes = {
  /** Resolves when it is their turn, for whoever calls `leave` afterwards; `full` if too much of theirs waits. */
  enter(lane: string): Promise<void> | 'full' | undefined
  leave(lane: string): void
}

export const createLanes = ({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }): Lanes => {
  const lanes = new Map<string, { running: number; waiting: (() => void)[] }>()
  return {
    enter: (key) => {
      const lane = lanes.get(key) ?? { running: 0, waiting: [] }
      lanes.set(key, lane)
      if (lane.running < atOnce) {
        lane.running++
        return undefined
      }
      if (lane.waiting.length >= mostWaiting) return 'full'
      return new Promise((resolve) => lane.waiting.push(resolve))
    },
    leave: (key) => {
      const lane = lanes.get(key)
      if (lane === undefined) return
      const next = lane.waiting.shift()
      // The place goes on to the next one.
      if (next !== undefined) return next()
      if (--lane.running === 0) lanes.delete(key)
    },
  }
}
