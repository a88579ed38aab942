import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { findChromiums } from './test/harness/chromium.ts'

/**
 * What takes longest begins early, so that nothing of it runs alone at the end; between it come the others, because most of the
 * long ones wait for processes that they started. The second browser comes first of all: a process is handed from one file to
 * the next of the same project only while they follow each other.
 */
class LongAmongShort extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSecond = ({ project }: TestSpecification) => project.name === 'second browser'
    const rank = ({ moduleId }: TestSpecification) =>
      ['prove', 'docs/adding', 'start', 'cli', 'jobs', 'console/page', 'gate', 'mcp'].findIndex((place) =>
        moduleId.includes(`/test/${place}`),
      )
    const others = sorted.filter((file) => !isSecond(file))
    const long = others.filter((file) => rank(file) >= 0).sort((one, other) => rank(one) - rank(other))
    const short = others.filter((file) => rank(file) < 0)
    const between = Math.floor((0.8 * short.length) / Math.max(1, long.length))
    return [
      ...sorted.filter(isSecond),
      ...long.flatMap((file, at) => [file, ...short.slice(at * between, (at + 1) * between)]),
      ...short.slice(long.length * between),
    ]
  }
}

/** Every test of the page runs in the first browser. In the second, where there is one, run those that a browser's own ways can reach. */
const [, secondBrowser] = findChromiums()
const inSecond = ['browser', 'sign-in'].map((name) => `test/console/page/${name}.test.ts`)

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'all', include: ['{test,examples}/**/*.test.ts'] } },
      ...(secondBrowser === undefined
        ? []
        : [
            {
              extends: true as const,
              test: { name: 'second browser', include: inSecond, env: { CHROMIUM_PATH: secondBrowser } },
            },
          ]),
    ],
    // Files run one after the other in the same few processes, which load the bot once each.
    isolate: false,
    // The sources run as they are, as in the bot: Node reads them once and keeps what it compiled for the next process.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // What a test makes is seldom needed after it: with more room for it there is less to sort out.
    execArgv: ['--max-semi-space-size=32'],
    setupFiles: ['test/harness/each-file.ts', 'test/harness/own-services.ts'],
    globalSetup: ['test/harness/postgres.ts'],
    // Only for what would never end. What a test waits for comes soon; on a busy machine it may come late.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 180_000, interval: 10 } },
    sequence: { sequencer: LongAmongShort },
    // Seven for two cores: much of a test's time is waiting for other processes.
    maxWorkers: 3 * availableParallelism() + 1,
    coverage: {
      provider: 'v8',
      include: ['src/**', 'packs/**', 'sandbox/**', 'adapters/**', 'commands/**'],
      reporter: ['text-summary', 'html'],
    },
  },
})
