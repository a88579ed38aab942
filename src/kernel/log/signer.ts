import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { handoverText, isSameKey, keyNamed, readKey } from '../../../verify.mjs'
import { closeToOthers, makeOwnFolder, ownFileMode } from '../../lib/private-files.ts'
import { LogKeyError, type LogSigner } from '../model/checkpoint.ts'
import type { AuditTree } from '../store/audit-tree.ts'
import { toolLine } from '../tool-words.ts'

/**
 * Where the private key of the log is kept: given as text or in a file by whoever runs the bot, or in a file beside the
 * data that the first start makes. Each may hold several keys, one after the other; the log says which of them signs.
 */
export type KeySource = { given?: string; file?: string; dataDir: string }

/** The file that a first start makes. */
const ownFile = ({ dataDir }: KeySource): string => join(dataDir, 'audit-key.pem')

/** What a person calls it. */
export const nameOfSource = (source: KeySource): string =>
  source.given !== undefined
    ? 'AUDIT_KEY'
    : source.file !== undefined
      ? `AUDIT_KEY_FILE (${source.file})`
      : ownFile(source)

/** The keys in a text of PEM blocks. A line break may be written as \n, as in a variable of one line. */
export const keysIn = (text: string): KeyObject[] => {
  const blocks = text.replaceAll('\\n', '\n').matchAll(/-----BEGIN ([A-Z ]+)-----([^-]+)-----END \1-----/g)
  const keys = [...blocks].map(([, kind, body = '']) =>
    createPrivateKey(`-----BEGIN ${kind}-----\n${body.replaceAll(/\s/g, '')}\n-----END ${kind}-----\n`),
  )
  if (keys.length === 0) throw new TypeError('there is no key in PEM form')
  if (keys.some(({ asymmetricKeyType }) => asymmetricKeyType !== 'ed25519'))
    throw new TypeError('the key of the log must be Ed25519')
  return keys
}

