/** How the replicas keep time with each other. */
export type Timings = {
  heartbeatMs: number
  /** A process that has not shown itself for this long is dead; what it was applying is unknown. */
  lifeMs: number
  /** How often the worker looks for work that is due. */
  idleMs: number
  /** How long the process that took the last vote has before any other one may run the change. */
  applyGraceMs: number
  /** How long a state that mostly ends at once may last before cards show it. */
  passingMs: number
  /** How long a piece of work is its owner's. */
  leaseMs: number
}

export const defaultTimings: Timings = {
  heartbeatMs: 1_500,
  lifeMs: 6_000,
  idleMs: 1_000,
  applyGraceMs: 3_000,
  passingMs: 400,
  leaseMs: 30_000,
}
