import type { Tick, Ticks } from '../../src/lib/clock.ts'

/** A clock that the test sets, as one that only goes forward: it is the test's to set it forward only. */
export const ticksOf =
  (ms: () => number): Ticks =>
  () =>
    ms() as unknown as Tick
