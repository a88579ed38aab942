import { catchEscapedErrors, type Fuzzed, type FuzzOptions } from './fuzz/findings.ts'
import type { Proof, ProveOptions } from './proof.ts'

const targets: (() => Promise<(options: FuzzOptions) => Promise<Fuzzed>>)[] = [
  async () => (await import('./fuzz/parser.ts')).fuzzParser,
  async () => (await import('./fuzz/sayings.ts')).fuzzSayings,
  async () => (await import('./fuzz/policy.ts')).fuzzPolicy,
  async () => (await import('./fuzz/service-answers.ts')).fuzzAnswers,
  async () => (await import('./fuzz/slack.ts')).fuzzSlack,
  async () => (await import('./fuzz/discord.ts')).fuzzDiscord,
  async () => (await import('./fuzz/mcp.ts')).fuzzMcp,
]

/** Hostile input at every entry point, the same for the same seed. */
export const proveFuzz = async ({ sample, seed, say }: ProveOptions): Promise<Proof> => {
  const startedAt = Date.now()
  const { result, escaped } = await catchEscapedErrors(async () => {
    const found: Fuzzed[] = []
    for (const load of targets) {
      const fuzz = await load()
      found.push(await fuzz({ cases: sample ? 700 : 100_000, seed }))
      const last = found.at(-1)
      say(`${last?.target}: ${last?.cases} cases, ${last?.violations.length} violations`)
    }
    return found
  })
  return {
    title: 'Fuzzing',
    claim: 'No input crashes the bot, leaves a promise unhandled, or brings a secret into the log.',
    figures: [
      `${result.length} targets, ${(sample ? 700 : 100_000).toLocaleString('en')} cases each. Seed ${seed}. Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
    ],
    tables: [
      {
        head: ['target', 'cases', 'what became of them'],
        rows: result.map(({ target, cases, outcomes }) => [
          target,
          cases.toLocaleString('en'),
          Object.entries(outcomes)
            .toSorted(([, one], [, other]) => other - one)
            .slice(0, 8)
            .map(([outcome, times]) => `${times} ${outcome}`)
            .join(', '),
        ]),
      },
    ],
    violations: [...result.flatMap(({ violations }) => violations), ...escaped],
  }
}
