import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { type Proof, receiptPage } from '../../src/audit/receipt.ts'
import { newSigner } from '../../src/audit/signer.ts'
import { zipOf } from '../../src/audit/zip.ts'
import {
  answerTo,
  checkReceipt,
  handoverText,
  hashLeaf,
  isConsistent,
  isHandedOver,
  isIncluded,
  isSameKey,
  isSignedBy,
  keyNamed,
  namesKey,
  openNote,
  readKey,
  sayAbout,
} from '../../verify.mjs'
import { gather } from '../storage/store.ts'
import { treeOf } from './rfc-6962.ts'

const origin = 'bellhop/one'
const signerAndKey = () => {
  const signer = newSigner()
  return { signer, key: signer.key(origin) ?? '' }
}
const { signer, key } = signerAndKey()
const [stranger, oldest, older, lost] = [newSigner(), signerAndKey(), signerAndKey(), signerAndKey()]
const handedOver = (from: typeof older, to: string, isSigned: boolean) => {
  const handover = { from: from.key, key: to, reason: isSigned ? 'every year' : undefined }
  const signature = isSigned ? from.signer.seal(handoverText(origin, handover)) : undefined
  return { doc: { ...handover, signature } }
}
const special: Record<number, object> = {
  3: handedOver(oldest, older.key, true),
  4: handedOver(lost, older.key, false),
  6: handedOver(older, key, true),
}
const leaves = Array.from({ length: 9 }, (_, n) =>
  JSON.stringify({ at: n, kind: 'voted', name: `Ada ${n}`, ...special[n] }),
)

const { rootOver, entryAt: provedAt } = treeOf(leaves)
const other = Buffer.alloc(32, 7)
/** Large enough for every shape of the right edge, also one that ends with several complete trees. */
const many = treeOf(Array.from({ length: 22 }, (_, n) => `leaf ${n}`))
const sizes = Array.from({ length: 22 }, (_, at) => at + 1)
/** Each way in which one of the hashes is another, missing, or one too many. */
const badPaths = (path: Buffer[]): Buffer[][] => [
  [...path, other],
  [other, ...path],
  ...path.map((_, at) => path.with(at, other)),
  ...(path.length === 0 ? [] : [path.slice(1), path.slice(0, -1)]),
]

test.each(sizes)('of a tree of %i leaves each is included at its own index, and nowhere else', (size) => {
  const root = many.rootOver(0, size)
  for (let index = 0; index < size; index++) {
    const claim = {
      leafHash: hashLeaf(`leaf ${index}`),
      index,
      size,
      proof: many.pathOf(index, 0, size),
      root,
    }
    expect(isIncluded(claim)).toBe(true)
    for (const proof of badPaths(claim.proof)) expect(isIncluded({ ...claim, proof })).toBe(false)
    for (let wrong = -1; wrong <= 2 * size + 1; wrong++)
      if (wrong !== index) expect(isIncluded({ ...claim, index: wrong }), `as ${wrong}`).toBe(false)
    for (const over of [{ root: other }, { leafHash: other }, { index: index + 0.5 }, { index: Number.NaN }])
      expect(isIncluded({ ...claim, ...over })).toBe(false)
  }
})

test.each(sizes)('a tree of %i leaves begins with each smaller one, and with nothing else', (second) => {
  for (let first = 1; first <= second; first++) {
    const proof = many.linkOf(first, 0, second, true)
    const [firstRoot, secondRoot] = [many.rootOver(0, first), many.rootOver(0, second)]
    const claim = { first, second, firstRoot, secondRoot, proof }
    expect(isConsistent(claim), `${first}`).toBe(true)
    for (const bad of badPaths(proof)) expect(isConsistent({ ...claim, proof: bad })).toBe(false)
    for (const over of [{ firstRoot: other }, { secondRoot: other }, { first: 0 }, { first: second + 1 }])
      expect(isConsistent({ ...claim, ...over })).toBe(false)
    // A tree of nothing is the beginning of none, whatever its root is said to be.
    const from = { first: 0, firstRoot, proof: [firstRoot, ...proof] }
    expect(isConsistent({ ...claim, ...from })).toBe(false)
  }
})

const size = 7
const noteBy = (by = signer, over: { origin?: string; size?: number; root?: Buffer } = {}) =>
  by.checkpoint({ origin, size, root: rootOver(0, size), ...over })
