import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often it is looked whether the bot is at rest, and how much of that time it may have worked. */
const lookMs = 1_000
const atRest = 0.1

/**
 * On a machine with much memory V8 lets garbage grow to most of a gigabyte before the first full collection.
 * The bot shares its machine with other programs, so it collects whenever live memory has grown by three fifths,
 * and once after the start all that can be freed. That frees compiled code too, so it is done when nobody waits for
 * the bot. The young generation can only be sized by a flag: `npm start` makes it small, so that its collections are
 * short and do not delay acknowledgements.
 */
export const keepHeapSmall = (): void => {
  setFlagsFromString('--heap-growing-percent=60')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (how: { type: 'major'; flavor: 'last-resort' }) => void
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization > atRest) return
    clearInterval(timer)
    collect({ type: 'major', flavor: 'last-resort' })
  }, lookMs).unref()
}
