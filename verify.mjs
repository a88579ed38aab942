#!/usr/bin/env node
// Checks a receipt of Bellhop offline: `node verify.mjs receipt.html [--key <public key>]`. One file, no dependencies,
// Node 18 or newer. The key is what `bellhop status` shows; without it the one that the receipt names is used, and said.
//
// The log is a Merkle tree as in RFC 6962; its checkpoints are signed notes as in C2SP (tlog-checkpoint, signed-note).
import { createHash, createPublicKey, verify as verifySignature } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

/**
 * @typedef {{ origin: string, size: number, root: Buffer, text: string, signatures: { name: string, keyId: string, signature: Buffer }[] }} OpenNote
 * @typedef {{ leaf: string, seq: number, index: number, proof: string[] }} ProvedEntry
 * @typedef {{ key: string, checkpoint: string, entries: ProvedEntry[] }} ReceiptData
 * @typedef {{ ok: true, size: number, origin: string, key: string, entries: Record<string, unknown>[] } | { ok: false, problem: string }} ReceiptVerdict
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

/**
 * RFC 9162, 2.1.3.2: whether the leaf stands at this index of the tree with this root.
 * @param {{ leafHash: Buffer, index: number, size: number, proof: readonly Buffer[], root: Buffer }} claim
 */
export const isIncluded = ({ leafHash, index, size, proof, root }) => {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false
  let [fn, sn, hash] = [index, size - 1, leafHash]
  for (const step of proof) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      hash = hashNode(step, hash)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
    } else hash = hashNode(hash, step)
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && hash.equals(root)
}

/**
 * RFC 9162, 2.1.4.2: whether the larger tree begins with the smaller one.
 * @param {{ first: number, second: number, firstRoot: Buffer, secondRoot: Buffer, proof: readonly Buffer[] }} claim
 */
export const isConsistent = ({ first, second, firstRoot, secondRoot, proof }) => {
  if (first === second) return proof.length === 0 && firstRoot.equals(secondRoot)
  if (!(first > 0 && first < second) || proof.length === 0) return false
  const path = Number.isInteger(Math.log2(first)) ? [firstRoot, ...proof] : [...proof]
  let [fn, sn] = [first - 1, second - 1]
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
  const start = /** @type {Buffer} */ (path[0])
  let [fr, sr] = [start, start]
  for (const step of path.slice(1)) {
    if (sn === 0) return false
    if (fn % 2 === 1 || fn === sn) {
      fr = hashNode(step, fr)
      sr = hashNode(step, sr)
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)]
    } else sr = hashNode(sr, step)
    fn = Math.floor(fn / 2)
    sn = Math.floor(sn / 2)
  }
  return sn === 0 && fr.equals(firstRoot) && sr.equals(secondRoot)
}

/** A signed note with a checkpoint in it, read. @param {string} note @returns {OpenNote | undefined} */
export const openNote = (note) => {
  const end = note.indexOf('\n\n')
  if (end === -1 || !note.endsWith('\n')) return undefined
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
  return { name, id, publicKey: createPublicKey({ key: der, format: 'der', type: 'spki' }) }
}

/** @param {string} name @param {Buffer} material the kind of key, 1 for Ed25519, and the key */
export const keyIdOf = (name, material) =>
  sha256(Buffer.from(`${name}\n`), material)
    .subarray(0, 4)
    .toString('hex')

/** Whether one of the note's signatures is by this key. @param {OpenNote} note @param {string} key */
export const isSignedBy = (note, key) => {
  const known = readKey(key)
  if (known === undefined) return false
  return note.signatures.some(
    ({ name, keyId, signature }) =>
      name === known.name &&
      keyId === known.id &&
      verifySignature(null, Buffer.from(note.text), known.publicKey, signature),
  )
}

const seal = /\n<!-- seal: ([A-Za-z0-9+/]+=*) -->\n$/
const data = /<script type="application\/json" id="receipt">\n([^<]*)\n<\/script>/

/**
 * The whole file is sealed by the key; what it says is proved by the tree.
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
      !Array.isArray(receipt.entries)
    ) {
      return no('The data of this receipt is not complete.')
    }
  } catch {
    return no('The data of this receipt cannot be read.')
  }
  const used = key ?? receipt.key
  const known = readKey(used)
  if (known === undefined) return no('The key is not one that a log is signed with: name+id+key.')
  const note = openNote(receipt.checkpoint)
  if (note === undefined) return no('The checkpoint in this receipt cannot be read.')
  if (!isSignedBy(note, used)) return no('The checkpoint is not signed by this key.')
  const sealed = seal.exec(file)
  const body = file.replace(seal, '')
  if (
    sealed === null ||
    !verifySignature(null, Buffer.from(body), known.publicKey, Buffer.from(sealed[1] ?? '', 'base64'))
  ) {
    return no('The file is not as it was written: its seal does not fit.')
  }
  const entries = []
  for (const { leaf, seq, index, proof } of receipt.entries) {
    const steps = proof.map((step) => Buffer.from(step, 'base64'))
    const claim = { leafHash: hashLeaf(leaf), index, size: note.size, proof: steps, root: note.root }
    if (!isIncluded(claim)) return no(`Entry ${seq} is not in the log that the checkpoint is about.`)
    entries.push({ seq, ...JSON.parse(leaf) })
  }
  return { ok: true, size: note.size, origin: note.origin, key: used, entries }
}

/** @param {string[]} args */
const main = ([file, flag, key]) => {
  if (file === undefined || (flag !== undefined && (flag !== '--key' || key === undefined))) {
    return ['Use: node verify.mjs <receipt.html> [--key <the key that bellhop status shows>]', 2]
  }
  const verdict = checkReceipt(readFileSync(file, 'utf8'), key)
  if (!verdict.ok) return [`NOT VALID. ${verdict.problem}`, 1]
  const lines = verdict.entries.map(
    ({ seq, at, kind, name }) => `  ${seq}  ${new Date(Number(at)).toISOString()}  ${kind}, ${name}`,
  )
  const about =
    key === undefined ? ' (the key that the receipt itself names: compare it with bellhop status)' : ''
  return [
    [
      `Valid. ${lines.length} entries of the log ${verdict.origin}, proved against its checkpoint of ${verdict.size} entries,`,
      `signed by ${verdict.key}${about}`,
      ...lines,
    ].join('\n'),
    0,
  ]
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const [words, code] = main(process.argv.slice(2))
    process.stdout.write(`${words}\n`)
    process.exitCode = Number(code)
  } catch (error) {
    process.stdout.write(`NOT VALID. ${/** @type {Error} */ (error).message}\n`)
    process.exitCode = 1
  }
}
