import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { Environment } from '../../kernel/messenger/definition.ts'
import { formatProblems } from '../../kernel/policy/file/load.ts'
import {
  followedBy,
  following,
  sealFileOf,
  sealIn,
  sealPurpose,
  signersOf,
  whyNotNext,
} from '../../kernel/policy/file/seal.ts'
import { readSource } from '../../kernel/policy/file/source.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { textDigestOf } from '../../lib/codecs/canonical-json.ts'
import { isSignedBy, readSshKey, signaturesIn } from '../../lib/codecs/ssh-signature.ts'
import { ConfigError, databaseIn, policyFileOf, readText } from '../start/config.ts'
import { withPolicies } from '../start/sealed-start.ts'

const usage = {
  sign: toolLine('policy', 'sign bellhop.yml --key ~/.ssh/id_ed25519'),
  seal: toolLine('policy', 'seal [bellhop.yml]'),
}

/** Adds a signature to the seal of a file; `ssh-keygen` makes it, so that keys on hardware and in agents work. */
export const signFile = async (args: readonly string[], env: Environment): Promise<number> => {
  const at = args.findIndex((arg) => arg === '--key' || arg.startsWith('--key='))
  const given = args[at] ?? ''
  const key = given === '--key' ? args[at + 1] : given.slice('--key='.length)
  const [file, surplus] = at === -1 ? [] : args.toSpliced(at, given === '--key' ? 2 : 1)
  if (key === undefined || key === '' || file === undefined || surplus !== undefined)
    throw new ConfigError([`Say which file, and with which key: ${usage.sign}`])
  const text = await followingInForce(file, textOf(file), env)
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
  const before = readText(sealFileOf(file)) ?? ''
  writeFileSync(sealFileOf(file), [...stillGood(before, text), made.stdout.trim(), ''].join('\n'))
  return checkSeal([file], env)
}

const textOf = (file: string): string => {
  const text = readText(file)
  if (text === undefined)
    throw new ConfigError([`${file} cannot be read. Name the policy file: ${usage.sign}`])
  const problems = formatProblems(file, readSource(text).problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return text
}

/** The text as it is to be signed: after a sealed version, it says that it follows that one. */
const followingInForce = async (file: string, text: string, env: Environment): Promise<string> => {
  const inForce = await textInForce(env)
  if (inForce === undefined || inForce === text || sealIn(inForce) === null) return text
  const digest = textDigestOf(inForce)
  if (followedBy(text) === digest) return text
  const next = following(text, digest)
  if (followedBy(next) !== digest)
    throw new ConfigError([`Write follows: "${digest}" into ${file}, and sign it then.`])
  writeFileSync(file, next)
  console.log(`${file} says now that it follows ${digest}, which is in force.`)
  return next
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
export const checkSeal = async (args: readonly string[], env: Environment): Promise<number> => {
  const [file = policyFileOf(env), surplus] = args
  if (surplus !== undefined) throw new ConfigError([`Say which file: ${usage.seal}`])
  const text = textOf(file)
  const inForce = await textInForce(env)
  const asked = inForce === undefined ? null : sealIn(inForce)
  const by = asked ?? sealIn(text)
  if (by === null) {
    console.log(`${file} has no seal, and the policy in force asks for none.`)
    return 0
  }
  const signers = signersOf(by, text, readText(sealFileOf(file)) ?? '')
  const whose = asked === null ? 'this file itself' : 'the policy in force'
  console.log(`${file}: ${signers.length} of ${by.count} signatures, by the keys of ${whose}.`)
  for (const { name } of by.keys) console.log(`  ${signers.includes(name) ? 'signed  ' : 'missing '} ${name}`)
  const isNext = asked === null || inForce === undefined || inForce === text
  const why = isNext ? undefined : whyNotNext(text, file, textDigestOf(inForce))
  if (why !== undefined) console.log(why)
  return signers.length >= by.count && why === undefined ? 0 : 1
}

/** What the database of this environment says, if there is one; nothing is made for it. */
const textInForce = (env: Environment): Promise<string | undefined> =>
  withPolicies(databaseIn(env), undefined, async (policies) => {
    const newest = await policies.newest()
    return newest === undefined ? undefined : policies.text(newest.digest)
  })
