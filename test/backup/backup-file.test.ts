import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { beforeAll, describe, expect, test } from 'vitest'
import { backUp } from '../../src/cli/backup/back-up.ts'
import { BackupError } from '../../src/cli/backup/backup-file.ts'
import { readPlace } from '../../src/cli/backup/place.ts'
import { readSummary, restoreDatabase } from '../../src/cli/backup/restore.ts'
import { openKey } from '../../src/cli/backup/sealed-key.ts'
import { openSnapshot, type Snapshot } from '../../src/cli/backup/snapshot.ts'
import { type Table, tablesAt } from '../../src/cli/backup/tables.ts'
import { keepKeys, keysIn, newKey } from '../../src/kernel/log/signer.ts'
import type { Engine } from '../../src/lib/sql/database.ts'
import { openDatabase } from '../../src/lib/sql/open.ts'
import { newFolder } from '../harness/bot-process.ts'
import { eachEngine, openTestDatabase } from '../harness/database.ts'
import { dataFolder } from '../harness/run-folders.ts'
import { whenDone } from '../harness/when-done.ts'
import { bellhop, newPlace } from './machine.ts'

const about = { version: '0.0.0', at: 1_700_000_000_000, sealFor: undefined }

/** A database of this engine with something in every kind of column. */
const filledPlace = async (engine: Engine) => {
  const database = await openTestDatabase(engine)
  whenDone(database.close)
  const { url, dataDir = newFolder() } = database
  await database.db.run('INSERT INTO deliveries (id, at) VALUES ($1, $2)', ['snow \u2028 ☃ "\n', 7])
  await database.db.run(
    `INSERT INTO changes (id, version, state, requester, intent, amount, expires_at, updated_at, doc)
     VALUES ('old', 1, 'applied', 'p', 'i', 0.1, 1, 9007199254740991, '{}')`,
  )
  await database.db.run(
    "INSERT INTO audit_log (id, at, kind, who, name, platform, command, noun, doc, leaf) VALUES ('e', 1, 'k', 'w', 'n', 'p', 'c', 'c', '{}', '')",
  )
  return readPlace({ DATA_DIR: dataDir, ...(url === undefined ? {} : { DATABASE_URL: url }) })
}

const rowsOf = async (snapshot: Snapshot, table: Table) => {
  const rows: unknown[][] = []
  for await (const page of snapshot.pages(table)) rows.push(...page)
  return rows
}

const rowsIn = async (place: ReturnType<typeof readPlace>) => {
  const snapshot = await openSnapshot(place.database)
  const all: Record<string, unknown[][]> = {}
  for (const table of tablesAt(snapshot.version)) {
    all[table.name] = (await rowsOf(snapshot, table)).toSorted()
  }
  await snapshot.close()
  return all
}

eachEngine('a backup', (engine) => {
  test.each(['sqlite', 'postgres'] as const)('holds every row, and %s takes it back', async (other) => {
    const place = await filledPlace(engine)
    const file = join(newFolder(), 'backup')
    const { sha256 } = await backUp(file, place, about)
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).toBe(sha256)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { env, close } = await newPlace(other)
    whenDone(close)
    const target = readPlace(env)
    const db = await openDatabase(target.database)
    const settle = async () => undefined
    await restoreDatabase(db, file, await readSummary(file), { now: () => 1, settle })
    const again = restoreDatabase(db, file, await readSummary(file), { now: () => 1, settle })
    await expect(again).rejects.toThrow('nothing is restored over it')
    await db.close()
    expect(await rowsIn(target)).toEqual(await rowsIn(place))
  })

  test('is of one moment, whatever is written while it is read', async () => {
    const place = await filledPlace(engine)
    const db = await openDatabase(place.database)
    whenDone(() => db.close())
    const snapshot = await openSnapshot(place.database)
    await db.run('DELETE FROM deliveries')
    await db.run("DELETE FROM changes WHERE id = 'old'")
    const [table] = tablesAt(snapshot.version).filter(({ name }) => name === 'changes')
    if (table === undefined) throw new Error('no table of changes')
    expect(await rowsOf(snapshot, table)).toHaveLength(1)
    await snapshot.close()
  })
})

