import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/postgres.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // What a test waits for comes soon; on a busy machine it may come late.
    expect: { poll: { timeout: 45_000, interval: 10 } },
    // One per core: much of a test's time is waiting for other processes.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**', 'sandbox/**', 'adapters/**', 'commands/**'],
      reporter: ['text-summary', 'html'],
    },
  },
})
