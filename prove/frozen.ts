import type { Engine } from '../src/lib/sql/database.ts'
import type { StopPoint } from './crash/child.ts'
import { openDatabases } from './databases.ts'
import { runFrozenCase, type Standstill, standstillsOf } from './frozen/run-case.ts'
import type { Proof, ProveOptions } from './proof.ts'
import { createRandom, sampleOf } from './random.ts'

const atOnce = 6
const standstills: Standstill[] = ['short', 'long', 'long, settled', 'long, asked again']

type Run = { engine: Engine; point: StopPoint; standstill: Standstill }

/** What the tests run: one that is given up around its request, and one that only hesitates. */
const sampled = (runs: Run[], seed: number): Run[] => {
  const random = createRandom(seed)
  const kinds = [
    ({ point, standstill }: Run) =>
      ['claimed', 'renewed', 'answered'].includes(point) && standstill !== 'short',
    ({ standstill }: Run) => standstill === 'short',
  ]
  return kinds.flatMap((isKind) => sampleOf(random, runs.filter(isKind), 1))
}

/** A refund whose process stands still at every step, shortly and until it is given up, on both stores. */
export const proveFrozen = async ({ sample, seed, server, say }: ProveOptions): Promise<Proof> => {
  const startedAt = Date.now()
  const databases = await openDatabases({ server })
  const { engines } = databases
  const all = engines.flatMap((engine) =>
    stopPoints.flatMap((point) => standstillsOf(point).map((standstill) => ({ engine, point, standstill }))),
  )
  const runs = sample ? sampled(all, seed) : all
  const results = new Map<string, string[]>()
  const queue = [...runs]
  const work = async (): Promise<void> => {
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
      const violations = await runFrozenCase(run, await databases.fresh(run.engine)).catch((error: Error) => [
        String(error.stack),
      ])
      results.set(keyOf(run), violations)
      say(`${keyOf(run)}: ${violations.length === 0 ? 'ok' : violations.join('; ')}`)
    }
  }
  let planted: string[]
  try {
    const unfenced = runFrozenCase(
      { point: 'claimed', standstill: 'long, settled', isUnfenced: true },
      await databases.fresh('sqlite'),
    )
    await Promise.all([unfenced, ...Array.from({ length: atOnce }, work)])
    planted = await unfenced
  } finally {
    await databases.close()
  }
  return {
    title: 'Frozen processes',
    claim:
      'A process that was given up sends nothing when it wakes; what it learned late is told, and contradicting somebody it is an alarm.',
    figures: [
      `${runs.length} refunds: one process stopped with SIGSTOP at each step, for a second or until the other one gave it up, and woken with SIGCONT, on ${engines.join(' and ')}.`,
      'Meanwhile somebody looked, found nothing and said that it did not happen; and somebody asked for the same refund again, which was approved.',
      'After each: requests counted on the wire, the state, what the cards say and who was told.',
      `A planted fault, a process that sends without asking whether its claim is still its own: ${planted.length === 0 ? 'NOT CAUGHT' : `caught (${planted[0]})`}.`,
      `Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
    ],
    tables: engines.map((engine) => ({
      caption: `Stopped at (rows) and for how long, on ${engine}. An answer that was received before the stop cannot be unsent: there the alarm is demanded.`,
      head: ['stopped at', ...standstills],
      rows: stopPoints.map((point) => [
        words[point],
        ...standstills.map((standstill) => cellOf(results.get(keyOf({ engine, point, standstill })))),
      ]),
    })),
    violations: [
      ...[...results].flatMap(([key, violations]) => violations.map((violation) => `${key}: ${violation}`)),
      ...(planted.length === 0 ? ['the planted fault was not caught'] : []),
    ],
  }
}

const words: Record<StopPoint, string> = {
  asked: 'request stored',
  voted: 'vote stored',
  claimed: 'claimed',
  renewed: 'right to send renewed',
  answered: 'answer received',
  stored: 'outcome stored',
}

const stopPoints = Object.keys(words) as StopPoint[]

const keyOf = ({
  engine,
  point,
  standstill,
}: {
  engine: Engine
  point: StopPoint
  standstill: Standstill
}): string => `${engine}, ${words[point]}, ${standstill}`

const cellOf = (violations: string[] | undefined): string => {
  if (violations === undefined) return '-'
  return violations.length === 0 ? 'ok' : 'VIOLATED'
}
