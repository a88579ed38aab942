import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findChromiums } from './test/harness/chromium.ts'

/**
 * The files that take longest begin early, so that none of them runs alone at the end; between them come others, because most
 * of the long ones keep the processor busy and most of the others wait.
 */
class LongAmongShort extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) =>
      ['prove', 'console/page', 'jobs', 'start', 'cli', 'docs'].findIndex((folder) =>
        moduleId.includes(`/test/${folder}/`),
      )
    const long = sorted.filter((file) => rank(file) >= 0).sort((one, other) => rank(one) - rank(other))
    const short = sorted.filter((file) => rank(file) < 0)
    const between = Math.floor((0.8 * short.length) / Math.max(1, long.length))
    return [
      ...long.flatMap((file, at) => [file, ...short.slice(at * between, (at + 1) * between)]),
      ...short.slice(long.length * between),
    ]
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

const page = ['test/console/page/**/*.test.ts']

/** Every test of the page runs in the first browser. In the second, where there is one, run those that a browser's own ways can reach. */
const [, secondBrowser] = findChromiums()
const inSecond = ['browser', 'tour', 'appearance', 'sign-in'].map(
  (name) => `test/console/page/${name}.test.ts`,
)

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'tidy', include: tidy, isolate: false } },
      { extends: true, test: { name: 'page', include: page, isolate: false } },
      ...(secondBrowser === undefined
        ? []
        : [
            {
              extends: true as const,
              test: {
                name: 'second browser',
                include: inSecond,
                isolate: false,
                env: { CHROMIUM_PATH: secondBrowser },
              },
            },
          ]),
      { extends: true, test: { name: 'apart', include: ['test/**/*.test.ts'], exclude: [...tidy, ...page] } },
    ],
    globalSetup: ['test/harness/postgres.ts'],
    setupFiles: ['test/harness/own-services.ts'],
    testTimeout: 90_000,
    hookTimeout: 60_000,
    // What a test waits for comes soon; on a busy machine it may come late.
    expect: { poll: { timeout: 45_000, interval: 10 } },
    sequence: { sequencer: LongAmongShort },
    // Three for two cores: much of a test's time is waiting for other processes.
    maxWorkers: '150%',
    coverage: {
      provider: 'v8',
      include: ['src/**', 'packs/**', 'sandbox/**', 'adapters/**', 'commands/**'],
      reporter: ['text-summary', 'html'],
    },
  },
})
