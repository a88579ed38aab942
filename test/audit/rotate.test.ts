import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rotateKey } from '../../src/cli/audit/rotate.ts'
import {
  isKey,
  type KeySource,
  keepKeys,
  keysAt,
  keysIn,
  nameOfSource,
  newKey,
  openSigner,
  pemOf,
  publicBytesOf,
  signerOf,
} from '../../src/kernel/log/signer.ts'
import { LogKeyError } from '../../src/kernel/model/checkpoint.ts'
import { isHandedOver, keyNamed } from '../../verify.mjs'

const origin = 'bellhop/one'
const [old, past, next] = [newKey(), newKey(), newKey()]
const nameOf = (key: typeof old) => keyNamed(origin, publicBytesOf(key))
const from = nameOf(old)
const newDir = () => mkdtempSync(join(tmpdir(), 'bellhop-rotate-'))
const by = { who: 'fay', name: 'Fay', account: 'root' }

/** Changes the key of a log whose keys so far were `past` and `old`. */
const rotated = async (
  source: KeySource,
  over: { withoutOldKey?: boolean; from?: string; isTaken?: boolean } = {},
) => {
  const entries: Parameters<Parameters<typeof rotateKey>[1]['changeKey']>[2][] = []
  let during: number | undefined
  const auditTree = {
    state: async () => ({ key: over.from ?? from, origin }),
    keyEntries: async () => [past, old].map((key) => ({ doc: { key: nameOf(key) } })),
    changeKey: async (_: string, __: string, entry: (typeof entries)[number], keep: () => void) => {
      if (over.isTaken) return false
      keep()
      during = keysAt(source).length
      entries.push(entry)
      return true
    },
    sequence: async () => 0,
  }
  const rotation = { by, reason: 'every year', withoutOldKey: over.withoutOldKey ?? false }
  return { done: await rotateKey(source, auditTree as never, rotation), entries, during }
}
const given = (...keys: (typeof old)[]): KeySource => ({ given: keys.map(pemOf).join(''), dataDir: newDir() })
const own = (...keys: (typeof old)[]): KeySource => {
  const source = { dataDir: newDir() }
  keepKeys(source, keys)
  return source
}

describe('the key of a log', () => {
  it.each<[string, () => KeySource, Parameters<typeof rotated>[1], RegExp]>([
    ['that has none', () => given(old, next), { from: '' }, /has no key yet/],
    ['that is not at hand', () => given(next), {}, /^The key of the log, .* is not in AUDIT_KEY\./],
    [
      'that is at hand, and is said to be lost',
      () => given(old, next),
      { withoutOldKey: true },
      /leave out --without-old-key/,
    ],
    [
      'for which no new one was given',
      () => given(old),
      {},
      /^There is no new key in AUDIT_KEY: .*, restart every replica with both, and say/,
    ],
    [
      'for which only one of before was given',
      () => given(old, past),
      {},
      /^There is no new key in AUDIT_KEY/,
    ],
    [
      'that somebody else changes',
      () => given(old, next),
      { isTaken: true },
      /Somebody else has changed the key/,
    ],
  ])('%s is not changed', async (_, source, over, problem) => {
    expect((await rotated(source(), over)).done).toEqual({ problem: expect.stringMatching(problem) })
  })

  it('in a file of somebody’s own is looked for there, and nothing is made', async () => {
    const file = join(newDir(), 'key.pem')
    writeFileSync(file, pemOf(old))
    const source = { file, dataDir: newDir() }
    const { done } = await rotated(source)
    expect(done).toEqual({
      problem: expect.stringMatching(/^There is no new key in AUDIT_KEY_FILE \(.*\): .* makes it\), and say/),
    })
    writeFileSync(file, [old, next].map(pemOf).join(''))
    expect((await rotated(source)).done).toEqual({ key: nameOf(next) })
    expect(keysAt(source)).toHaveLength(2)
    expect(existsSync(join(source.dataDir, 'audit-key.pem'))).toBe(false)
  })

  it('is handed over to the newest that was never on record, by who and why, signed by the old one', async () => {
    const { done, entries } = await rotated(given(newKey(), old, next, past))
    expect(done).toEqual({ key: nameOf(next) })
    const { doc, ...person } = entries[0] ?? { doc: {} }
    expect(person).toEqual({ who: 'fay', name: 'Fay', platform: 'terminal' })
    expect(doc).toMatchObject({ key: nameOf(next), from, reason: 'every year', account: 'root' })
    expect(isHandedOver(origin, doc as never)).toBe(true)
  })

  it('that is lost is replaced without its signature', async () => {
    const { done, entries } = await rotated(given(next), { withoutOldKey: true })
    expect(done).toEqual({ key: nameOf(next) })
    expect(entries[0]?.doc).not.toHaveProperty('signature')
  })

  it('in the bot’s own file is made, with both there until it is on record', async () => {
    const source = own(old)
    const { done, during } = await rotated(source)
    const [kept, ...more] = keysAt(source)
    expect([during, more]).toEqual([2, []])
    expect(kept && done).toEqual({ key: kept && nameOf(kept) })
    expect(kept && isKey(kept, from)).toBe(false)
    expect(statSync(join(source.dataDir, 'audit-key.pem')).mode & 0o777).toBe(0o600)
    const lost = own(past)
    expect((await rotated(lost, { withoutOldKey: true })).during).toBe(1)
  })
})

