import { parseArgs } from 'node:util'
import { messengers } from '../../adapters/index.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { wallTime } from '../lib/clock.ts'
import { DatabaseError } from '../lib/sql/database.ts'
import { plural } from '../lib/view/button-labels.ts'
import { backUp } from './backup/back-up.ts'
import { BackupError } from './backup/backup-file.ts'
import { readPlace } from './backup/place.ts'
import type { SealFor } from './backup/sealed-key.ts'
import { exitCodes } from './exit-codes.ts'
import { ConfigError } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'
import { loadFeatures } from './start/load-commands.ts'
import { version } from './start/runtime.ts'

const usage = `${toolLine('backup', '<file>')} [--recipient age1... | --without-key]

Writes the database, the key of the audit log, bellhop.yml and packs.lock into one file, as they are in this moment. The bot
may run meanwhile. The environment is the bot's own.

  BACKUP_PASSPHRASE, BACKUP_PASSPHRASE_FILE   the passphrase that the key is encrypted to
  --recipient age1...                         encrypts it to a recipient of age instead
  --without-key                               leaves it out: keep it elsewhere, a restore needs it`

/** `bellhop backup <file>`: exit code 0, or 2 with a sentence about what to do. */
try {
  console.log(await run())
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError || error instanceof BackupError))
    throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}

async function run(): Promise<string> {
  const { file, help, recipient, withoutKey } = readArguments()
  if (help) return usage
  if (file === undefined) throw new ConfigError([`Name the file to write. ${usage}`])
  const place = readPlace(ownEnvironment())
  const sealFor = sealForOf(recipient, withoutKey, place.passphrase)
  await loadFeatures(messengers)
  const { counts, sha256, hasPolicy, leftOut } = await backUp(file, place, {
    version,
    at: wallTime(),
    sealFor,
  })
  const rows = (table: string): number => counts.get(table) ?? 0
  return [
    `${file}: ${plural(rows('changes'), 'change')}, ${plural(rows('audit_log'), 'entry', 'entries')} of the audit log, and everything else in the database.`,
    `sha256 ${sha256}: keep it apart from the file, and compare it before a restore.`,
    sealFor === undefined
      ? 'The key of the audit log is NOT in it. Keep it elsewhere: without it a restored bot starts only when a new key is put on record.'
      : `The key of the audit log is in it, encrypted to ${'recipient' in sealFor ? sealFor.recipient : 'the passphrase, which is not'}.`,
    ...(leftOut.length === 0
      ? []
      : [
          `NOT in it are the tables ${leftOut.join(', ')}, of features that bellhop.yml does not name or that cannot be loaded.`,
        ]),
    ...(hasPolicy ? [] : [`There is no ${place.policyFile}, so none is in it.`]),
    `The rest is not encrypted: keep the file where only those can read it who may read the database. Try it out: ${toolLine('restore', `${file} --drill`)}`,
  ].join('\n')
}

function sealForOf(
  recipient: string | undefined,
  withoutKey: boolean,
  passphrase: string | undefined,
): SealFor | undefined {
  if (withoutKey && recipient !== undefined)
    throw new ConfigError(['--recipient and --without-key exclude each other: say one.'])
  if (withoutKey) return undefined
  if (recipient !== undefined) return { recipient }
  if (passphrase !== undefined) return { passphrase }
  throw new ConfigError([
    'Say what the key of the audit log is encrypted to: BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, or --recipient age1...; or leave it out with --without-key. Nothing was written.',
  ])
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        recipient: { type: 'string' },
        'without-key': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const [file, surplus] = positionals
    if (surplus !== undefined) throw new ConfigError([`One file is enough: what is "${surplus}"? ${usage}`])
    return { file, help: values.help, recipient: values.recipient, withoutKey: values['without-key'] }
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError([`${(error as Error).message}. ${usage}`])
  }
}
