import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest begin first, so that none of them runs alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/test\/(prove|docs|start|console\/page)\//.test(moduleId)
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** What leaves nothing behind: these files run one after the other in the same process and load the bot once. */
const tidy = [
  'approvals',
  'audit',
  'bulk',
  'command',
  'commands',
  'core',
  'intent',
  'model',
  'policy',
  'reference',
  'services',
  'storage',
  'things',
  'view',
].map((folder) => `test/${folder}/**/*.test.ts`)

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'tidy', include: tidy, isolate: false } },
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: tidy } },
    ],
    globalSetup: ['test/harness/postgres.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // What a test waits for comes soon; on a busy machine it may come late.
    expect: { poll: { timeout: 45_000, interval: 10 } },
    sequence: { sequencer: LongestFirst },
    // Three for two cores: much of a test's time is waiting for other processes.
    maxWorkers: '150%',
    coverage: {
      provider: 'v8',
      include: ['src/**', 'sandbox/**', 'adapters/**', 'commands/**'],
      reporter: ['text-summary', 'html'],
    },
  },
})