describe('where keys are kept', () => {
  it('is named as people know it', () => {
    expect(nameOfSource({ given: '', file: 'x', dataDir: 'd' })).toBe('AUDIT_KEY')
    expect(nameOfSource({ file: 'x', dataDir: 'd' })).toBe('AUDIT_KEY_FILE (x)')
    expect(nameOfSource({ dataDir: 'd' })).toBe(join('d', 'audit-key.pem'))
  })

  it('keys are read from text, also of one line, and only those that a log is signed with', () => {
    const two = [old, next].map(pemOf).join('')
    for (const text of [two, two.replaceAll('\n', '\\n'), two.replaceAll('\n', ' ')])
      expect(keysIn(text).map((key) => isKey(key, from))).toEqual([true, false])
    expect(() => keysIn('words')).toThrow('there is no key in PEM form')
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    expect(() => keysIn(`${pemOf(old)}${pemOf(other)}`)).toThrow('must be Ed25519')
    expect(keysAt({ dataDir: newDir() })).toEqual([])
    expect(() => keysAt({ file: newDir(), dataDir: '' })).toThrow('EISDIR')
  })

  it('the first start makes one, and another that was first wins', async () => {
    const tree = (key: string, error?: Error) => ({
      state: async () => ({ key }) as never,
      sequence: async () => {
        if (error) throw error
        return 0
      },
      changeKey: async () => false,
    })
    const fresh = { dataDir: join(newDir(), 'data') }
    const signer = await openSigner(fresh, tree(''))
    expect(signer.key(origin)).toBe(keysAt(fresh)[0] && nameOf(keysAt(fresh)[0] as typeof old))
    expect(statSync(join(fresh.dataDir, 'audit-key.pem')).mode & 0o777).toBe(0o600)
    // A second start finds it there, and keeps it also when it does not fit.
    await expect(openSigner(fresh, tree('', new LogKeyError(from)))).rejects.toThrow(LogKeyError)
    expect(keysAt(fresh)).toHaveLength(1)
    expect(readdirSync(fresh.dataDir)).toEqual(['audit-key.pem'])
    const late = { dataDir: newDir() }
    await expect(openSigner(late, tree('', new LogKeyError(from)))).rejects.toThrow(
      /is signed by the key .*Nothing was started/,
    )
    expect(keysAt(late)).toEqual([])
    const refusedFor = (source: KeySource) =>
      openSigner(source, tree(from, new LogKeyError(from))).then(String, (error: Error) => error.message)
    expect(await refusedFor(late)).toContain(
      `${from}, and there is none in ${join(late.dataDir, 'audit-key')}`,
    )
    expect(await refusedFor(given(past))).toContain(`${from}, and AUDIT_KEY holds ${nameOf(past)}.`)
    expect(isKey(old, 'words')).toBe(false)
    await expect(
      openSigner({ dataDir: newDir() }, tree(from, new LogKeyError(from)), { mustSign: false }),
    ).resolves.toBeDefined()
    await expect(openSigner({ dataDir: newDir() }, tree('', new TypeError('broken')))).rejects.toThrow(
      'broken',
    )
    const none = { dataDir: newDir() }
    await openSigner(none, tree(from))
    await openSigner({ ...none, ...given(old), dataDir: none.dataDir }, tree(''))
    const file = join(newDir(), 'key.pem')
    writeFileSync(file, pemOf(old))
    await openSigner({ ...none, file }, tree(''))
    expect(existsSync(join(none.dataDir, 'audit-key.pem'))).toBe(false)
  })
})

it('a signer follows the key that the log asks for, looks again where keys are kept, and signs with nothing else', () => {
  let held = [old, past]
  let loads = 0
  const signer = signerOf(() => {
    loads += 1
    if (held.length === 0) throw new Error('the file is gone')
    return held
  })
  expect(signer.key(origin)).toBe(nameOf(past))
  expect([signer.follow(from), signer.key(origin), loads]).toEqual([true, from, 1])
  expect([signer.follow(nameOf(next)), signer.key(origin), loads]).toEqual([false, from, 2])
  held = [next]
  expect([signer.follow(from), loads]).toEqual([true, 2])
  expect([signer.follow(nameOf(next)), signer.key(origin), loads]).toEqual([true, nameOf(next), 3])
  expect(signer.key('bellhop/two')).not.toBe(nameOf(next))
  held = []
  expect([signer.follow(from), signer.follow(nameOf(next))]).toEqual([false, true])
  const empty = signerOf(() => [])
  expect(empty.key(origin)).toBeUndefined()
  expect(() => empty.seal('words')).toThrow(LogKeyError)
})