const entryAt = (index: number) => provedAt(index, size)
const proofOf = (over: object = {}): Proof => ({
  key,
  checkpoint: noteBy(),
  entries: [entryAt(2), entryAt(5)],
  older: [],
  ...over,
})
/** Sealed by the key of the log, whatever it says: so only what stands inside can tell. */
const sealed = (over: object = {}, by = signer) => {
  const page = receiptPage({ title: 'One', words: 'two', proof: proofOf(), at: 'today' }, by)
  const data = `id="receipt">\n${JSON.stringify(proofOf(over))}\n<`
  const body = page.replace(/\n<!-- seal: .*\n$/, '').replace(/id="receipt">\n[^<]*</, () => data)
  return `${body}\n<!-- seal: ${by.seal(body)} -->\n`
}

describe('a receipt whose seal fits', () => {
  it('is good as it was written, with the entries that it tells of', () => {
    const verdict = checkReceipt(sealed(), key)
    expect(verdict).toMatchObject({ ok: true, whose: 'yours', size, origin, key })
    expect(verdict.ok && verdict.entries.map(({ seq, name }) => [seq, name])).toEqual([
      [3, 'Ada 2'],
      [6, 'Ada 5'],
    ])
  })

  const entryWith = (over: object) => ({ entries: [entryAt(2), { ...entryAt(5), ...over }] })
  const notIn = /^Entry 6 is not in the log/
  const incomplete = /is not complete/
  const unsigned = /is not signed by the key that the receipt names/
  it.each<[string, object, RegExp]>([
    ['an entry says something else', entryWith({ leaf: leaves[4] }), notIn],
    ['an entry has another index', entryWith({ index: 4 }), notIn],
    ['an entry lies past the checkpoint', entryWith({ index: size }), notIn],
    ['an entry has no index', entryWith({ index: undefined }), notIn],
    ['a step of a proof is missing', entryWith({ proof: entryAt(5).proof.slice(1) }), notIn],
    [
      'a step of a proof is another',
      entryWith({ proof: entryAt(5).proof.with(0, other.toString('base64')) }),
      notIn,
    ],
    ['a change of the key is not in the log', { keys: [{ ...entryAt(5), index: 4 }] }, notIn],
    ['the checkpoint is of another size', { checkpoint: noteBy(signer, { size: 3 }) }, /^Entry 3 is not in/],
    [
      'the checkpoint has another root',
      { checkpoint: noteBy(signer, { root: other }) },
      /^Entry 3 is not in/,
    ],
    ['the checkpoint was altered', { checkpoint: noteBy().replace('\n7\n', '\n8\n') }, unsigned],
    ['the checkpoint is signed by another key', { checkpoint: noteBy(stranger) }, unsigned],
    ['the checkpoint is no note', { checkpoint: 'words' }, /checkpoint in this receipt cannot be read/],
    ['the key is none', { key: 'words' }, /^The key is not one/],
    ['the key is another', { key: stranger.key(origin) }, unsigned],
    ['the key is missing', { key: undefined }, incomplete],
    ['the checkpoint is missing', { checkpoint: undefined }, incomplete],
    ['the entries are none', { entries: {} }, incomplete],
    ['the changes of the key are none', { keys: {} }, incomplete],
    ['the enrolments of passkeys are none', { enrolments: {} }, incomplete],
    ['an entry says nothing', entryWith({ leaf: undefined }), incomplete],
    ['an entry has no proof', entryWith({ proof: undefined }), incomplete],
  ])('is refused where %s', (_, over, problem) => {
    expect(checkReceipt(sealed(over), key)).toEqual({ ok: false, problem: expect.stringMatching(problem) })
  })

  it('is refused for a key that cannot be read', () => {
    expect(checkReceipt(sealed(), 'words')).toMatchObject({ ok: false })
  })
})

