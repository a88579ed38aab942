#!/usr/bin/env node
// Checks receipts of Bellhop offline: `node verify.mjs <receipt.html, audit-pack.zip or its folder> --key <public key>`. One
// file, no dependencies, Node 18 or newer. The key is what `bellhop status` shows, as the owner of the log told you.
//
// It ends with 0 when everything is proved by your key; 1 when something is not as it was written; 2 when it was not asked
// rightly; 5 without --key, when nobody has said whose key it is; 6 when it is signed by a key that yours has handed over
// to; 7 when it is signed by a key that yours knows nothing of.
//
// The log is a Merkle tree as in RFC 6962; its checkpoints are signed notes as in C2SP (tlog-checkpoint, signed-note).
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * @typedef {{ origin: string, size: number, root: Buffer, text: string, signatures: { name: string, keyId: string, signature: Buffer }[] }} OpenNote
 * @typedef {{ leaf: string, seq: number, index: number, proof: string[] }} ProvedEntry
 * @typedef {{ key: string, checkpoint: string, entries: ProvedEntry[], keys?: ProvedEntry[], enrolments?: ProvedEntry[] }} ReceiptData
 * @typedef {{ key: string, enrolled: string, person: string, digest: string, purpose: string, nonce: string, origin: string, rpId: string, authenticatorData: string, clientDataJSON: string, signature: string }} PasskeySignature
 * @typedef {{ seq: number, at: number, kind: string, who: string, name: string, changeId: string | null, doc: { digest?: string, signed?: PasskeySignature, plan?: unknown, clauses?: { kind?: string, count?: number, sign?: string, stage?: number }[] } }} LogEntry
 * @typedef {{ key: string, from: string, signature?: string | undefined }} Handover a key, the one before it, and what that one signed about it
 * @typedef {'yours' | 'handed over' | 'unknown' | 'not compared'} Whose what the key that was given has to do with the one that signed
 * @typedef {{ ok: true, whose: Whose, about: string, size: number, origin: string, key: string, entries: LogEntry[], enrolments: LogEntry[], changes: KeyChange[] } | { ok: false, problem: string }} ReceiptVerdict
 * @typedef {{ seq: number, at: number, name: string, doc: Handover & { reason?: string } }} KeyChange
 */

/** @param {string | Buffer} leaf */
export const hashLeaf = (leaf) => sha256(Buffer.of(0), Buffer.from(leaf))

/** @param {Buffer} left @param {Buffer} right */
const hashNode = (left, right) => sha256(Buffer.of(1), left, right)

/** @param {Buffer[]} parts */
const sha256 = (...parts) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Where a tree of so many leaves is split: the largest power of two below it. @param {number} size */
const splitOf = (size) => {
  let split = 1
  while (split * 2 < size) split *= 2
  return split
}

/**
 * RFC 6962, 2.1.1: the root that a leaf and its path make; undefined where the path is not as long as it must be.
 * @param {Buffer} leafHash @param {number} index @param {number} size @param {readonly Buffer[]} path @returns {Buffer | undefined}
 */
const rootBy = (leafHash, index, size, path) => {
  const [beside, rest] = [path.at(-1), path.slice(0, -1)]
  if (size === 1) return beside === undefined ? leafHash : undefined
  if (beside === undefined) return undefined
  const split = splitOf(size)
  const isLeft = index < split
  const inner = isLeft
    ? rootBy(leafHash, index, split, rest)
    : rootBy(leafHash, index - split, size - split, rest)
  return inner && (isLeft ? hashNode(inner, beside) : hashNode(beside, inner))
}

/**
 * Whether the leaf stands at this index of the tree with this root.
 * @param {{ leafHash: Buffer, index: number, size: number, proof: readonly Buffer[], root: Buffer }} claim
 */
export const isIncluded = ({ leafHash, index, size, proof, root }) =>
  Number.isSafeInteger(index) &&
  index >= 0 &&
  index < size &&
  rootBy(leafHash, index, size, proof)?.equals(root) === true

