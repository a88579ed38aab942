import { features } from '../../src/features/index.ts'
import { useFeatures } from '../../src/kernel/feature.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { useServices } from '../../src/lib/services/endpoints/tables.ts'
import type { Engine } from '../../src/lib/sql/database.ts'
import { type DatabaseOptions, openDatabase } from '../../src/lib/sql/open.ts'
import { packs } from './commands.ts'
import type { Fault } from './faults.ts'
import { liveOne } from './histories.ts'
import { createStage } from './stage.ts'
import { emptyTally, type Tally } from './tally.ts'

export type LiveMany = { engine: Engine; place: DatabaseOptions; many: number; seed: number; fault?: Fault }
export type Lived = { tally: Tally; violations: string[]; lived: number; ms: number }

/**
 * What is looked for until it is found runs few at a time: all that have begun are lived to their end. So does what waits for one
 * of ten connections, on a machine that may be busy.
 */
const atOnceOf = (engine: Engine, fault: Fault | undefined): number =>
  fault === undefined && engine === 'sqlite' ? 64 : 8

/** With a fault, until it is noticed. */
export const liveMany = async (
  { engine, place, many, seed, fault }: LiveMany,
  say: (line: string) => void,
): Promise<Lived> => {
  useServices(packs)
  useFeatures(features)
  const db = await openDatabase(place)
  let time = Date.now()
  const now = () => ++time
  await migrate(db, { now })
  const store = createStore(db, { now })
  const stage = createStage(store, now)
  const tally = emptyTally()
  const violations: string[] = []
  const startedAt = Date.now()
  let next = 0
  const work = async () => {
    while (next < many && !(fault !== undefined && violations.length > 0)) {
      const at = next++
      const found = await liveOne(stage, `h${at}`, seed + at, tally, fault)
      if (fault === undefined) for (const violation of found) say(`${engine}: ${violation}`)
      violations.push(...found)
      if (at > 0 && at % 5_000 === 0) {
        say(`${engine}: ${at} histories, ${tally.runs} changes ran, ${violations.length} violations`)
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnceOf(engine, fault) }, work))
  } finally {
    await store.close()
  }
  return { tally, violations, lived: next, ms: Date.now() - startedAt }
}
