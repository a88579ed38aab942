import { Worker } from 'node:worker_threads'
import type { Engine } from '../src/storage/database/database.ts'
import { type Fault, faults, type Tally } from './authority/histories.ts'
import { type Lived, type LiveMany, liveMany } from './authority/live-many.ts'
import { type Databases, openDatabases } from './databases.ts'
import type { Proof, ProveOptions } from './proof.ts'
import { createRandom, sampleOf } from './random.ts'

/** Random histories of people, roles, groups, votes and edits of the policy against a model of who may decide. */
export const proveAuthority = async ({
  sample,
  many = sample ? 40 : 100_000,
  seed,
  server,
  say,
}: ProveOptions): Promise<Proof> => {
  const startedAt = Date.now()
  const databases = await openDatabases({ server })
  // Each is noticed long before, and ends then.
  const mostPlanted = 20_000
  const allFaults = Object.keys(faults) as Fault[]
  const chosen = sample ? sampleOf(createRandom(seed), allFaults, 1) : allFaults
  const live = sample ? liveHere : liveApart
  try {
    const runs = await Promise.all(
      databases.engines.map(async (engine) => ({
        engine,
        ...(await live(databases, engine, { many, seed }, say)),
      })),
    )
    const planted: (Lived & { fault: Fault })[] = []
    for (const fault of chosen) {
      planted.push({ fault, ...(await live(databases, 'sqlite', { many: mostPlanted, seed, fault }, say)) })
    }
    return {
      title: 'Who decides',
      claim:
        'No change runs without every clause of its request and of the policy as it is then satisfied by people who may do so at that moment, each stage in its turn and nobody behind the request among them, nor goes by a link that one person alone has said or cut.',
      figures: [
        `${many.toLocaleString('en')} random histories per engine, seed ${seed}: requests, votes, copies of votes, edits of the file with a restart, moves between groups, accounts that no file lists, a home that is not known yet, links that services show and people say, stages, managers, people asked besides, requests that are changed, several decided at once, questions, and outages. Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
        'Asked by a command or by `api call`, which is judged by its own name, by the commands of its endpoint and by its noun.',
        ...planted.map(({ fault, lived, violations }) =>
          violations.length > 0
            ? `Planted fault "${fault}" (${faults[fault]}): noticed within ${lived} histories.`
            : `Planted fault "${fault}" (${faults[fault]}): not noticed.`,
        ),
      ],
      tables: [
        {
          head: ['engine', ...columns.map(([, head]) => head), 'ms a history'],
          rows: runs.map(({ engine, tally, ms, lived }) => [
            engine,
            ...columns.map(([key]) => tally[key].toLocaleString('en')),
            (ms / lived).toFixed(1),
          ]),
        },
      ],
      violations: [
        ...runs.flatMap(({ engine, violations }) => violations.map((each) => `${engine}: ${each}`)),
        ...planted.flatMap(({ fault, violations }) =>
          violations.length > 0 ? [] : `the planted fault "${fault}" went unnoticed`,
        ),
      ],
    }
  } finally {
    await databases.close()
  }
}

const columns = [
  ['asks', 'asked'],
  ['runs', 'ran'],
  ['calls', 'of them by api call'],
  ['outside', 'of a pack from outside'],
  ['again', 'asked again'],
  ['lapses', 'votes lapsed'],
  ['waits', 'waited for a messenger'],
  ['copies', 'votes delivered again'],
  ['settled', 'settled'],
  ['unlisted', 'not listed, so refused'],
  ['said', 'links said'],
  ['steered', 'ran by a link'],
  ['changed', 'changed'],
  ['staged', 'ran in stages'],
  ['managed', 'ran with a manager'],
  ['also', 'ran with somebody asked besides'],
  ['batches', 'decided several at once'],
  ['questions', 'asked back or answered'],
] as const satisfies (readonly [keyof Tally, string])[]

type Live = (
  databases: Databases,
  engine: Engine,
  wanted: { many: number; seed: number; fault?: Fault },
  say: ProveOptions['say'],
) => Promise<Lived>

const liveHere: Live = async (databases, engine, wanted, say) => {
  const { remove, ...place } = await databases.fresh(engine)
  try {
    return await liveMany({ engine, place, ...wanted }, say)
  } finally {
    await remove()
  }
}

/** In a thread of its own, so that the engines do not wait for each other. */
const liveApart: Live = async (databases, engine, wanted, say) => {
  const { remove, ...place } = await databases.fresh(engine)
  try {
    const thread = new Worker(new URL('./authority/thread.ts', import.meta.url), {
      workerData: { engine, place, ...wanted } satisfies LiveMany,
    })
    const { resolve, reject, promise } = Promise.withResolvers<Lived>()
    thread.on('message', (told: Lived | string) => (typeof told === 'string' ? say(told) : resolve(told)))
    thread.on('error', reject)
    return await promise
  } finally {
    await remove()
  }
}