/** The keys at hand now; none where the file is not there. */
export const keysAt = (source: KeySource): KeyObject[] => {
  if (source.given !== undefined) return keysIn(source.given)
  if (source.file === undefined) closeToOthers(ownFile(source))
  try {
    return keysIn(readFileSync(source.file ?? ownFile(source), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/**
 * The signer of this log. The first start of all puts its key on record, and makes one if it was given none. After that
 * the log has its key: a process without it is refused, unless it only looks something up.
 */
export const openSigner = async (
  source: KeySource,
  auditTree: Pick<AuditTree, 'state' | 'sequence' | 'changeKey'>,
  { mustSign = true }: { mustSign?: boolean } = {},
): Promise<LogSigner> => {
  const { key } = await auditTree.state()
  const isMade = key === '' && source.given === undefined && source.file === undefined && makeKey(source)
  const signer = signerOf(() => keysAt(source))
  try {
    await auditTree.sequence(signer)
  } catch (error) {
    if (!(error instanceof LogKeyError)) throw error
    // Another process was first, with a key of its own.
    if (isMade) rmSync(ownFile(source), { force: true })
    if (mustSign) throw new LogKeyError(error.key, refusedStart(error.key, source, signer))
  }
  if (mustSign) await recordName(signer, auditTree)
  return signer
}

/**
 * Older versions had the key on record under another name than that of the log. That it is the same key, which signs under
 * the name of the log from here on, is put on record once, signed by it: whoever was given the old line follows it by that.
 */
const recordName = async (
  signer: LogSigner,
  auditTree: Pick<AuditTree, 'state' | 'sequence' | 'changeKey'>,
): Promise<void> => {
  const { key: from, origin } = await auditTree.state()
  const key = signer.key(origin)
  if (key === undefined || key === from || !isSameKey(key, from)) return
  const doc = {
    key,
    from,
    signature: signer.seal(handoverText(origin, { from, key })),
    reason: 'It is the same key, which signs under the name of the log from here on.',
  }
  await auditTree.changeKey(
    from,
    key,
    { who: 'bellhop', name: 'Bellhop', platform: 'bellhop', doc },
    () => undefined,
  )
  await auditTree.sequence(signer)
}

const refusedStart = (key: string, source: KeySource, signer: LogSigner): string => {
  const own = signer.key(readKey(key)?.name ?? '')
  return [
    `The audit log in this database is signed by the key ${key}, and`,
    own === undefined ? `there is none in ${nameOfSource(source)}.` : `${nameOfSource(source)} holds ${own}.`,
    'Nothing was started. Give this process the key of the log: all replicas share one, by AUDIT_KEY, AUDIT_KEY_FILE or one DATA_DIR;',
    'after a restore it is audit-key.pem of the backup. Where the log is to have another key, or the key is lost, put that on record:',
    `${toolLine('audit', 'rotate --help')}.`,
  ].join(' ')
}

/** False when there is one already, be it made in the same moment. */
const makeKey = (source: KeySource): boolean => {
  const file = ownFile(source)
  const part = `${file}.${randomUUID()}`
  makeOwnFolder(resolve(source.dataDir))
  writeFileSync(part, pemOf(newKey()), { mode: ownFileMode })
  try {
    // Under its name only when all of it is there.
    linkSync(part, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(part)
  }
}

/** Puts these keys into the file beside the data, in the place of what it held. */
export const keepKeys = (source: KeySource, keys: readonly KeyObject[]): void => {
  const file = ownFile(source)
  makeOwnFolder(resolve(dirname(file)))
  const part = `${file}.${randomUUID()}`
  writeFileSync(part, keys.map(pemOf).join(''), { mode: ownFileMode, flush: true })
  renameSync(part, file)
}

export const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey

export const pemOf = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString()

/** The kind of key, and the public half. */
export const publicBytesOf = (key: KeyObject): Buffer =>
  Buffer.concat([Buffer.of(1), createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)])

export const isKey = (key: KeyObject, onRecord: string): boolean =>
  readKey(onRecord)?.bytes.equals(publicBytesOf(key)) ?? false

/** What a key says about the one that follows it. */
export const signHandover = (
  old: KeyObject,
  origin: string,
  handover: { from: string; key: string },
): string => sign(null, Buffer.from(handoverText(origin, handover)), old).toString('base64')

/** Signs with the key that the log asks for, and looks again where keys are kept when it asks for another. */
export const signerOf = (load: () => KeyObject[]): LogSigner => {
  let held = load()
  // The newest stands last.
  let current = held.at(-1)
  let followed = ''
  const find = (key: string): boolean => {
    const found = held.find((one) => isKey(one, key))
    if (found === undefined) return false
    current = found
    followed = key
    return true
  }
  const signed = (text: string): Buffer => {
    if (current === undefined) throw new LogKeyError(followed)
    return sign(null, Buffer.from(text), current)
  }
  /** Worked out once for each key and name: a checkpoint is signed many times a minute. */
  let named: { by: KeyObject; origin: string; key: string; id: string } | undefined
  const namedIn = (origin: string): { key: string; id: string } | undefined => {
    if (current === undefined) return undefined
    if (named?.by !== current || named.origin !== origin) {
      const known = keyNamed(origin, publicBytesOf(current))
      named = { by: current, origin, key: known, id: readKey(known)?.id ?? '' }
    }
    return named
  }
  const key = (origin: string): string | undefined => namedIn(origin)?.key
  const idAs = (name: string): string | undefined =>
    current && readKey(keyNamed(name, publicBytesOf(current)))?.id
  return {
    key,
    follow: (wanted) => {
      if (wanted === followed || find(wanted)) return true
      try {
        held = load()
      } catch {
        // What was read at the start still holds.
      }
      return find(wanted)
    },
    checkpoint: ({ origin, size, root, formerly = [] }) => {
      const text = `${origin}\n${size}\n${root.toString('base64')}\n`
      const signature = signed(text)
      const lineAs = (name: string, id = ''): string =>
        `\u2014 ${name} ${Buffer.concat([Buffer.from(id, 'hex'), signature]).toString('base64')}\n`
      const before = formerly.map((name) => lineAs(name, idAs(name)))
      return `${text}\n${lineAs(origin, namedIn(origin)?.id)}${before.join('')}`
    },
    seal: (text) => signed(text).toString('base64'),
  }
}

/** For a log that nobody keeps. */
export const newSigner = (): LogSigner => {
  const key = newKey()
  return signerOf(() => [key])
}
