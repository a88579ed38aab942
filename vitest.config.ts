import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/postgres.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // One per core: much of a test's time is waiting for other processes.
    maxWorkers: '100%',
    coverage: {
      provider: 'v8',
      include: ['src/**', 'adapters/**', 'commands/**'],
      reporter: ['text-summary', 'html'],
    },
  },
})
