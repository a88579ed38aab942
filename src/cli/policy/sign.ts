import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import { isSignedBy, readSshKey, signaturesIn } from '../../model/ssh-signature.ts'
import { sealFileOf, sealIn, sealPurpose, signersOf } from '../../policy/file/seal.ts'
import { openDatabase } from '../../storage/database/open.ts'
import { createStore } from '../../storage/store.ts'
import { toolLine } from '../../tool-words.ts'
import type { PolicyTool } from './explain.ts'

const usage = {
  sign: toolLine('policy', 'sign bellhop.yml --key ~/.ssh/id_ed25519'),
  seal: toolLine('policy', 'seal [bellhop.yml]'),
}

/** Adds a signature to the seal of a file; `ssh-keygen` makes it, so that keys on hardware and in agents work. */
export const signFile = async (args: readonly string[], tool: PolicyTool): Promise<number> => {
  const at = args.findIndex((arg) => arg === '--key' || arg.startsWith('--key='))
  const given = args[at] ?? ''
  const key = given === '--key' ? args[at + 1] : given.slice('--key='.length)
  const [file, surplus] = at === -1 ? [] : args.toSpliced(at, given === '--key' ? 2 : 1)
  if (key === undefined || key === '' || file === undefined || surplus !== undefined)
    throw new ConfigError([`Say which file, and with which key: ${usage.sign}`])
  const { text } = tool.policy(file).source
  const made = spawnSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', sealPurpose, '-f', key], {
    input: text,
    stdio: ['pipe', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  // One that ended before it had read everything is an error, too, but it was started.
  if (made.pid === 0)
    throw new ConfigError([`ssh-keygen cannot be started (${made.error?.message}). It comes with OpenSSH.`])
  if (made.status !== 0 || signaturesIn(made.stdout).length !== 1)
    throw new ConfigError([`ssh-keygen did not sign with ${key}.`])
  const before = existsSync(sealFileOf(file)) ? readFileSync(sealFileOf(file), 'utf8') : ''
  writeFileSync(sealFileOf(file), [...stillGood(before, text), made.stdout.trim(), ''].join('\n'))
  return checkSeal([file], tool)
}

/** Without the signatures of an earlier text. */
const stillGood = (signatures: string, text: string): string[] =>
  [...signatures.matchAll(/-----BEGIN SSH SIGNATURE-----[^-]*-----END SSH SIGNATURE-----/g)].flatMap(
    ([armoured]) => {
      const [one] = signaturesIn(armoured)
      const key = one === undefined ? undefined : readSshKey(lineOf(one.key))
      return one !== undefined && key !== undefined && isSignedBy(key, one, Buffer.from(text), sealPurpose)
        ? [armoured]
        : []
    },
  )

const lineOf = (blob: Buffer): string =>
  `${blob.subarray(4, 4 + blob.readUInt32BE()).toString('latin1')} ${blob.toString('base64')}`

/** Exit code 0 if the file could come into force, 1 if signatures are missing. */
export const checkSeal = async (args: readonly string[], tool: PolicyTool): Promise<number> => {
  const [file, surplus] = args
  if (surplus !== undefined) throw new ConfigError([`Say which file: ${usage.seal}`])
  const { source } = tool.policy(file)
  const inForce = await textInForce(tool)
  const by = (inForce === undefined ? null : sealIn(inForce)) ?? sealIn(source.text)
  if (by === null) {
    console.log(`${source.from} has no seal, and the policy in force asks for none.`)
    return 0
  }
  const signers = signersOf(by, source.text, source.signatures)
  const whose = inForce !== undefined && sealIn(inForce) !== null ? 'the policy in force' : 'this file itself'
  console.log(`${source.from}: ${signers.length} of ${by.count} signatures, by the keys of ${whose}.`)
  for (const { name } of by.keys) console.log(`  ${signers.includes(name) ? 'signed  ' : 'missing '} ${name}`)
  return signers.length >= by.count ? 0 : 1
}

/** What the database of this machine's environment says, if there is one that can be read; nothing is made for it. */
const textInForce = async (tool: PolicyTool): Promise<string | undefined> => {
  const database = databaseOf(tool)
  if (database === undefined) return undefined
  if (database.url === undefined && !existsSync(join(database.dataDir, 'bellhop.sqlite'))) return undefined
  const db = await openDatabase(database)
  try {
    const { policies } = createStore(db, { now: Date.now })
    const newest = await policies.newest()
    return newest === undefined ? undefined : await policies.text(newest.digest)
  } finally {
    await db.close()
  }
}

const databaseOf = ({ config }: PolicyTool): Config['database'] | undefined => {
  try {
    return config().database
  } catch (error) {
    if (error instanceof ConfigError) return error.readable.database
    throw error
  }
}
