import { parseArgs } from 'node:util'
import { messengers } from '../../adapters/index.ts'
import { createLogMemory } from '../kernel/log/memory.ts'
import { sequenceAll } from '../kernel/log/sequencer.ts'
import { openSigner } from '../kernel/log/signer.ts'
import { verify } from '../kernel/log/verify.ts'
import { entryKinds, LogKeyError } from '../kernel/model/checkpoint.ts'
import { personNamed } from '../kernel/policy/people.ts'
import { ownCommand } from '../kernel/store/audit-tree.ts'
import { openUpToDate } from '../kernel/store/database/open-up-to-date.ts'
import { createStore } from '../kernel/store/store.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { wallTime } from '../lib/clock.ts'
import { DatabaseError } from '../lib/sql/database.ts'
import { rotateKey } from './audit/rotate.ts'
import { exitCodes } from './exit-codes.ts'
import { osAccount } from './os-account.ts'
import { ConfigError, readConfig } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'
import { loadCommands } from './start/load-commands.ts'

/** `npm run audit -- rotate | restored`: exit code 0, or 2 with a sentence about what to do. */
const usage = `What happens to the audit log as a whole, by whoever runs the bot. The bot may run meanwhile.

  ${toolLine('audit', 'rotate')} --as <person> --reason "<why>" [--without-old-key]
      gives the log another key. Of a key that Bellhop made in DATA_DIR the new one takes its place. In AUDIT_KEY or
      AUDIT_KEY_FILE, put the new key behind the old one first; the old one can go afterwards. The old key signs for the new
      one. If it is lost, say --without-old-key.

  ${toolLine('audit', 'restored')} --as <person> --reason "<why>"
      says that an older copy of the database was put in its place, or a new one: what was remembered of the log in this
      DATA_DIR goes on record, and the log as it is now is remembered instead. Say it once for every DATA_DIR.

Both are entries of the log, with the person, the reason and the account of this machine.`

try {
  console.log(await run())
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof DatabaseError || error instanceof LogKeyError))
    throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}

async function run(): Promise<string> {
  const { words, as, reason = '', help, withoutOldKey } = readArguments()
  if (help) return usage
  const act = { rotate, restored }[words.join(' ')]
  if (act === undefined) throw new ConfigError([`There is no "${words.join(' ')}" here.\n\n${usage}`])
  const registry = await loadCommands(messengers)
  const config = readConfig(ownEnvironment(), registry.all, messengers)
  const id = as === undefined ? undefined : personNamed(config.policy, as)
  const person = config.policy.people.find((one) => one.id === id)
  const missing = [
    ...(person === undefined ? ['Say who you are with --as: the id of a person in bellhop.yml.'] : []),
    ...(reason.trim().length < 8 ? ['Say why with --reason, in a few words: it is on record.'] : []),
  ]
  if (person === undefined || missing.length > 0) throw new ConfigError(missing)
  const db = await openUpToDate(config.database)
  const store = createStore(db, { now: wallTime })
  try {
    const by = { who: person.id, name: person.name, account: osAccount() }
    return await act({ config, store, by, reason: reason.trim(), withoutOldKey })
  } finally {
    await store.close()
  }
}

type Act = {
  config: ReturnType<typeof readConfig>
  store: ReturnType<typeof createStore>
  by: { who: string; name: string; account: string }
  reason: string
  withoutOldKey: boolean
}

async function rotate({ config, store, ...rotation }: Act): Promise<string> {
  const done = await rotateKey(config.logKey, store.auditTree, rotation)
  if ('problem' in done) throw new ConfigError([done.problem])
  return [
    `The log is signed by ${done.key} from now on, and that is on record.`,
    'Give this key to whoever checks receipts. Receipts of before are checked with the key of before.',
  ].join('\n')
}

async function restored({ config, store, by, reason }: Act): Promise<string> {
  const signer = await openSigner(config.logKey, store.auditTree)
  const folder = config.database.dataDir
  const memory = createLogMemory({ folder, store, signer, warn: (words) => console.error(words) })
  const known = memory.recall()
  if (known === undefined) throw new ConfigError([`Nothing is remembered of the log in ${folder}.`])
  const { origin } = await store.auditTree.state()
  const about = { key: signer.key(origin) }
  const own = await verify(store, about)
  if (!own.ok)
    throw new ConfigError([
      own.sentence,
      'That is not what a restore does to a log: nothing was put on record.',
    ])
  const compared = await verify(store, { ...about, remembered: known })
  if (compared.ok)
    throw new ConfigError(['The log continues what is remembered of it: there is nothing to put on record.'])
  const { account, ...person } = by
  const doc = { remembered: known.text, found: compared.sentence, reason, account }
  await store.audit.append({
    ...person,
    kind: entryKinds.restored,
    platform: 'terminal',
    command: ownCommand,
    changeId: null,
    doc,
  })
  await sequenceAll(store.auditTree, signer)
  const newest = await store.auditTree.checkpoint()
  if (newest !== undefined) memory.replace(newest.note)
  memory.forgetSteps()
  return `It is on record that ${known.size} entries of ${known.origin} were remembered here. From now on the log as it is now is.`
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        as: { type: 'string' },
        reason: { type: 'string' },
        'without-old-key': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    const { 'without-old-key': withoutOldKey, ...rest } = values
    return { words: positionals, withoutOldKey, ...rest }
  } catch (error) {
    throw new ConfigError([`${(error as Error).message}\n\n${usage}`])
  }
}
