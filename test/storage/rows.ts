import { z } from 'zod'
import type { Party } from '../../src/kernel/model/change.ts'
import type { Store } from '../../src/kernel/store/store.ts'
import type { Database } from '../../src/lib/sql/database.ts'

const database = (db: Database): Database => db

/** Writes a row into a table of a feature, for tests that import none. */
export const addRow = async (
  store: Pick<Store, 'of'>,
  table: string,
  row: Record<string, string | number | null>,
): Promise<void> => {
  const places = Object.keys(row).map((_, at) => `$${at + 1}`)
  await store
    .of(database)
    .run(`INSERT INTO ${table} (${Object.keys(row)}) VALUES (${places})`, Object.values(row))
}

/** What a column of a table of a feature holds. */
export const textsIn = async (store: Pick<Store, 'of'>, table: string, column: string): Promise<string[]> =>
  (await store.of(database).all(shown, `SELECT ${column} AS shown FROM ${table}`)).map((row) => row.shown)
const shown = z.object({ shown: z.string() })

export const emptyTable = (store: Pick<Store, 'of'>, table: string): Promise<unknown> =>
  store.of(database).run(`DELETE FROM ${table}`)

/** A look-up that repeats, whose time does not come. */
export const addSchedule = (
  store: Pick<Store, 'of'>,
  { id, by, line }: { id: string; by: Party; line: string },
): Promise<void> =>
  addRow(store, 'schedules', {
    ...{ id, person: by.person, party: JSON.stringify(by), line, every: '1d', zone: 'UTC' },
    ...{ channel: null, at: 0, next_at: 9e12 },
  })