it.each<[string, string | undefined, number[], string, RegExp]>([
  ['its own key', key, [], 'yours', /^the key that you gave$/],
  ['no key', undefined, [3, 6], 'not compared', /proves nothing about whose log it is/],
  ['the key before', older.key, [3, 6], 'handed over', /^a key that yours .*\(entry 7, .*by the signature/],
  ['the key before that', oldest.key, [3, 6], 'handed over', /\(entry 4, .*; entry 7, 1970.*"every year"\)/],
  ['the key before, of which it tells nothing', older.key, [3], 'unknown', /nothing in it leads from yours/],
  [
    'a key that never signed its end',
    lost.key,
    [4, 6],
    'unknown',
    /entry 5, .*: Ada 4 changed the key WITHOUT the key before it, "".*yours has not signed/,
  ],
  ['a key of another log', stranger.key('bellhop/two'), [3, 4, 6], 'unknown', /nothing in it leads/],
])('a receipt compared with %s', (_, given, keys, whose, about) => {
  const verdict = checkReceipt(sealed({ keys: keys.map(entryAt) }), given)
  expect(verdict).toMatchObject({ ok: true, whose, about: expect.stringMatching(about) })
  expect(verdict.ok && verdict.entries).toHaveLength(2)
})

it('a receipt is refused where its seal is missing, altered or by another key', () => {
  const file = sealed()
  for (const bad of [file.replace(/<!-- seal.*\n/, ''), file.replace('today', 'never'), sealed({}, stranger)])
    expect(checkReceipt(bad, key)).toMatchObject({
      problem: expect.stringContaining('its seal does not fit'),
    })
  expect(checkReceipt(file.replace('{"key"', '{key'), key)).toMatchObject({
    problem: 'The data of this receipt cannot be read.',
  })
  expect(checkReceipt('words')).toMatchObject({ problem: expect.stringContaining('it has no data inside') })
})

describe('a checkpoint', () => {
  const note = noteBy()
  const [text = '', signature = ''] = note.split('\n\n')
  it.each([
    ['without an end', note.slice(0, -1)],
    ['without a signature', `${text}\n`],
    ['without an origin', note.replace(origin, '')],
    ['of no size', note.replace('\n7\n', '\nx\n')],
    ['of a size with a zero before it', note.replace('\n7\n', '\n07\n')],
    ['of a size below zero', note.replace('\n7\n', '\n-7\n')],
    ['with a short root', note.replace(/\n.{44}\n/, '\nAAAA\n')],
  ])('%s is none', (_, bad) => expect(openNote(bad)).toBeUndefined())

  it('is read with its signatures, and lines that are none are passed over', () => {
    const opened = openNote(`${text}\n\nwords\n${signature}`)
    expect(opened).toMatchObject({ origin, size, root: rootOver(0, size) })
    expect(opened?.signatures).toMatchObject([{ name: origin, keyId: readKey(key)?.id }])
    expect(openNote(note.replace('\n7\n', '\n0\n'))).toMatchObject({ size: 0 })
    // A line above the blank one is signed, and signs nothing.
    const said = `${text}\n${signature.replace(origin, 'else')}\n${signature}`
    expect(openNote(said)?.signatures).toMatchObject([{ name: origin }])
  })

  const { id, bytes } = readKey(key) ?? { id: '', bytes: Buffer.alloc(0) }
  const material = bytes.toString('base64')
  const signedAs = (name: string, keyId: string, made = note) => {
    const [, body = ''] = /\u2014 \S+ (\S+)\n$/.exec(made) ?? []
    const line = Buffer.concat([Buffer.from(keyId, 'hex'), Buffer.from(body, 'base64').subarray(4)])
    const opened = openNote(`${text}\n\n\u2014 ${name} ${line.toString('base64')}\n`)
    if (opened === undefined) throw new Error('no note')
    return opened
  }
  const idAs = (name: string) => keyNamed(name, bytes).split('+')[1] ?? ''
  it('is signed by a key under its name or that of the log, with the id of that name, and not otherwise', () => {
    const before = keyNamed('bellhop', bytes)
    expect(isSignedBy(signedAs(origin, id), key)).toBe(true)
    expect(isSignedBy(signedAs(origin, id), before)).toBe(true)
    expect(isSignedBy(signedAs('bellhop', idAs('bellhop')), before)).toBe(true)
    expect(isSignedBy(signedAs('bellhop', idAs('bellhop')), key)).toBe(false)
    expect(isSignedBy(signedAs(origin, '00000000'), key)).toBe(false)
    expect(isSignedBy(signedAs(origin, id, noteBy(signer, { size: 8 })), key)).toBe(false)
    expect(isSignedBy(signedAs(origin, id), stranger.key(origin) ?? '')).toBe(false)
    expect(isSignedBy(signedAs(origin, id), 'words')).toBe(false)
    expect(namesKey(signedAs(origin, id, noteBy(stranger)), key)).toBe(true)
    expect(namesKey(signedAs(origin, '00000000'), key)).toBe(false)
    expect(namesKey(signedAs(origin, id), 'words')).toBe(false)
  })

  it.each([
    ['another id', `${origin}+00000000+${material}`],
    ['another name', `bellhop/two+${id}+${material}`],
    ['another kind of key', keyNamed(origin, Buffer.concat([Buffer.of(2), bytes.subarray(1)]))],
    ['a short key', keyNamed(origin, bytes.subarray(0, 32))],
    ['no name', key.slice(origin.length)],
  ])('a key with %s is none', (_, bad) => {
    expect(readKey(bad)).toBeUndefined()
    expect(readKey(` ${key} `)?.id).toBe(id)
    for (const pair of [
      [bad, key],
      [key, bad],
      [bad, bad],
      [key, stranger.key(origin) ?? ''],
    ] as const)
      expect(isSameKey(...pair)).toBe(false)
    expect(isSameKey(key, keyNamed('bellhop', bytes))).toBe(true)
  })
})

describe('a change of the key', () => {
  const next = stranger.key(origin) ?? ''
  const sign = (text: string, by = signer) => by.seal(text)
  const handover = { from: key, key: next }
  const good = sign(handoverText(origin, handover))
  it.each([
    ['as it was signed', { ...handover, signature: good }, true],
    ['without a signature', handover, false],
    [
      'signed by the new key',
      { ...handover, signature: sign(handoverText(origin, handover), stranger) },
      false,
    ],
    ['of another log', { ...handover, signature: sign(handoverText('bellhop/two', handover)) }, false],
    ['to another key', { from: key, key, signature: good }, false],
    ['from no key', { from: 'words', key: next, signature: good }, false],
  ])('%s counts: %s', (_, given, counts) => expect(isHandedOver(origin, given)).toBe(counts))
})

describe('what the program says', () => {
  const packed = async (...files: string[]) => {
    const each = async function* () {
      yield { name: 'README.txt', content: 'words' }
      for (const [n, content] of files.entries()) yield { name: `receipts/receipt-c${n}.html`, content }
    }
    return Buffer.concat(await gather(zipOf(each())))
  }
  const good = sealed()
  const altered = good.replace('today', 'never')
  const foreign = sealed({ key: stranger.key(origin), checkpoint: noteBy(stranger) }, stranger)
  const about = (bytes: Buffer, given?: string) => {
    const [words, code] = sayAbout(bytes, given)
    return [code, words.split('\n')[0]?.split('. ')[0]]
  }

  it('has words and a code for each receipt', () => {
    expect(about(Buffer.from(good), key)).toEqual([0, 'Valid'])
    expect(about(Buffer.from(good))).toEqual([5, 'Unaltered, but nobody has said whose key it is'])
    expect(about(Buffer.from(foreign), key)).toEqual([7, 'NOT PROVED'])
    const handed = Buffer.from(sealed({ keys: [entryAt(6)] }))
    expect(about(handed, older.key)).toEqual([6, 'Valid, with another key'])
    expect(about(Buffer.from(altered), key)).toEqual([1, 'NOT VALID'])
    const [words] = sayAbout(Buffer.from(good), key)
    expect(words).toContain(`2 entries of the log ${origin}, in its checkpoint of 7 entries,`)
    expect(words).toContain('\n  3  1970-01-01T00:00:00.002Z  voted, Ada 2\n')
  })

  it('is the worst of all in a pack, with the first that is so', async () => {
    expect(sayAbout(await packed(good, good), key)).toEqual([
      '2 of 2 receipts in this pack are valid by the key that you gave.',
      0,
    ])
    const [words, code] = sayAbout(await packed(good, foreign, altered, altered), key)
    expect(code).toBe(1)
    expect(words).toMatch(/^1 of 4 receipts in this pack are valid.*\nreceipts\/receipt-c2\.html: NOT VALID/)
    const handed = sealed({ keys: [entryAt(6)] })
    for (const [files, given, worst] of [
      [[], key, undefined],
      [[good, handed, foreign], older.key, 7],
      [[handed, handed], older.key, 6],
      [[good, good], undefined, 5],
      [[good, foreign], key, 7],
      [[altered, foreign], key, 1],
    ] as const) {
      const [told, exit] = sayAbout(await packed(...files), given)
      expect([exit, told.split('\n').length]).toEqual(
        worst === undefined ? [0, 1] : [worst, expect.any(Number)],
      )
      if (worst !== undefined) expect(told).toMatch(/\nreceipts\/receipt-c\d\.html: /)
    }
  })

  it('is printed with its code for the words that the program was started with', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'bellhop-receipt-')), 'receipt.html')
    writeFileSync(file, good)
    const asked: [string[], number, RegExp][] = [
      [[file, '--key', key], 0, /^Valid\./],
      [[file], 5, /^Unaltered/],
      [[], 2, /^Use: node verify\.mjs/],
      [[file, '--key'], 2, /^Use: /],
      [[file, '--quick', key], 2, /^Use: /],
      [[join(file, 'nowhere')], 1, /^NOT VALID\. ENOTDIR/],
    ]
    for (const [args, code, words] of asked)
      expect(answerTo(args)).toEqual([expect.stringMatching(words), code])
    const { status, stdout } = spawnSync(process.execPath, ['verify.mjs', file], { encoding: 'utf8' })
    expect([stdout, status]).toEqual([`${answerTo([file])[0]}\n`, 5])
  })

  it('refuses a pack that is cut off or was packed again', async () => {
    const pack = await packed(good)
    expect(() => sayAbout(pack.subarray(0, pack.length - 22), key)).toThrow('cut off')
    const again = Buffer.from(pack)
    again.writeUInt16LE(8, again.readUInt32LE(again.length - 22 + 16) + 10)
    expect(() => sayAbout(again, key)).toThrow('packed again')
  })
})
