import { createCommands } from '../commands/index.ts'
import type { Engine } from '../src/lib/sql/database.ts'
import { type CrashCase, crashCases, settlingCommand } from './crash/cases.ts'
import { crashPacks } from './crash/packs.ts'
import { type CaseResult, type KillPoint, killPoints, runCrashCase } from './crash/run-case.ts'
import { runTalkCase, type TalkPoint, talkPoints } from './crash/talk-case.ts'
import { openDatabases, type Place } from './databases.ts'
import type { Proof, ProveOptions } from './proof.ts'
import { createRandom, sampleOf } from './random.ts'

const allPoints = Object.keys(killPoints) as KillPoint[]
const talks = Object.keys(talkPoints) as TalkPoint[]
const columns = [...Object.values(killPoints), ...Object.values(talkPoints)]
const atOnce = 8

type Run = { engine: Engine; one: CrashCase; words: string; live(place: Place): Promise<CaseResult> }

/** What the tests run: on each store a refund, be it one that is settled later, or a voucher or a mail of a pack from outside, that dies around its request, a life of any change, and one that is talked about. */
const sampled = (runs: Run[], seed: number): Run[] => {
  const random = createRandom(seed)
  const around = (['claimed', 'sent', 'answered'] as const).map((point) => killPoints[point].words)
  const money = Object.values(
    Object.groupBy(
      runs.filter(
        ({ one, words }) =>
          ['refund', 'ticket voucher', 'resend send-email', settlingCommand].includes(one.command) &&
          around.includes(words),
      ),
      ({ engine }) => engine,
    ),
  ).flatMap((some) => sampleOf(random, some ?? [], 1))
  const isTalk = ({ words }: Run) => talks.some((point) => talkPoints[point].words === words)
  const others = runs.filter((run) => !money.includes(run) && !isTalk(run))
  return [...money, ...sampleOf(random, others, 1), ...sampleOf(random, runs.filter(isTalk), 1)]
}

/** Every change command, killed at every step of its life, on both stores. */
export const proveCrash = async ({ sample, seed, server, say }: ProveOptions): Promise<Proof> => {
  const startedAt = Date.now()
  const databases = await openDatabases({ server })
  const cases = crashCases(createCommands(crashPacks))
  const refund = cases.find(({ command }) => command === 'refund') as CrashCase
  const all: Run[] = databases.engines.flatMap((engine) => [
    ...cases.flatMap((one) =>
      allPoints
        .filter((point) => point !== 'sent' || one.hasRequest)
        .map((point) => ({
          engine,
          one,
          words: killPoints[point].words,
          live: (place: Place) => runCrashCase(one, point, place),
        })),
    ),
    // What people say before they decide is the same for every change.
    ...talks.map((point) => ({
      engine,
      one: refund,
      words: talkPoints[point].words,
      live: (place: Place) => runTalkCase(point, place),
    })),
  ])
  const runs = sample ? sampled(all, seed) : all
  const results = new Map<string, CaseResult>()
  let done = 0
  let planted: string[] = []
  const work = async (): Promise<void> => {
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      const { engine, one, words, live } = run
      const result = await live(await databases.fresh(engine)).catch(
        (error: Error): CaseResult => ({ outcome: 'broken', violations: [String(error.stack)], orphans: 0 }),
      )
      results.set(keyOf(engine, one, words), result)
      if (++done % 50 === 0) say(`${done} lives lived`)
    }
  }
  try {
    const forgetful = runCrashCase(refund, 'asked', await databases.fresh('sqlite'), { isForgetful: true })
    await Promise.all([forgetful, ...Array.from({ length: atOnce }, work)])
    planted = (await forgetful).violations
  } finally {
    await databases.close()
  }
  const orphans = [...results.values()].reduce((sum, result) => sum + result.orphans, 0)
  return {
    title: 'Crash points',
    claim:
      'A process that is killed at any step applies nothing twice, forgets nothing that was approved, and says what cannot be known.',
    figures: [
      `${done} lives: ${new Set([...results.keys()].map((key) => key.split('\t')[1])).size} changes, killed with SIGKILL at each step, started again and brought to their end, on ${databases.engines.join(' and ')}.`,
      'After each restart every delivery came again, three times at once: no second request, no second change, no vote lost.',
      'A refund that its service accepts and settles later is accepted after the restart where the others are done, is asked after, and is done when the service says so.',
      'After each: requests counted on the wire, the state, every copy of the card, the audit chain.',
      'A command that needs a file is long work in chunks, which test/features/jobs/crash.test.ts kills by itself; policy reload, which needs another file, has test/start/reload.test.ts.',
      `${orphans} copies of cards were posted in the instant of a kill, before their address was stored. A button was pressed on each: it became a known copy and settled with the others.`,
      `A planted fault, a process that takes every copy of a delivery for the first: ${planted.length === 0 ? 'NOT CAUGHT' : `caught (${planted[0]})`}.`,
      `Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
    ],
    tables: databases.engines.map((engine) => ({
      caption: `Killed at (columns), state after the restart, on ${engine}. "ok" is the state and the count of requests that the first row demands.`,
      head: ['change', ...columns.map(({ words }) => words)],
      rows: [
        ['the law', ...columns.map(({ state, requests }) => `${state}, ${requests} sent`)],
        ...cases
          .filter((one) => columns.some(({ words }) => results.has(keyOf(engine, one, words))))
          .map((one) => [
            one.command,
            ...columns.map(({ words }) => cellOf(results.get(keyOf(engine, one, words)))),
          ]),
      ],
    })),
    violations: [
      ...[...results].flatMap(([key, { violations }]) =>
        violations.map((violation) => `${key.replaceAll('\t', ', ')}: ${violation}`),
      ),
      ...(planted.length === 0 ? ['the planted fault was not caught'] : []),
    ],
  }
}

const keyOf = (engine: Engine, { command }: CrashCase, words: string): string =>
  `${engine}\t${command}\t${words}`

const cellOf = (result: CaseResult | undefined): string => {
  if (result === undefined) return '-'
  return result.violations.length === 0 ? 'ok' : `VIOLATED (${result.outcome})`
}