/**
 * RFC 6962, 2.1.2: the roots of the first leaves and of all of them that a proof makes. A whole tree that the larger one
 * begins with is not in the proof, as its root is known.
 * @param {number} first @param {number} size @param {readonly Buffer[]} proof @param {Buffer | undefined} known
 * @returns {[Buffer, Buffer] | undefined}
 */
const rootsBy = (first, size, proof, known) => {
  const [beside, rest] = [proof.at(-1), proof.slice(0, -1)]
  if (first === size) {
    const root = known ?? beside
    return root === undefined || proof.length !== (known === undefined ? 1 : 0) ? undefined : [root, root]
  }
  if (beside === undefined) return undefined
  const split = splitOf(size)
  const isLeft = first <= split
  const inner = isLeft
    ? rootsBy(first, split, rest, known)
    : rootsBy(first - split, size - split, rest, undefined)
  if (inner === undefined) return undefined
  const [before, after] = inner
  return isLeft ? [before, hashNode(after, beside)] : [hashNode(beside, before), hashNode(beside, after)]
}

/**
 * Whether the larger tree begins with the smaller one.
 * @param {{ first: number, second: number, firstRoot: Buffer, secondRoot: Buffer, proof: readonly Buffer[] }} claim
 */
export const isConsistent = ({ first, second, firstRoot, secondRoot, proof }) => {
  const [before, after] = rootsBy(first, second, proof, firstRoot) ?? []
  return before?.equals(firstRoot) === true && after?.equals(secondRoot) === true
}

/** A signed note with a checkpoint in it, read. @param {string} note @returns {OpenNote | undefined} */
export const openNote = (note) => {
  const end = note.indexOf('\n\n')
  if (!note.endsWith('\n')) return undefined
  const text = note.slice(0, end + 1)
  const [origin = '', size = '', root = ''] = text.split('\n')
  if (origin === '' || !/^(0|[1-9]\d{0,15})$/.test(size) || Buffer.from(root, 'base64').length !== 32)
    return undefined
  const signatures = note
    .slice(end + 2, -1)
    .split('\n')
    .map((line) => /^\u2014 (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line))
    .flatMap((found) => {
      if (found === null) return []
      const bytes = Buffer.from(found[2] ?? '', 'base64')
      return [
        { name: found[1] ?? '', keyId: bytes.subarray(0, 4).toString('hex'), signature: bytes.subarray(4) },
      ]
    })
  return { origin, size: Number(size), root: Buffer.from(root, 'base64'), text, signatures }
}

