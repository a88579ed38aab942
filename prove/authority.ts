import type { Engine } from '../src/storage/database/database.ts'
import { migrate } from '../src/storage/database/migrations.ts'
import { openDatabase } from '../src/storage/database/open.ts'
import { createStore } from '../src/storage/store.ts'
import { createStage, type Fault, liveOne, type Tally } from './authority/histories.ts'
import { type Databases, openDatabases } from './databases.ts'
import type { Proof, ProveOptions } from './proof.ts'

const atOnce = 32

/** Random histories of people, roles, groups, votes and edits of the policy against a model of who may decide. */
export const proveAuthority = async ({ sample, seed, say }: ProveOptions): Promise<Proof> => {
  const startedAt = Date.now()
  const databases = await openDatabases()
  const many = sample ? 250 : 100_000
  try {
    const runs: (Tally & { engine: Engine; violations: string[] })[] = []
    for (const engine of databases.engines) {
      runs.push({ engine, ...(await liveMany(databases, engine, { many, seed, say })) })
    }
    const plantedMany = sample ? 400 : 1_000
    const planted: Fault[] = ['old groups', 'foreign accounts']
    const caught = await Promise.all(
      planted.map(async (fault) => {
        const { violations } = await liveMany(databases, 'sqlite', { many: plantedMany, seed, say, fault })
        return { fault, times: violations.length }
      }),
    )
    return {
      title: 'Who decides',
      claim:
        'No change runs without every clause of its request and of the policy as it is then satisfied by people who may do so at that moment.',
      figures: [
        `${many.toLocaleString('en')} random histories per engine, seed ${seed}. Took ${Math.round((Date.now() - startedAt) / 1000)} s.`,
        ...caught.map(
          ({ fault, times }) =>
            `Planted fault "${fault}": noticed ${times} times in ${plantedMany} histories.`,
        ),
      ],
      tables: [
        {
          head: [
            'engine',
            'asked',
            'ran',
            'asked again',
            'votes lapsed',
            'waited for a messenger',
            'settled',
          ],
          rows: runs.map(({ engine, ...tally }) => [
            engine,
            ...[tally.asks, tally.runs, tally.again, tally.lapses, tally.waits, tally.settled].map((figure) =>
              figure.toLocaleString('en'),
            ),
          ]),
        },
      ],
      violations: [
        ...runs.flatMap(({ engine, violations }) => violations.map((each) => `${engine}: ${each}`)),
        ...caught.flatMap(({ fault, times }) =>
          times > 0 ? [] : `the planted fault "${fault}" went unnoticed`,
        ),
      ],
    }
  } finally {
    await databases.close()
  }
}

const liveMany = async (
  databases: Databases,
  engine: Engine,
  { many, seed, say, fault }: { many: number; fault?: Fault } & Pick<ProveOptions, 'seed' | 'say'>,
) => {
  const place = await databases.fresh(engine)
  const db = await openDatabase(place)
  await migrate(db, { now: Date.now })
  const store = createStore(db, { now: Date.now })
  const stage = createStage(store)
  const tally: Tally = { runs: 0, asks: 0, waits: 0, lapses: 0, again: 0, settled: 0 }
  const violations: string[] = []
  let next = 0
  const work = async () => {
    while (next < many) {
      const at = next++
      violations.push(...(await liveOne(stage, `h${at}`, seed + at, tally, fault)))
      if (at > 0 && at % 5_000 === 0) say(`${engine}: ${at} histories, ${tally.runs} changes ran`)
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, work))
  } finally {
    await store.close()
    await place.remove()
  }
  return { ...tally, violations }
}
