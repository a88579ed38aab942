/** Intervals and timeouts that replicas share. */
export type Timings = {
  heartbeatMs: number
  /**
   * A process without a heartbeat for this long counts as dead; the outcome of what it was applying is
   * unknown.
   */
  lifeMs: number
  /** How often the worker looks for tasks that are due. */
  idleMs: number
  /** How long the process that stored the last vote has before another process may run the change. */
  applyGraceMs: number
  /** How long a short-lived state may last before cards show it. */
  passingMs: number
  /** How long a process may hold a task. */
  leaseMs: number
  /** How long work in a thread of its own may take. */
  threadMs: number
  /** How long to wait before each look for an outcome that is not known. */
  checksMs: readonly number[]
  /** The first and the longest pause before a service is asked how it settled something; they grow with the time that has passed. */
  asksMs: { first: number; longest: number }
  /** Other pauses than its own, for a feature that tries again. */
  pausesMs: { readonly [feature: string]: readonly number[] }
  /** How long people wait for what is read for them besides; what comes later is left out, or said not to have come. */
  patienceMs: {
    /** Of several services about one person: each with all its steps. */
    view: number
    form: number
    /** By which name a person is called: the address stands in its place. */
    recipient: number
    /** Of the things in a saying: they are then not known. */
    names: number
  }
}

export const defaultTimings: Timings = {
  heartbeatMs: 1_500,
  lifeMs: 6_000,
  idleMs: 1_000,
  applyGraceMs: 3_000,
  passingMs: 400,
  leaseMs: 30_000,
  threadMs: 20_000,
  checksMs: [5_000, 30_000, 120_000, 300_000],
  asksMs: { first: 15_000, longest: 6 * 3_600_000 },
  pausesMs: {},
  patienceMs: { view: 1_600, form: 700, recipient: 800, names: 400 },
}
