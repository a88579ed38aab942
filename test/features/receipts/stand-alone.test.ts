import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { type Proof, receiptPage } from '../../../src/features/receipts/receipt.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import { zipOf } from '../../../src/lib/codecs/zip.ts'
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
  lineOf,
  listName,
  listOf,
  namesKey,
  openNote,
  readKey,
  sayAbout,
} from '../../../verify.mjs'
import { treeOf } from '../../audit/rfc-6962.ts'
import { gather } from '../../storage/store.ts'

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
  JSON.stringify({ at: n, kind: 'voted', name: `Ada ${n}`, changeId: `c${n === 5 ? 2 : n}`, ...special[n] }),
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
  type Parts = [name: string, content: string | Buffer][]
  const zipped = async (parts: Parts) => {
    const each = async function* () {
      for (const [name, content] of parts) yield { name, content }
    }
    return Buffer.concat(await gather(zipOf(each())))
  }
  /** With the list of them that the key has signed. */
  const withList = (parts: Parts, by = signer, named = key): Parts => {
    const list = listOf(named, parts.map(([name, content]) => lineOf(name, content)).join(''))
    return [...parts, [listName, `${list}seal: ${by.seal(list)}\n`]]
  }
  const nameOf = (n: number) => `receipts/receipt-c${n}.html`
  const partsOf = (...files: string[]): Parts => [
    ['README.txt', 'words'],
    ...files.map((content, at): [string, string] => [nameOf(at + 1), content]),
  ]
  const packed = (...files: string[]) => zipped(withList(partsOf(...files)))
  /** A receipt of one change. */
  const of = (n: number, over: object = {}, by = signer) => sealed({ entries: [entryAt(n)], ...over }, by)
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
    const [one, two] = [of(1), of(2)]
    expect(sayAbout(await packed(one, two), key)).toEqual([
      `2 of 2 receipts in this pack are valid by the key that you gave.\nIts 3 parts are all that manifest.txt names, as they were written. It is signed by ${key}: the key that you gave.`,
      0,
    ])
    const foreignTo = (n: number) =>
      of(n, { key: stranger.key(origin), checkpoint: noteBy(stranger) }, stranger)
    const alteredTo = (n: number) => of(n).replace('today', 'never')
    const handed = (n: number) => of(n, { keys: [entryAt(6)] })
    const [words, code] = sayAbout(await packed(one, foreignTo(2), alteredTo(3), alteredTo(4)), key)
    expect(code).toBe(1)
    expect(words).toMatch(
      /^1 of 4 receipts in this pack are valid.*\n.*\nreceipts\/receipt-c3\.html: NOT VALID/,
    )
    for (const [files, given, worst] of [
      [[], key, 0],
      [[one, handed(2), foreignTo(3)], older.key, 7],
      [[handed(1), handed(2)], older.key, 6],
      [[one, two], undefined, 5],
      [[one, foreignTo(2)], key, 7],
      [[alteredTo(1), foreignTo(2)], key, 1],
    ] as const) {
      const [told, exit] = sayAbout(await packed(...files), given)
      expect([exit, told.split('\n').length]).toEqual([worst, worst === 0 ? 2 : expect.any(Number)])
      if (worst !== 0) expect(told).toMatch(/\nreceipts\/receipt-c\d\.html: /)
    }
  })

  it('says of a whole pack without receipts that there is none', async () => {
    expect(sayAbout(await packed(), key)).toEqual([
      expect.stringMatching(/^There is no receipt in this pack: /),
      0,
    ])
    expect(sayAbout(await packed(), stranger.key(origin))[1]).toBe(7)
  })

  const fine = withList([...partsOf(of(1), of(2)), ['policies/a.yml', 'version: 1'], ['changes.json', '[]']])
  const forged = of(1, {}, stranger)
  const without = (name: string): Parts => fine.filter(([one]) => one !== name)
  const changed = (name: string, content: string): Parts =>
    fine.map(([one, was]) => [one, one === name ? content : was])
  const tamperings: [string, Parts, RegExp][] = [
    ['nothing', [], /nothing says what belongs to it/],
    ['a list of nothing', withList([]), /There is nothing in it/],
    ['no list', without(listName), /nothing says what belongs to it/],
    ['a list by another key', withList(without(listName), stranger), /its seal does not fit/],
    [
      'a list that names another key',
      withList(without(listName), signer, stranger.key(origin)),
      /its seal does not fit/,
    ],
    [
      'a list with a line more',
      changed(listName, String(fine.at(-1)?.[1]).replace('seal:', '\nseal:')),
      /does not fit/,
    ],
    ['a list with words behind it', changed(listName, `${fine.at(-1)?.[1]}more\n`), /its seal does not fit/],
    ['a receipt less', without(nameOf(1)), /receipt-c1\.html was taken out/],
    [
      'every receipt less',
      fine.filter(([name]) => !name.startsWith('receipts/')),
      /receipt-c1\.html was taken out/,
    ],
    ['a part less', without('changes.json'), /changes\.json was taken out/],
    ['another README', changed('README.txt', 'other words'), /README\.txt is not as it was written/],
    ['another policy', changed('policies/a.yml', 'version: 2'), /policies\/a\.yml is not as it was written/],
    [
      'a receipt in the place of another',
      changed(nameOf(1), of(2)),
      /receipt-c1\.html is not as it was written/,
    ],
    [
      'a forged receipt under a name of its own',
      [...fine, [nameOf(9), forged]],
      /receipt-c9\.html does not belong to it/,
    ],
    ['one under the same name, behind', [...fine, [nameOf(1), forged]], /receipt-c1\.html is in it twice/],
    [
      'one under the same name, before',
      [[nameOf(1), forged], ...fine],
      /receipt-c1\.html is not as it was written/,
    ],
    [
      'one in other letters',
      [...fine, ['receipts/Receipt-C1.html', forged]],
      /is in it twice, be it in other letters/,
    ],
    [
      'one in a folder in other letters',
      [...fine, ['RECEIPTS/receipt-c9.html', forged]],
      /does not belong to it/,
    ],
    ['one in a folder beside', [...fine, ['receipts-2/receipt-c1.html', forged]], /does not belong to it/],
    ['one above', [...fine, ['../receipt-c1.html', forged]], /does not belong to it/],
    ['a list beside the list', [...fine, ['Manifest.txt', 'words']], /is in it twice/],
  ]

  it.each(tamperings)('of a pack with %s is that it is not valid, also unpacked', async (_, parts, why) => {
    const [words, code] = sayAbout(await zipped(parts), key)
    expect([words, code]).toEqual([expect.stringMatching(why), 1])
    expect(words).toMatch(/^NOT VALID\. /)
    // Unpacked, what comes last under a name is what is there.
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-pack-'))
    for (const [name, content] of parts.filter(([one]) => !one.startsWith('..'))) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    const isSame = [...new Map(parts.filter(([one]) => !one.startsWith('..')))].length === fine.length
    const isFine =
      isSame && fine.every(([name, was]) => readFileSync(join(folder, name), 'utf8') === String(was))
    expect(answerTo([folder, '--key', key])[1]).toBe(isFine ? 0 : 1)
    rmSync(folder, { recursive: true })
  })

  it('of a pack is that it is whole where it is, and that a receipt in it is of the change of its name', async () => {
    expect(sayAbout(await zipped(fine), key)[1]).toBe(0)
    const [words, code] = sayAbout(await zipped(withList([[nameOf(1), of(2)]])), key)
    expect([words, code]).toEqual([
      expect.stringMatching(/receipt-c1\.html: NOT VALID\. It is no receipt of c1\./),
      1,
    ])
  })

  /** One change of one file, or of which files there are. */
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('less', 'twice', 'renamed', 'added', 'swapped', 'cut', 'longer', 'bit'),
    where: fc.nat(),
    name: fc.constantFrom('receipts/', 'policies/', 'Receipts/', 'receipts/more/', ''),
  })
  const made = ({ at, how, where, name }: typeof change extends fc.Arbitrary<infer T> ? T : never): Parts => {
    const n = at % fine.length
    const [called, was] = fine[n] ?? ['', '']
    const bytes = Buffer.from(was)
    const other = fine[(n + 1) % fine.length] ?? ['', '']
    const flipped = Buffer.from(bytes)
    if (flipped.length > 0)
      flipped[where % flipped.length] = (flipped[where % flipped.length] ?? 0) ^ (1 << (where % 8))
    const others = fine.filter((_, index) => index !== n)
    return {
      less: () => others,
      twice: () => [...fine, [called.toUpperCase(), bytes] as Parts[number]],
      renamed: () => [...others, [`${name}${called}x`, bytes] as Parts[number]],
      added: () => [...fine, [`${name}receipt-c${where}x.html`, forged] as Parts[number]],
      swapped: () => fine.map(([one, content]): Parts[number] => [one, one === called ? other[1] : content]),
      cut: () => [...others, [called, bytes.subarray(0, where % bytes.length)] as Parts[number]],
      longer: () => [...others, [called, Buffer.concat([bytes, Buffer.from(' ')])] as Parts[number]],
      bit: () => [...others, [called, flipped] as Parts[number]],
    }[how]()
  }

  it('of a pack, packed or unpacked, in which any file is another, is that it is not valid', async () => {
    await fc.assert(
      fc.asyncProperty(change, async (given) => {
        const parts = made(given)
        expect(sayAbout(await zipped(parts), key)).toEqual([expect.stringMatching(/^NOT VALID\. /), 1])
        const folder = mkdtempSync(join(tmpdir(), 'bellhop-pack-'))
        for (const [name, content] of parts) {
          mkdirSync(join(folder, name, '..'), { recursive: true })
          writeFileSync(join(folder, name), content)
        }
        expect(answerTo([folder, '--key', key])).toEqual([expect.stringMatching(/^NOT VALID\. /), 1])
        rmSync(folder, { recursive: true })
      }),
      { numRuns: 150 },
    )
  })

  it('of a folder in which a file is a link is that it is not valid, wherever that leads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-pack-'))
    for (const [name, content] of fine) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    expect(answerTo([folder, '--key', key])[1]).toBe(0)
    renameSync(join(folder, 'changes.json'), `${folder}.json`)
    symlinkSync(`${folder}.json`, join(folder, 'changes.json'))
    expect(answerTo([folder, '--key', key])).toEqual(['NOT VALID. changes.json is no file.', 1])
    rmSync(folder, { recursive: true })
    rmSync(`${folder}.json`)
  })

  it('of an archive with anything beside its files is that it is not as it was written', async () => {
    const whole = await zipped(fine)
    const extra = (await zipped([[nameOf(9), forged]])).subarray(0, -22)
    const more = Buffer.from('more')
    // A program that reads the files from the beginning would find one that the directory does not name.
    const moved = (by: Buffer) => {
      const bytes = Buffer.concat([by, whole])
      bytes.writeUInt32LE(whole.readUInt32LE(whole.length - 6) + by.length, bytes.length - 6)
      return bytes
    }
    for (const bytes of [
      Buffer.concat([whole, more]),
      Buffer.concat([whole, whole]),
      moved(extra),
      Buffer.concat([whole.subarray(0, -22), extra, whole.subarray(-22)]),
    ])
      expect(() => sayAbout(bytes, key)).toThrow(/more in it than its files|goes on behind its end/)
    for (let at = 0; at < whole.length; at += 7) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ 1
      let told: [string, number] = ['', 1]
      try {
        told = sayAbout(bytes, key)
      } catch {}
      expect([at, told[1]]).toEqual([at, 1])
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
