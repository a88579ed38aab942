import { DatabaseSync } from 'node:sqlite'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { databaseFileIn } from '../../../src/lib/sql/open.ts'
import { openTestDatabase } from '../../harness/database.ts'
import { whenDone } from '../../harness/when-done.ts'

/** https://sqlite.org/rescode.html: each primary code there is, and those that say that the file cannot be used now. */
const primary = Array.from({ length: 28 }, (_, at) => at + 1)
const unusable = {
  SQLITE_BUSY: 5,
  SQLITE_LOCKED: 6,
  SQLITE_NOMEM: 7,
  SQLITE_READONLY: 8,
  SQLITE_IOERR: 10,
  SQLITE_CORRUPT: 11,
  SQLITE_FULL: 13,
  SQLITE_CANTOPEN: 14,
  SQLITE_PROTOCOL: 15,
  SQLITE_NOLFS: 22,
  SQLITE_AUTH: 23,
  SQLITE_NOTADB: 26,
}

const openFile = async () => {
  const test = await openTestDatabase('sqlite')
  whenDone(test.close)
  return test
}

it('each error of SQLite is told from wrong SQL where the file cannot be used, with and without more said', async () => {
  const { db } = await openFile()
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  whenDone(() => prepare.mockRestore())
  const kindOf = async (error: unknown) => {
    prepare.mockImplementation(() => {
      throw error
    })
    const { kind, cause } = await db.tx((inner) => inner.run('SELECT')).then(() => ({}), Object)
    expect(cause).toBe(error)
    return kind
  }
  const withCode = (more: object) => Object.assign(new Error('no'), more)
  for (const code of primary)
    for (const errcode of [code, code | (3 << 8)])
      expect([errcode, await kindOf(withCode({ errcode }))]).toEqual([
        errcode,
        code === unusable.SQLITE_FULL ? 'full' : Object.values(unusable).includes(code) ? 'down' : 'failed',
      ])
  expect(await kindOf(new Error('no'))).toBe('failed')
  expect(await kindOf(withCode({ errcode: '5' }))).toBe('failed')
  expect(await kindOf(withCode({ code: 'ERR_INVALID_ARG_TYPE' }))).toBe('failed')
  expect(await kindOf(withCode({ code: 'ERR_INVALID_STATE' }))).toBe('down')
})

it('a file is opened so that a commit need not wait for the disk, rows refer to rows, and nobody is waited for blindly', async () => {
  const { db } = await openFile()
  const row = z.record(z.string(), z.unknown())
  const settings = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout']
  const found = await Promise.all(settings.map((name) => db.all(row, `PRAGMA ${name}`)))
  expect(found.flat().map((one) => Object.values(one)[0])).toEqual(['wal', 1, 1, 5])
})

it('wrong SQL is not tried again, whatever the time', async () => {
  const { db } = await openFile()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  whenDone(() => clock.mockRestore())
  await expect(db.run('DELETE FROM nowhere')).rejects.toMatchObject({ kind: 'failed' })
})

const lockedFile = async () => {
  const test = await openFile()
  const other = new DatabaseSync(databaseFileIn(test.dataDir ?? ''))
  whenDone(() => other.close())
  other.exec('BEGIN IMMEDIATE')
  const write = () => test.db.run("INSERT INTO deliveries (id, at) VALUES ('d', 1)")
  return { write, unlock: () => other.isTransaction && other.exec('ROLLBACK') }
}

it('a file that another process has locked is waited for until five seconds are over, and no longer', async () => {
  const { write, unlock } = await lockedFile()
  let time = 0
  let atTheEnd = () => {}
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
  // Drawn before each further try.
  const chance = vi.spyOn(Math, 'random').mockImplementation(() => {
    if (time < 5_000) time = 5_000
    else atTheEnd()
    return 0
  })
  whenDone(() => [clock, chance].map((spy) => spy.mockRestore()))
  atTheEnd = () => {
    time = 5_000.1
  }
  await expect(write()).rejects.toMatchObject({ kind: 'down' })
  time = 0
  atTheEnd = unlock
  expect(await write()).toBe(1)
})
