import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files
  }
}

/**
 * For runs with planted faults. The sources run as they are, so that what was reached has the offsets of the file, and in one
 * process that loads them once.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/harness/postgres.ts'],
    setupFiles: [
      'test/harness/own-services.ts',
      ...(process.env.REACH_FOLDER ? ['tools/mutants/record-reach.ts'] : []),
    ],
    ...(process.env.MUTANTS_NOTES ? { runner: './tools/mutants/runner.ts' } : {}),
    experimental: { viteModuleRunner: false, nodeLoader: false },
    resolveSnapshotPath: (path, extension) =>
      path.replace(/\.planted-\d+-\d+/, '').replace(/([^/]+)$/, `__snapshots__/$1${extension}`),
    testTimeout: 90_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000, interval: 10 } },
    sequence: { sequencer: AsGiven },
    isolate: false,
    // The tries of one process follow each other; what is reached is noted for each file by itself.
    maxWorkers: process.env.REACH_FOLDER ? availableParallelism() + 1 : 1,
    watch: false,
  },
})
