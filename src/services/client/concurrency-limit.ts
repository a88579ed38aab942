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
  const once = () => {
    let left = false
    return () => {
      if (left) return
      left = true
      leave()
    }
  }

  return {
    enter(signal) {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (inside < width) {
        inside += 1
        return Promise.resolve(once())
      }
      return new Promise((resolve, reject) => {
        const done = () => {
          queue.delete(admit)
          signal.removeEventListener('abort', onAbort)
        }
        const admit = () => {
          done()
          resolve(once())
        }
        const onAbort = () => {
          done()
          reject(signal.reason)
        }
        queue.add(admit)
        signal.addEventListener('abort', onAbort)
      })
    },
  }
}
