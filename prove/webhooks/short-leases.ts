import { defaultTimings } from '../../src/core/timings.ts'

/** Loaded into a bot before it starts, so that what a killed one held is given up in seconds and not in half a minute. */
Object.assign(defaultTimings, {
  heartbeatMs: 500,
  lifeMs: 3_000,
  leaseMs: 4_000,
  webhookPausesMs: defaultTimings.webhookPausesMs.map((ms) => ms / 10),
})
