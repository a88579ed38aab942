import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { backUp } from '../../src/cli/backup/back-up.ts'
import { readPlace } from '../../src/cli/backup/place.ts'
import { readSummary, restoreDatabase } from '../../src/cli/backup/restore.ts'
import { features } from '../../src/features/index.ts'
import { defineFeature, type Feature, useFeatures } from '../../src/kernel/feature.ts'
import { migrate } from '../../src/kernel/store/database/migrate.ts'
import { allMigrations } from '../../src/kernel/store/database/migrations.ts'
import type { Repository } from '../../src/kernel/store/store.ts'
import { createStore } from '../../src/kernel/store/store.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { newFolder } from '../harness/bot-process.ts'
import { eachEngine, openTestDatabase } from '../harness/database.ts'
import { whenDone } from '../harness/when-done.ts'

const now = () => 5_000
const first = { id: 'pets/1', sql: ['CREATE TABLE pets (name TEXT PRIMARY KEY)'] } as const
const second = { id: 'pets/2', sql: ['ALTER TABLE pets ADD COLUMN age BIGINT'] } as const
const pets = (...tables: NonNullable<Feature['tables']>) => defineFeature({ name: 'pets', tables })
const namesOf: Repository<() => Promise<string[]>> = (db) => async () =>
  (await db.all(z.object({ name: z.string() }), 'SELECT name FROM pets')).map(({ name }) => name)

const withFeature = (feature: Feature) => {
  whenDone(() => useFeatures(features))
  useFeatures([...features, feature])
}

test('the features that come with the bot fill the numbers up: one migration after the other', () => {
  expect(allMigrations().map(({ id }) => id)).toEqual(allMigrations().map((_, at) => at + 1))
  expect(allMigrations().filter(({ name }) => name === '')).toEqual([])
})

test.each([
  ['another number', { id: 21, sql: [] }],
  ['the name of another', { id: 'cats/1', sql: [] }],
  ['a later count', { id: 'pets/2', sql: [] }],
] as const)('tables with %s are a fault of the feature', (_, tables) => {
  expect(() => withFeature(pets(tables))).toThrow(
    `the tables ${tables.id} of the feature pets are called pets/1`,
  )
})

eachEngine('the tables of a feature', (engine) => {
  test('are made once, whoever comes first, and those of its next version behind them', async () => {
    const { db, url, dataDir, close } = await openTestDatabase(engine)
    whenDone(close)
    withFeature(pets(first))
    const others = await Promise.all([1, 2, 3].map(() => openDatabase({ url, dataDir })))
    for (const other of others) whenDone(() => other.close())
    expect((await Promise.all(others.map((one) => migrate(one, { now })))).flat()).toEqual(['pets/1'])
    await db.run("INSERT INTO pets (name) VALUES ('rex')")
    withFeature(pets(first, second))
    expect([await migrate(db, { now }), await migrate(db, { now })]).toEqual([['pets/2'], []])
    expect(await createStore(db, { now }).of(namesOf)()).toEqual(['rex'])
  })

  test('stay when the feature goes, and are there when it comes back', async () => {
    const { db, close } = await openTestDatabase(engine)
    whenDone(close)
    withFeature(pets(first))
    await migrate(db, { now })
    await db.run("INSERT INTO pets (name) VALUES ('rex')")
    useFeatures(features)
    expect(await migrate(db, { now })).toEqual([])
    withFeature(pets(first))
    expect(await migrate(db, { now })).toEqual([])
    expect(await createStore(db, { now }).of(namesOf)()).toEqual(['rex'])
  })

  test('that cannot be made leave nothing behind', async () => {
    const { db, close } = await openTestDatabase(engine)
    whenDone(close)
    withFeature(pets({ ...first, sql: [...first.sql, 'CREATE NONSENSE'] }))
    await expect(migrate(db, { now })).rejects.toMatchObject({ kind: 'failed' })
    withFeature(pets(first))
    expect(await migrate(db, { now })).toEqual(['pets/1'])
  })

  test('are in a backup, and come back where the feature is; one that is not known is named', async () => {
    const { db, url, dataDir, close } = await openTestDatabase(engine)
    whenDone(close)
    withFeature(pets(first))
    await migrate(db, { now })
    await db.run("INSERT INTO pets (name) VALUES ('rex')")
    const folder = newFolder()
    const place = readPlace({
      ...{ DATA_DIR: dataDir ?? folder, BELLHOP_CONFIG: join(folder, 'bellhop.yml') },
      ...(url === undefined ? {} : { DATABASE_URL: url }),
    })
    const about = { version: '1', at: 5_000, sealFor: undefined }
    const [file, without] = [join(folder, 'with'), join(folder, 'without')]
    expect(await backUp(file, place, about)).toMatchObject({
      head: { features: expect.arrayContaining(['pets/1']) },
      leftOut: [],
    })
    useFeatures(features)
    expect(await backUp(without, place, about)).toMatchObject({
      head: { features: expect.not.arrayContaining(['pets/1']) },
      leftOut: ['pets/1'],
    })
    await expect(readSummary(file)).rejects.toThrow(
      'tables of features that this Bellhop does not have: pets/1. Put',
    )
    withFeature(pets(first, second))
    const other = await openTestDatabase(engine, { empty: true })
    whenDone(other.close)
    await restoreDatabase(other.db, file, await readSummary(file), { now, settle: async () => undefined })
    expect(await other.db.all(z.unknown(), 'SELECT name, age FROM pets')).toEqual([
      { name: 'rex', age: null },
    ])
    expect(await migrate(other.db, { now })).toEqual([])
  })
})
