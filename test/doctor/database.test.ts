import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkDatabase } from '../../src/cli/doctor/database.ts'
import { newestVersion } from '../../src/kernel/store/database/migrations.ts'
import { defined } from '../../src/lib/defined.ts'
import { eachEngine, openTestDatabase, type TestDatabase } from '../harness/database.ts'

const newest = newestVersion

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const check = ({ url, dataDir = '' }: TestDatabase) => checkDatabase({ dataDir, ...defined({ url }) })

eachEngine('the doctor', (engine) => {
  const open = async (options?: { empty: boolean }) => {
    const database = await openTestDatabase(engine, options)
    onTestFinished(database.close)
    return database
  }

  test('finds a database in use up to date and writable, and leaves nothing in it', async () => {
    const database = await open()
    expect(await check(database)).toEqual([
      { ok: true, about: 'database', words: expect.stringContaining(`at version ${newest}: up to date`) },
      { ok: true, about: 'database', words: 'can be written to.' },
    ])
    await expect(database.db.run('SELECT id FROM bellhop_doctor')).rejects.toThrow()
  })

  test('says that the next start will bring an empty database up to date', async () => {
    const [version, written] = await check(await open({ empty: true }))
    expect(version).toMatchObject({
      ok: true,
      words: expect.stringContaining(`brings it to version ${newest}`),
    })
    expect(written?.ok).toBe(true)
  })

  test('refuses a database from a newer version', async () => {
    const database = await open()
    await database.db.run('INSERT INTO migrations (id, name, at) VALUES (999, $1, 0)', ['later'])
    const [version] = await check(database)
    expect(version).toMatchObject({ ok: false, words: expect.stringContaining('Start a newer Bellhop.') })
  })
})

test('a data folder that is not there yet is not made', async () => {
  const dataDir = join(newFolder(), 'deep', 'data')
  expect(await checkDatabase({ dataDir })).toEqual([
    { ok: true, about: 'database', words: `embedded; the first start makes it in ${dataDir}.` },
  ])
  expect(existsSync(dataDir)).toBe(false)
})

test('a data folder under a file is told', async () => {
  const file = join(newFolder(), 'file')
  writeFileSync(file, '')
  const [found] = await checkDatabase({ dataDir: join(file, 'data') })
  expect(found).toMatchObject({ ok: false, words: expect.stringContaining('DATA_DIR') })
})

test('a file that is no database is told, and left as it is', async () => {
  const dataDir = newFolder()
  writeFileSync(join(dataDir, 'bellhop.sqlite'), 'this is a letter and not a database'.repeat(99))
  const [found] = await checkDatabase({ dataDir })
  expect(found).toMatchObject({ ok: false, words: expect.stringContaining('Put a backup in its place') })
  expect(readdirSync(dataDir)).toEqual(['bellhop.sqlite'])
})

test('a server that does not answer is told with the reason and without the password', async () => {
  const url = 'postgres://bellhop:hush-secret@127.0.0.1:9/bellhop'
  const [found] = await checkDatabase({ url, dataDir: '' })
  expect(found).toMatchObject({ ok: false, words: expect.stringMatching(/ECONNREFUSED.*DATABASE_URL/) })
  expect(found?.words).not.toContain('hush-secret')
})