/** The name and the bare key in a verifier key, `name+id+base64`. @param {string} key */
export const readKey = (key) => {
  const [, name, id, material] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(key.trim()) ?? []
  const bytes = Buffer.from(material ?? '', 'base64')
  if (name === undefined || bytes.length !== 33 || bytes[0] !== 1 || keyIdOf(name, bytes) !== id)
    return undefined
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), bytes.subarray(1)])
  return { name, id, bytes, publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** Whether two verifier keys are one key, whatever its name. @param {string} one @param {string} other */
export const isSameKey = (one, other) => {
  const [first, second] = [readKey(one), readKey(other)]
  return first !== undefined && second !== undefined && first.bytes.equals(second.bytes)
}

/** The verifier key of this key under a name. @param {string} name @param {Buffer} bytes the kind of key, 1 for Ed25519, and the key */
export const keyNamed = (name, bytes) => `${name}+${keyIdOf(name, bytes)}+${bytes.toString('base64')}`

/** What a key signs to hand the log over to the next one. @param {string} origin @param {Handover} handover */
export const handoverText = (origin, { from, key }) =>
  `bellhop: the log has a new key\n${origin}\n${from}\n${key}\n`

/** Whether the key of before has signed it. @param {string} origin @param {Handover} handover */
export const isHandedOver = (origin, handover) => {
  const known = readKey(handover.from)
  if (known === undefined || handover.signature === undefined) return false
  const signature = Buffer.from(handover.signature, 'base64')
  return verifySignature(null, Buffer.from(handoverText(origin, handover)), known.publicKey, signature)
}

/** @param {string} name @param {Buffer} bytes */
const keyIdOf = (name, bytes) =>
  sha256(Buffer.from(`${name}\n`), bytes)
    .subarray(0, 4)
    .toString('hex')

/**
 * Whether one of the note's signatures is by this key. A log signs under its origin, and under another name before it did
 * so; it is the same key.
 * @param {OpenNote} note @param {string} key
 */
export const isSignedBy = (note, key) => {
  const known = readKey(key)
  if (known === undefined) return false
  return note.signatures.some(
    ({ name, keyId, signature }) =>
      (name === known.name || name === note.origin) &&
      keyId === keyIdOf(name, known.bytes) &&
      verifySignature(null, Buffer.from(note.text), known.publicKey, signature),
  )
}

/** Whether a signature says that it is by this key, be it good or not. @param {OpenNote} note @param {string} key */
export const namesKey = (note, key) => {
  const known = readKey(key)
  return (
    known !== undefined && note.signatures.some(({ name, keyId }) => keyId === keyIdOf(name, known.bytes))
  )
}

/**
 * What somebody signs with a passkey: one change as its card showed it, as one person, once.
 * @param {{ change: string } & Pick<PasskeySignature, 'purpose' | 'digest' | 'person' | 'nonce'>} about
 */
export const challengeOf = ({ purpose, change, digest, person, nonce }) =>
  sha256(Buffer.from(JSON.stringify(['bellhop passkey', purpose, change, digest, person, nonce])))

/**
 * Why a signature is not what it says to be, as the end of a sentence; undefined if it is. WebAuthn, 7.2: a passkey signs
 * the authenticator's data, and the digest of what the browser says about where and for what.
 * @param {string} change @param {PasskeySignature} signed @param {string} publicKey COSE, in base64url
 */
export const whyNotSigned = (change, signed, publicKey) => {
  const client = Buffer.from(signed.clientDataJSON, 'base64url')
  const data = Buffer.from(signed.authenticatorData, 'base64url')
  const said = clientDataIn(client)
  if (said.type !== 'webauthn.get') return 'it is no signature of a passkey'
  if (said.challenge !== challengeOf({ ...signed, change }).toString('base64url'))
    return 'it is for another change, for another version of it, or for somebody else'
  if (said.origin !== signed.origin) return `it was made at ${said.origin}, and not at ${signed.origin}`
  if (data.length < 37 || !data.subarray(0, 32).equals(sha256(Buffer.from(signed.rpId))))
    return `it is by a key for another site than ${signed.rpId}`
  const flags = data.readUInt8(32)
  if ((flags & 1) === 0) return 'nobody was there when it was made'
  if ((flags & 4) === 0) return 'the device did not make sure who it was'
  const known = passkeyIn(Buffer.from(publicKey, 'base64url'))
  if (known === undefined) return 'the public key cannot be read'
  const content = Buffer.concat([data, sha256(client)])
  return verifySignature(known.hash, content, known.key, Buffer.from(signed.signature, 'base64url'))
    ? undefined
    : 'the signature does not fit the key'
}

/** @param {Buffer} bytes @returns {{ type?: unknown, challenge?: unknown, origin?: unknown }} */
export const clientDataIn = (bytes) => {
  try {
    return Object(JSON.parse(bytes.toString('utf8')))
  } catch {
    return {}
  }
}

/** A public key in COSE (RFC 9053): ES256, EdDSA or RS256. @param {Buffer} bytes */
const passkeyIn = (bytes) => {
  try {
    const map = coseMap(bytes)
    const text = (/** @type {number} */ label) =>
      Buffer.from(/** @type {Buffer} */ (map.get(label))).toString('base64url')
    /** @type {Record<string, [string | null, () => import('node:crypto').JsonWebKey]>} */
    const kinds = {
      '2 -7': ['sha256', () => ({ kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) })],
      '1 -8': [null, () => ({ kty: 'OKP', crv: 'Ed25519', x: text(-2) })],
      '3 -257': ['sha256', () => ({ kty: 'RSA', n: text(-1), e: text(-2) })],
    }
    const [hash, read] = /** @type {(typeof kinds)[string]} */ (kinds[`${map.get(1)} ${map.get(3)}`])
    return { hash, key: createPublicKey({ key: read(), format: 'jwk' }) }
  } catch {
    return undefined
  }
}