describe('a file that is not what it should be', () => {
  let whole: string
  let file: string
  beforeAll(async () => {
    const folder = mkdtempSync(join(dataFolder(), 'bellhop-backup-'))
    whenDone(async () => rmSync(folder, { recursive: true, force: true }))
    file = join(folder, 'backup')
    await backUp(file, await filledPlace('sqlite'), about)
    whole = gunzipSync(readFileSync(file)).toString('utf8')
  })
  const spoilt = (bytes: Buffer) => {
    const other = join(newFolder(), 'spoilt')
    writeFileSync(other, bytes)
    return readSummary(other)
  }

  test.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'a changed row',
      (lines) => lines.map((line) => line.replace('"applied"', '"pending"')),
      /does not fit its digest/,
    ],
    ['a row less', (lines) => lines.filter((line) => !line.startsWith('["old"')), /does not fit its digest/],
    [
      'a table less',
      (lines) => lines.filter((line) => !line.startsWith('{"table":"cards"')),
      /does not fit its digest/,
    ],
    ['no end', (lines) => lines.slice(0, -2), /was cut/],
    ['half a line', (lines) => [...lines.slice(0, -3), '{"tab'], /was cut/],
    ['more behind its end', (lines) => [...lines.slice(0, -1), '[1]', ''], /goes on after its end/],
    ['a line that is none', (lines) => [lines[0] ?? '', 'x', ...lines.slice(1)], /cannot be read/],
    [
      'another format',
      (lines) => [(lines[0] ?? '').replace('"format":1', '"format":2'), ...lines.slice(1)],
      /newer Bellhop/,
    ],
    ['nothing', () => [], /no backup of Bellhop/],
  ])('%s', async (_, change, words) => {
    const reading = spoilt(gzipSync(change(whole.split('\n')).join('\n')))
    await expect(reading).rejects.toThrow(BackupError)
    await expect(reading).rejects.toThrow(words)
  })

  test('bytes that are cut or are something else', async () => {
    await expect(spoilt(readFileSync(file).subarray(0, 300))).rejects.toThrow(/was cut/)
    await expect(spoilt(Buffer.from('SQLite format 3'))).rejects.toThrow(/no backup of Bellhop/)
    await expect(readSummary('/nowhere/backup')).rejects.toThrow(/cannot be read/)
  })

  test('one that is there is not written over', async () => {
    await expect(backUp(file, await filledPlace('sqlite'), about)).rejects.toThrow('is there already')
    expect(readdirSync(join(file, '..'))).toEqual(['backup'])
  })
})

test('the key is encrypted to a recipient, and its identity alone opens it', async () => {
  const { folder, env } = await newPlace('sqlite')
  const identity = await generateX25519Identity()
  const identityFile = join(folder, 'identity.txt')
  writeFileSync(identityFile, `# made by a test\n${identity}\n`)
  const place = { ...(await filledPlace('sqlite')), logKey: { dataDir: env.DATA_DIR } }
  const recipient = await identityToRecipient(identity)
  const file = join(folder, 'backup')
  const sealing = backUp(file, place, { ...about, sealFor: { recipient } })
  await expect(sealing).rejects.toThrow('Say --without-key')
  const key = newKey()
  keepKeys(place.logKey, [key])
  await expect(backUp(file, place, { ...about, sealFor: { recipient: 'ssh-ed25519 AAAA' } })).rejects.toThrow(
    'no recipient of age',
  )
  await backUp(file, place, { ...about, sealFor: { recipient } })
  expect(gunzipSync(readFileSync(file)).toString()).not.toContain('PRIVATE KEY')
  const sealed = (await readSummary(file)).texts['audit-key.pem.age'] ?? ''
  const [opened] = keysIn(await openKey(sealed, { identityFile }))
  expect(opened?.equals(key)).toBe(true)
  writeFileSync(identityFile, await generateX25519Identity())
  await expect(openKey(sealed, { identityFile })).rejects.toThrow('another recipient')
})

test('the commands say what is missing, keep a bellhop.yml that is there, and put a drill on record', async () => {
  const { folder, env } = await newPlace('sqlite')
  const file = join(folder, 'backup')
  expect(await bellhop(env, 'backup', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('BACKUP_PASSPHRASE'),
  })
  expect(await bellhop(env, 'backup', file, '--without-key')).toMatchObject({
    code: 2,
    err: expect.stringContaining('There is no database'),
  })
  const { DATA_DIR } = env
  const started = await bellhop({ DATA_DIR }, 'say', 'bellhop status')
  expect(started.code).toBe(0)
  const secret = join(folder, 'passphrase')
  writeFileSync(secret, 'tested by a test\n', { mode: 0o600 })
  writeFileSync(env.BELLHOP_CONFIG, 'version: 1\n# the lost one\n')
  const made = await bellhop({ ...env, BACKUP_PASSPHRASE_FILE: secret }, 'backup', file, '--without-key')
  expect(made).toMatchObject({ code: 0, out: expect.stringContaining('is NOT in it') })

  const other = await newPlace('sqlite')
  writeFileSync(other.env.BELLHOP_CONFIG, 'version: 1\n# the new one\n')
  const restored = await bellhop(other.env, 'restore', file)
  expect(restored).toMatchObject({ code: 0, err: '', out: expect.stringContaining('was there and stays') })
  expect(readFileSync(other.env.BELLHOP_CONFIG, 'utf8')).toContain('the new one')
  expect(readFileSync(`${other.env.BELLHOP_CONFIG}.restored`, 'utf8')).toContain('the lost one')
  expect(existsSync(join(other.env.DATA_DIR, 'audit-key.pem'))).toBe(false)
  expect(await bellhop(other.env, 'restore', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('nothing is restored over it'),
  })

  expect(await bellhop(env, 'restore', file, '--drill')).toMatchObject({ code: 0, err: '' })
  const snapshot = await rowsIn(readPlace(env))
  expect(snapshot.audit_log?.filter((row) => row.includes('restore drilled'))).toHaveLength(1)
})
