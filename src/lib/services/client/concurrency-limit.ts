/** Whoever entered leaves once. */
export type ConcurrencyLimit = { enter(signal: AbortSignal): Promise<() => void> }

/** At most `width` at a time, the rest in order of arrival; a waiting one leaves the queue when its signal aborts. */
export function createConcurrencyLimit(width: number): ConcurrencyLimit {
  let inside = 0
  const queue = new Set<() => void>()

  const leave = () => {
    const [next] = queue
    if (next === undefined) inside -= 1
    else next()
  }

  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (inside < width) {
        inside += 1
        return Promise.resolve(leave)
      }
      return new Promise((resolve, reject) => {
        const admit = () => {
          queue.delete(admit)
          resolve(leave)
        }
        queue.add(admit)
        // Of whoever was admitted it changes nothing.
        signal.addEventListener('abort', () => {
          queue.delete(admit)
          reject(signal.reason)
        })
      })
    },
  }
}