/** A map of whole numbers and bytes in CBOR, which is all that such a key is. @param {Buffer} bytes */
const coseMap = (bytes) => {
  let at = 0
  const head = () => {
    const first = bytes.readUInt8(at++)
    const [kind, short] = [first >> 5, first & 31]
    if (short < 24) return { kind, value: short }
    const width = [1, 2, 4][short - 24]
    if (width === undefined) throw new Error('not a key')
    at += width
    return { kind, value: bytes.readUIntBE(at - width, width) }
  }
  const item = () => {
    const { kind, value } = head()
    if (kind === 0) return value
    if (kind === 1) return -1 - value
    if (kind !== 2) throw new Error('not a key')
    at += value
    return bytes.subarray(at - value, at)
  }
  const { kind, value: pairs } = head()
  if (kind !== 5) throw new Error('not a key')
  const map = new Map()
  for (let left = pairs; left > 0; left--) map.set(item(), item())
  return map
}

/**
 * What is wrong with the passkeys in a receipt: each signature is checked with the public key whose enrolment somebody else
 * approved, and where signatures were asked for they are there.
 * @param {LogEntry[]} entries @param {LogEntry[]} enrolments @returns {string | undefined}
 */
const whyNotBySigners = (entries, enrolments) => {
  for (const { seq, at, who, name, changeId, doc } of [...entries, ...enrolments]) {
    const { signed } = doc
    if (signed === undefined) continue
    const wrong = (/** @type {string} */ why) => `Entry ${seq}, the signature of ${name}: ${why}.`
    if (signed.person !== who || signed.digest !== doc.digest) return wrong('it is not for this entry')
    const own = enrolments.filter((one) => one.changeId === signed.enrolled)
    const asked = own.find(({ kind }) => kind === 'asked')
    const plan = /** @type {{ key?: unknown, person?: unknown, publicKey?: unknown }} */ (
      Object(asked?.doc.plan)
    )
    if (asked === undefined || plan.key !== signed.key || plan.person !== who)
      return wrong('nothing here shows that the key was enrolled')
    if (!own.some(({ kind, at: then }) => kind === 'applied' && then <= at))
      return wrong('the key was not enrolled then')
    if (!own.some((one) => one.kind === 'approved' && one.who !== asked.who))
      return wrong('nobody else had approved the key')
    const why = whyNotSigned(String(changeId), signed, String(plan.publicKey))
    if (why !== undefined) return wrong(why)
  }
  for (const claim of entries.filter(({ kind }) => kind === 'claimed')) {
    const before = entries.filter(({ seq }) => seq < claim.seq)
    const terms = before.findLast(({ doc }) => Array.isArray(doc.clauses))
    if (terms === undefined) continue
    const { clauses = [] } = terms.doc
    const signed = before.filter(
      ({ seq, doc }) => seq > terms.seq && doc.signed !== undefined && doc.digest === claim.doc.digest,
    )
    // Nobody who asked for it or changed it approves it; what somebody does alone they confirm.
    const own = new Set(before.flatMap(({ kind, who }) => (authorKinds.has(kind) ? who : [])))
    const others = signed.filter(({ kind, who }) => kind === 'approved' && !own.has(who))
    const isAlone = clauses.some(({ kind, sign }) => kind === 'confirm' && sign !== undefined)
    if (
      new Set(others.map(({ who }) => who)).size < signersIn(clauses) ||
      (isAlone && !signed.some(({ kind }) => kind === 'confirmed' || kind === 'approved'))
    )
      return `Entry ${claim.seq}: it ran without the signatures that were asked for.`
  }
  return undefined
}

const authorKinds = new Set(['asked', 'changed'])

