import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { messengers } from '../../adapters/index.ts'
import { keysIn } from '../kernel/log/signer.ts'
import { bellhop, entryBy } from '../kernel/model/audit-entry.ts'
import { entryKinds } from '../kernel/model/checkpoint.ts'
import type { Policy } from '../kernel/policy/policy.ts'
import { ownCommand } from '../kernel/store/audit-tree.ts'
import { openUpToDate } from '../kernel/store/database/open-up-to-date.ts'
import { createStore } from '../kernel/store/store.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { wallTime } from '../lib/clock.ts'
import { DatabaseError } from '../lib/sql/database.ts'
import { openDatabase } from '../lib/sql/open.ts'
import { BackupError } from './backup/backup-file.ts'
import { compareRestored } from './backup/compare.ts'
import { readPlace } from './backup/place.ts'
import { putFiles } from './backup/put-files.ts'
import { reportOf } from './backup/report.ts'
import { type BackupSummary, readSummary, refuseUnlessEmpty, restoreDatabase } from './backup/restore.ts'
import { openKey } from './backup/sealed-key.ts'
import { type Settled, settleRestored } from './backup/settle.ts'
import { exitCodes } from './exit-codes.ts'
import { osAccount } from './os-account.ts'
import { ConfigError, loadFile } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'
import { loadCommands, loadFeatures } from './start/load-commands.ts'

const usage = `${toolLine('restore', '<file>')} [--identity <file> | --without-key] [--drill]

Puts a backup back into an empty place: the database of DATABASE_URL or DATA_DIR, which no Bellhop has used, with the key of
the audit log in DATA_DIR and bellhop.yml beside. A bellhop.yml that is there stays, and the other becomes
bellhop.yml.restored. What was open is ended, everything is frozen, and the log is compared with its witnesses.

  BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE   opens the key in the backup
  --identity <file>                           opens it where it was encrypted to a recipient of age
  --without-key                               leaves the key in the backup alone
  --drill                                     tries all that out in a folder that is gone afterwards, and puts it on record`

/** `bellhop restore <file>`: exit code 0; 2 with a sentence about what to do; 4 where the log is not as it was written. */
try {
  const { words, isWhole } = await run()
  console.log(words)
  if (!isWhole) process.exitCode = exitCodes.failed
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError || error instanceof BackupError))
    throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}

async function run(): Promise<{ words: string; isWhole: boolean }> {
  const { file, help, drill, identity, withoutKey } = readArguments()
  if (help) return { words: usage, isWhole: true }
  if (file === undefined) throw new ConfigError([`Name the backup. ${usage}`])
  const own = readPlace(ownEnvironment())
  await loadFeatures(messengers)
  const summary = await readSummary(file)
  const sha256 = await digestOf(file)
  const sealed = summary.texts['audit-key.pem.age']
  const pem =
    sealed === undefined || withoutKey ? undefined : await unsealed(sealed, own.passphrase, identity)
  const folder = drill ? mkdtempSync(join(tmpdir(), 'bellhop-drill-')) : undefined
  const place =
    folder === undefined ? own : readPlace({ DATA_DIR: folder, BELLHOP_CONFIG: join(folder, 'bellhop.yml') })
  try {
    const db = await openDatabase(place.database)
    try {
      await refuseUnlessEmpty(db)
      const put = putFiles(place, summary.texts, pem)
      let settled: Settled = { voided: [], applying: [], jobs: [], emergencies: [], ended: [] }
      const now = wallTime
      await restoreDatabase(db, file, summary, {
        now,
        settle: async (store) => {
          const about = { now, backupAt: summary.head.at, account: osAccount(), sha256 }
          settled = await settleRestored(store, about)
        },
      })
      const store = createStore(db, { now })
      const { dataDir } = place.database
      const policy = await policyOf(summary)
      const compared = await compareRestored(store, { logKey: place.logKey, dataDir, policy })
      const words = reportOf({ summary, sha256, put, settled, compared, place, isDrill: drill })
      const isWhole = compared.own.ok && (compared.outside.ok || compared.outside.fault === 'cut')
      if (drill && isWhole) await noteDrill(own.database, summary, sha256)
      return { words, isWhole }
    } finally {
      await db.close()
    }
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

async function unsealed(sealed: string, passphrase: string | undefined, identity: string | undefined) {
  if (passphrase === undefined && identity === undefined)
    throw new ConfigError([
      'The key of the audit log is in this backup, encrypted. Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, or name the identity with --identity <file>; or leave it there with --without-key. Nothing was restored.',
    ])
  const pem = await openKey(sealed, { passphrase, identityFile: identity })
  keysIn(pem)
  return pem
}

/** The policy of the backup, for the witnesses that it names; one that does not hold today names none. */
async function policyOf({ texts }: BackupSummary): Promise<Policy | undefined> {
  const text = texts['bellhop.yml']
  if (text === undefined) return undefined
  try {
    const registry = await loadCommands(messengers)
    const loaded = loadFile(text, { file: 'bellhop.yml', commands: registry.all, messengers })
    return loaded.ok ? loaded.policy : undefined
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

/** In the log of the bot that the backup is of, where there is one: doctor looks for it. */
async function noteDrill(
  database: { url?: string; dataDir: string },
  { head }: BackupSummary,
  sha256: string,
) {
  const db = await openUpToDate(database)
  try {
    const actor = { ...bellhop, account: osAccount() }
    const doc = { backupAt: head.at, sha256 }
    await createStore(db, { now: wallTime }).audit.append(
      entryBy(actor, entryKinds.drilled, { command: ownCommand }, doc),
    )
  } finally {
    await db.close()
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        identity: { type: 'string' },
        'without-key': { type: 'boolean', default: false },
        drill: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const [file, surplus] = positionals
    if (surplus !== undefined) throw new ConfigError([`One file is enough: what is "${surplus}"? ${usage}`])
    const { identity, help, drill, 'without-key': withoutKey } = values
    return { file, help, drill, identity, withoutKey }
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError([`${(error as Error).message}. ${usage}`])
  }
}
