import { defineConfig } from 'vitest/config'

/**
 * For runs with planted faults. The sources run as they are, so that what was reached has the offsets of the file, and what
 * a healthy bot does comes within seconds: a fault that makes it never come should not take a minute and a half.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/postgres.ts'],
    setupFiles: process.env.REACH_FOLDER ? ['test/mutants/record-reach.ts'] : [],
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: process.env.REACH_FOLDER ? 90_000 : 20_000,
    expect: { poll: { timeout: process.env.REACH_FOLDER ? 45_000 : 8_000, interval: 10 } },
    maxWorkers: 2,
    watch: false,
  },
})