/**
 * How many people must have signed: one counts for every clause of a stage, and for no other stage.
 * @param {readonly { kind?: string, count?: number, sign?: string, stage?: number }[]} clauses
 */
const signersIn = (clauses) => {
  const stages = new Map()
  for (const { kind, sign, count = 1, stage } of clauses)
    if (sign !== undefined && kind !== 'confirm') stages.set(stage, Math.max(count, stages.get(stage) ?? 0))
  const { [String(undefined)]: anywhere = 0, ...staged } = Object.fromEntries(stages)
  return Math.max(
    anywhere,
    Object.values(staged).reduce((sum, count) => sum + count, 0),
  )
}

const seal = /\n<!-- seal: ([A-Za-z0-9+/]+=*) -->\n$/
const data = /<script type="application\/json" id="receipt">\n([^<]*)\n<\/script>/

/**
 * The whole file is sealed by the key; what it says is proved by the tree. Whose key that is, only the key that was given
 * can tell.
 * @param {string} file @param {string} [key] @returns {ReceiptVerdict}
 */
export const checkReceipt = (file, key) => {
  const no = (/** @type {string} */ problem) => /** @type {const} */ ({ ok: false, problem })
  const json = data.exec(file)?.[1]
  if (json === undefined) return no('This is no receipt of Bellhop: it has no data inside.')
  /** @type {ReceiptData} */
  let receipt
  try {
    receipt = JSON.parse(json)
    if (
      typeof receipt.key !== 'string' ||
      typeof receipt.checkpoint !== 'string' ||
      !Array.isArray(receipt.entries) ||
      !Array.isArray(receipt.keys ?? []) ||
      !Array.isArray(receipt.enrolments ?? [])
    ) {
      return no('The data of this receipt is not complete.')
    }
  } catch {
    return no('The data of this receipt cannot be read.')
  }
  const known = readKey(receipt.key)
  if (known === undefined || (key !== undefined && readKey(key) === undefined))
    return no('The key is not one that a log is signed with: name+id+key.')
  const note = openNote(receipt.checkpoint)
  if (note === undefined) return no('The checkpoint in this receipt cannot be read.')
  if (!isSignedBy(note, receipt.key))
    return no('The checkpoint is not signed by the key that the receipt names.')
  const sealed = seal.exec(file)
  const body = file.replace(seal, '')
  const isSealed =
    sealed !== null &&
    verifySignature(null, Buffer.from(body), known.publicKey, Buffer.from(sealed[1] ?? '', 'base64'))
  const { keys = [], enrolments = [] } = receipt
  const proved = []
  for (const { leaf, seq, index, proof } of [...receipt.entries, ...keys, ...enrolments]) {
    if (typeof leaf !== 'string' || !Array.isArray(proof))
      return no('The data of this receipt is not complete.')
    const steps = proof.map((step) => Buffer.from(String(step), 'base64'))
    const claim = { leafHash: hashLeaf(leaf), index, size: note.size, proof: steps, root: note.root }
    if (!isIncluded(claim)) return no(`Entry ${seq} is not in the log that the checkpoint is about.`)
    proved.push({ doc: {}, seq, ...JSON.parse(leaf) })
  }
  const entries = proved.slice(0, receipt.entries.length)
  const unsigned = whyNotBySigners(entries, proved.slice(entries.length + keys.length))
  if (unsigned !== undefined) return no(unsigned)
  if (!isSealed) return no('The file is not as it was written: its seal does not fit.')
  const changes = proved.slice(entries.length, entries.length + keys.length)
  const told = { size: note.size, origin: note.origin, key: receipt.key, entries, changes }
  return {
    ok: true,
    ...whoseIs(note.origin, receipt.key, key, changes),
    ...told,
    enrolments: proved.slice(entries.length + keys.length),
  }
}

/**
 * What the key that was given has to do with the one that signed: the changes of the key that are on record lead from one
 * to the other, and count where the key of before has signed them.
 * @param {string} origin @param {string} signed @param {string | undefined} given
 * @param {KeyChange[]} changes
 * @returns {{ whose: Whose, about: string }}
 */
