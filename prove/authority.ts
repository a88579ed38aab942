import { Worker } from 'node:worker_threads'
import type { Engine } from '../src/lib/sql/database.ts'
import { type Fault, faults, rare } from './authority/faults.ts'
import { type Lived, type LiveMany, liveMany } from './authority/live-many.ts'
import { isNoticed, planted as plantedInSource } from './authority/planted.ts'
import { type Tally, tallied } from './authority/tally.ts'
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
  const maxPlanted = 20_000
  const allFaults = Object.keys(faults) as Fault[]
  const frequent = allFaults.filter((fault) => !rare.has(fault))
  const chosen = sample ? sampleOf(createRandom(seed), frequent, 1) : allFaults
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
      planted.push({ fault, ...(await live(databases, 'sqlite', { many: maxPlanted, seed, fault }, say)) })
    }
    const ofKinds: { one: (typeof plantedInSource)[number]; isSeen: boolean }[] = []
    for (const one of sample ? sampleOf(createRandom(seed), plantedInSource, 1) : plantedInSource)
      ofKinds.push({ one, isSeen: await isNoticed(one) })
    return {
      title: 'Who decides',
      claim:
        'No change runs without every clause of its request and of the policy as it is then satisfied by people who may do so at that moment, each stage in its turn and nobody behind the request among them, nor goes by a link that one person alone has said or cut.',
      figures: [
        `${many.toLocaleString('en')} random histories per engine, seed ${seed}: requests, votes, copies of votes, edits of the file with a restart, moves between groups, accounts that no file lists, a home that is not known yet, links that services show and people say, stages, managers, people asked besides, requests that are changed, several decided at once, questions, restores between any two steps, and outages. Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
        'Whatever comes in is read by the code of its adapter: a line, options, a form and a button of Slack, Discord and the console, and calls of agents. Asked by a command, also one of a pack from outside, or by `api call`, which is judged by its own name, by the commands of its endpoint and by its noun.',
        ...planted.map(({ fault, lived, violations }) =>
          violations.length > 0
            ? `Planted fault "${fault}" (${faults[fault]}): noticed within ${lived} histories.`
            : `Planted fault "${fault}" (${faults[fault]}): not noticed.`,
        ),
        ...ofKinds.map(
          ({ one: { kind, fault, test }, isSeen }) =>
            `Of another kind, ${kind}, the planted fault "${fault}": ${isSeen ? `noticed by \`${test}\`` : 'not noticed'}.`,
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
        ...ofKinds.flatMap(({ one, isSeen }) =>
          isSeen ? [] : `the planted fault "${one.fault}" went unnoticed`,
        ),
      ],
    }
  } finally {
    await databases.close()
  }
}

const columns = Object.entries(tallied) as [keyof Tally, string][]

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
