import { defaultTimings } from '../../src/kernel/timings.ts'

/** Loaded into a bot before it starts, so that what a killed one held is given up in seconds and not in half a minute. */
Object.assign(defaultTimings, {
  heartbeatMs: 500,
  lifeMs: 3_000,
  leaseMs: 4_000,
  pausesMs: { webhooks: [0.5, 3, 12, 60, 360, 1_080, 2_160, 4_320, 8_640].map((s) => s * 1_000) },
})