const whoseIs = (origin, signed, given, changes) => {
  if (given === undefined) {
    const about =
      'the key that it names itself, which proves nothing about whose log it is: compare it with the key that the owner of the log gave you, with --key'
    return { whose: 'not compared', about }
  }
  if (isSameKey(given, signed)) return { whose: 'yours', about: 'the key that you gave' }
  let [at, isSure] = [given, true]
  const told = []
  for (const { seq, at: time, name, doc } of changes) {
    if (!isSameKey(doc.from, at)) continue
    at = doc.key
    const isGood = isHandedOver(origin, doc)
    isSure &&= isGood
    const how = isGood ? 'by the signature of the key before it' : 'WITHOUT the key before it'
    told.push(
      `entry ${seq}, ${new Date(time).toISOString()}: ${name} changed the key ${how}, "${doc.reason ?? ''}"`,
    )
  }
  if (!isSameKey(at, signed)) {
    const about =
      'another key than the one that you gave, and nothing in it leads from yours to that. If the key of the log was changed since it was made, check it with the key of then, or ask for a new one'
    return { whose: 'unknown', about }
  }
  return isSure
    ? {
        whose: 'handed over',
        about: `a key that yours has handed over to (${told.join('; ')}): use that one from now on`,
      }
    : {
        whose: 'unknown',
        about: `another key than the one that you gave. It says that yours was replaced (${told.join('; ')}), and yours has not signed that: only the owner of the log can say whether it is so`,
      }
}

/** @type {Record<Whose, { code: number, word: string }>} */
const outcomes = {
  yours: { code: 0, word: 'Valid.' },
  'handed over': { code: 6, word: 'Valid, with another key.' },
  unknown: { code: 7, word: 'NOT PROVED.' },
  'not compared': { code: 5, word: 'Unaltered, but nobody has said whose key it is.' },
}

/**
 * The files of an archive as Bellhop writes one: stored as they are, one behind the other, and nothing before, between or
 * after them that another program could take for more.
 * @param {Buffer} bytes @returns {[string, Buffer][]}
 */
const unpacked = (bytes) => {
  /** @type {[string, Buffer][]} */
  const files = []
  const end = bytes.length - 22
  if (end < 0 || bytes.readUInt32LE(end) !== 0x06054b50)
    throw new Error('The archive is cut off, or goes on behind its end.')
  const directory = bytes.readUInt32LE(end + 16)
  let [at, from] = [directory, 0]
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [packed, size, length] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ]
    if (packed !== 0) throw new Error('The archive was packed again: unpack it, and check the folder.')
    const begins = from + 30 + length
    const isOurs =
      bytes.readUInt32LE(at + 42) === from &&
      bytes.readUInt32LE(from) === 0x04034b50 &&
      bytes.subarray(from + 4, from + 30).equals(bytes.subarray(at + 6, at + 32)) &&
      bytes.subarray(from + 30, begins).equals(bytes.subarray(at + 46, at + 46 + length))
    const isPlain = bytes.readUInt32LE(at) === 0x02014b50 && bytes.readUInt16LE(at + 4) === 20
    if (!isOurs || !isPlain || bytes.subarray(at + 30, at + 42).some((byte) => byte !== 0)) break
    files.push([bytes.toString('utf8', at + 46, at + 46 + length), bytes.subarray(begins, begins + size)])
    at += 46 + length
    from = begins + size
  }
  const isWhole =
    bytes.readUInt32LE(end + 4) === 0 &&
    bytes.readUInt16LE(end + 8) === files.length &&
    bytes.readUInt32LE(end + 12) === end - directory &&
    bytes.readUInt16LE(end + 20) === 0
  if (from !== directory || at !== end || !isWhole)
    throw new Error('The archive is not as Bellhop writes one: there is more in it than its files.')
  return files
}

/** The files in a folder, by their names in it. @param {string} folder @param {string} [inside] @returns {[string, Buffer][]} */
const filesIn = (folder, inside = '') =>
  readdirSync(join(folder, inside), { withFileTypes: true }).flatMap((entry) => {
    const name = inside + entry.name
    if (entry.isDirectory()) return filesIn(folder, `${name}/`)
    if (!entry.isFile()) throw new Error(`${name} is no file.`)
    return /** @type {[string, Buffer][]} */ ([[name, readFileSync(join(folder, name))]])
  })

/** The file in a pack that says what else is in it. */
export const listName = 'manifest.txt'

/** A line of it, which `sha256sum -c` reads, too. @param {string} name @param {string | Buffer} content */
export const lineOf = (name, content) => `${sha256(Buffer.from(content)).toString('hex')}  ${name}\n`

/** What the key of a log signs about a pack: every part with its digest. @param {string} key @param {string} lines */
export const listOf = (key, lines) => `${listTitle}\n${key}\n${lines}`
const listTitle = 'bellhop: the parts of this pack'

/**
 * The key that has signed exactly these files as the parts of one pack; why not, if it has not.
 * @param {readonly [string, Buffer][]} files @returns {{ ok: true, key: string } | { ok: false, problem: string }}
 */
const checkParts = (files) => {
  const no = (/** @type {string} */ problem) => /** @type {const} */ ({ ok: false, problem })
  const list = files.find(([name]) => name === listName)?.[1].toString('utf8')
  if (list === undefined)
    return no(
      `There is no ${listName} in it, so nothing says what belongs to it. An older Bellhop wrote none: check its receipts one by one, each by itself.`,
    )
  const [end = '', seal = ''] = /seal: ([A-Za-z0-9+/]{86}==)\n$/.exec(list) ?? []
  const text = list.slice(0, list.length - end.length)
  const [title, key = '', ...lines] = text.split('\n')
  const known = readKey(key)
  const signature = Buffer.from(seal, 'base64')
  const isSigned =
    known !== undefined &&
    title === listTitle &&
    signature.toString('base64') === seal &&
    verifySignature(null, Buffer.from(text), known.publicKey, signature)
  if (!isSigned) return no(`Its ${listName} is not as it was written: its seal does not fit.`)
  const listed = new Map(
    lines.slice(0, -1).map((line) => /** @type {[string, string]} */ ([line.slice(66), line.slice(0, 64)])),
  )
  const seen = new Set()
  for (const [name, content] of files) {
    if (seen.has(name.toLowerCase())) return no(`${name} is in it twice, be it in other letters.`)
    seen.add(name.toLowerCase())
    if (name === listName) continue
    if (!listed.has(name)) return no(`${name} does not belong to it: its ${listName} does not name it.`)
    if (sha256(content).toString('hex') !== listed.get(name)) return no(`${name} is not as it was written.`)
  }
  const missing = [...listed.keys()].find((name) => !seen.has(name.toLowerCase()))
  if (missing !== undefined) return no(`${missing} was taken out.`)
  return listed.size === 0 ? no('There is nothing in it.') : { ok: true, key }
}

/** All of a pack, in words and an exit code. @param {[string, Buffer][]} files @param {string} [key] @returns {[string, number]} */
const sayAboutPack = (files, key) => {
  const parts = checkParts(files)
  if (!parts.ok) return [`NOT VALID. ${parts.problem}`, 1]
  if (key !== undefined && readKey(key) === undefined)
    return ['NOT VALID. The key is not one that a log is signed with: name+id+key.', 1]
  const receipts = files.flatMap(([name, content]) => {
    const id = /^receipts\/receipt-(.+)\.html$/.exec(name)?.[1]
    if (id === undefined) return []
    const verdict = checkReceipt(content.toString('utf8'), key)
    const isOfChange = verdict.ok && verdict.entries.every(({ changeId }) => changeId === id)
    return { name, verdict, told: isOfChange || !verdict.ok ? told(verdict) : notOf(id) }
  })
  const changes = receipts.flatMap(({ verdict }) => (verdict.ok ? verdict.changes : []))
  const { origin } = receipts.flatMap(({ verdict }) => (verdict.ok ? verdict : []))[0] ?? { origin: '' }
  const { whose, about } = whoseIs(origin, parts.key, key, changes)
  const codes = [...receipts.map((one) => one.told[1]), outcomes[whose].code]
  const worst = [1, 7, 5, 6].find((code) => codes.includes(code)) ?? 0
  const bad = receipts.find((one) => one.told[1] === worst && worst !== 0)
  const good = receipts.filter((one) => one.told[1] === 0).length
  return [
    [
      receipts.length === 0
        ? 'There is no receipt in this pack: its list says that nothing happened to any change in its period.'
        : `${good} of ${receipts.length} receipts in this pack are valid by the key that you gave.`,
      `Its ${files.length - 1} parts are all that ${listName} names, as they were written. It is signed by ${parts.key}: ${about}.`,
      ...(bad === undefined ? [] : [`${bad.name}: ${bad.told[0]}`]),
      ...receipts.flatMap(({ verdict }) => (verdict.ok ? signaturesIn(verdict) : [])),
    ].join('\n'),
    worst,
  ]
}

/** @param {string} id @returns {[string, number]} */
const notOf = (id) => [`NOT VALID. It is no receipt of ${id}.`, 1]

/** A receipt, or all of a pack, in words and an exit code. @param {Buffer} bytes @param {string} [key] @returns {[string, number]} */
export const sayAbout = (bytes, key) =>
  bytes.toString('latin1', 0, 2) === 'PK'
    ? sayAboutPack(unpacked(bytes), key)
    : told(checkReceipt(bytes.toString('utf8'), key))

/**
 * Which decisions were signed, and with which key: a passkey whose enrolment is proved beside them.
 * @param {Extract<ReceiptVerdict, { ok: true }>} verdict
 */
const signaturesIn = ({ entries, enrolments }) =>
  entries.flatMap(({ seq, kind, name, changeId, doc: { signed } }) => {
    if (signed === undefined) return []
    const own = enrolments.filter((one) => one.changeId === signed.enrolled)
    const asked = own.find((one) => one.kind === 'asked')
    const { name: called } = /** @type {{ name?: unknown }} */ (Object(asked?.doc.plan))
    const by = own.find((one) => one.kind === 'approved' && one.who !== asked?.who)
    return `  ${seq}  ${changeId}: ${kind} by ${name}, signed with the passkey ${JSON.stringify(called ?? '')} (${signed.key}), which ${by?.name} approved in ${signed.enrolled}`
  })

/** @param {ReceiptVerdict} verdict @returns {[string, number]} */
const told = (verdict) => {
  if (!verdict.ok) return [`NOT VALID. ${verdict.problem}`, 1]
  const { code, word } = outcomes[verdict.whose]
  const lines = verdict.entries.map(
    ({ seq, at, kind, name }) => `  ${seq}  ${new Date(Number(at)).toISOString()}  ${kind}, ${name}`,
  )
  const signed = signaturesIn(verdict)
  const words = [
    `${word} ${lines.length} entries of the log ${verdict.origin}, in its checkpoint of ${verdict.size} entries,`,
    `signed by ${verdict.key}: ${verdict.about}.`,
    ...lines,
    ...(signed.length === 0
      ? ['Nobody signed any of it with a passkey.']
      : ['Signed with passkeys:', ...signed]),
  ]
  return [words.join('\n'), code]
}

/** What the program prints, and its exit code. @param {string[]} args @returns {[string, number]} */
export const answerTo = ([file, flag, key]) => {
  if (file === undefined || (flag !== undefined && (flag !== '--key' || key === undefined))) {
    return [
      'Use: node verify.mjs <receipt.html, audit-pack.zip or its folder> [--key <the key that bellhop status shows>]',
      2,
    ]
  }
  try {
    return statSync(file).isDirectory() ? sayAboutPack(filesIn(file), key) : sayAbout(readFileSync(file), key)
  } catch (error) {
    return [`NOT VALID. ${/** @type {Error} */ (error).message}`, 1]
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [words, code] = answerTo(process.argv.slice(2))
  process.stdout.write(`${words}\n`)
  process.exitCode = code
}
