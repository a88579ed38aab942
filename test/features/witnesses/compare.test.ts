import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { compareWitnesses } from '../../../src/features/witnesses/compare.ts'
import { createFolderWitness } from '../../../src/features/witnesses/folder.ts'
import { type Witness, WitnessError } from '../../../src/features/witnesses/witness.ts'
import { newSigner } from '../../../src/kernel/log/signer.ts'
import { treeOf } from '../../audit/rfc-6962.ts'
import { until } from '../../harness/until.ts'
import { whenDone } from '../../harness/when-done.ts'
import { gather } from '../../storage/store.ts'

const signer = newSigner()
const origin = 'bellhop/one'
const key = signer.key(origin) ?? ''
const tree = treeOf(Array.from({ length: 12 }, (_, n) => `leaf ${n}`))
const noteOf = (size: number, over: { origin?: string; root?: Buffer } = {}, by = signer) =>
  by.checkpoint({ origin, size, root: tree.rootOver(0, Math.min(size, 12)), ...over })

const compared = (
  given: readonly string[],
  witness: Partial<Witness> = {},
  sizes = given.map((_, at) => at + 1),
) => {
  const pages: number[] = []
  const copies = given.map((note, at) => ({ size: sizes[at] as number, note, proof: `proof ${sizes[at]}` }))
  const store = {
    auditTree: {
      rootsAt: async (some: number[]) =>
        new Map(some.filter((size) => size <= 12 && size > 0).map((size) => [size, tree.rootOver(0, size)])),
      state: async () => ({ origin, frontier: { size: 10 } }),
    },
    of: () => ({
      latest: async () => [{ witness: 'folder', size: 9, at: 5 }],
      after: async (_: string, size: number, limit: number) => {
        pages.push(size)
        return copies.filter((one) => one.size > size).slice(0, limit)
      },
    }),
  }
  return compareWitnesses(
    store as never,
    [newSigner().key(origin) ?? '', key],
    [{ name: 'folder', keep: async () => '', ...witness }],
  ).then((found) => ({ ...found, pages }))
}
const holding = (...notes: string[]): Partial<Witness> => ({
  held: async function* () {
    for (const note of notes) yield { note }
  },
})

describe('what a witness was given', () => {
  it('agrees with the log up to its last entry', async () => {
    const { first, reports, pages } = await compared([noteOf(1), noteOf(9), noteOf(10)], {}, [1, 9, 10])
    expect(first).toBeUndefined()
    expect(reports).toEqual([
      { name: 'folder', copies: 3, held: undefined, lost: 0, away: undefined, latest: { size: 9, at: 5 } },
    ])
    expect(pages).toEqual([0])
  })

  const copy = 'The witness "folder" disagrees: the copy of a checkpoint that it was given'
  it.each<[string, string, object]>([
    ['words', 'words', { size: 0, fault: 'changed', sentence: `${copy} cannot be read.` }],
    [
      'another log',
      noteOf(4, { origin: 'bellhop/two' }),
      { size: 4, fault: 'cut', sentence: `${copy} is of another log, bellhop/two; this one is bellhop/one.` },
    ],
    [
      'another key',
      noteOf(4, {}, newSigner()),
      {
        size: 4,
        fault: 'unknownKey',
        sentence: `${copy}, of 4 entries, is not signed by a key of this log.`,
      },
    ],
    [
      'more entries than there are',
      noteOf(11),
      { size: 11, fault: 'cut', sentence: `${copy} is of 11 entries, and the log has 10: its end is gone.` },
    ],
    [
      'other entries',
      noteOf(4, { root: Buffer.alloc(32) }),
      { size: 4, fault: 'changed', sentence: `${copy}, of 4 entries, is of other entries than the log has.` },
    ],
  ])('disagrees where it is of %s', async (_, note, expected) => {
    expect((await compared([noteOf(9), note], {}, [4, 9])).first).toEqual({ witness: 'folder', ...expected })
  })

  it('tells of the one about the fewest entries, the first of them', async () => {
    const two = [
      noteOf(6, { root: Buffer.alloc(32) }),
      noteOf(3, {}, newSigner()),
      noteOf(3, { root: Buffer.alloc(32) }),
    ]
    expect((await compared(two)).first).toMatchObject({ size: 3, fault: 'unknownKey' })
  })

  it('is checked with what the witness answered', async () => {
    const check = (_: string, proof: string) => {
      if (proof === 'proof 2') throw new TypeError('the stamp is for something else')
    }
    expect((await compared([noteOf(1), noteOf(2)], { check })).first).toEqual({
      witness: 'folder',
      size: 2,
      fault: 'changed',
      sentence:
        'The witness "folder" disagrees: what it gave for the checkpoint of 2 entries is not good: the stamp is for something else.',
    })
  })

  it.each([
    [499, [0]],
    [500, [0, 500]],
    [501, [0, 500]],
  ])('is read a page at a time: %i of them', async (count, expected) => {
    const { pages, reports } = await compared(Array.from({ length: count }, () => noteOf(5)))
    expect(pages).toEqual(expected)
    expect(reports).toMatchObject([{ copies: count }])
  })
})

describe('what a witness holds', () => {
  it.each<[string, string[], { held: number; lost: number }]>([
    ['all of it', [noteOf(1), noteOf(2), noteOf(3)], { held: 3, lost: 0 }],
    ['one is gone', [noteOf(1), noteOf(3)], { held: 2, lost: 1 }],
    ['it cannot be read so far back', [noteOf(3)], { held: 1, lost: 0 }],
    ['the newest is gone', [noteOf(2), noteOf(1)], { held: 2, lost: 1 }],
    ['nothing', [], { held: 0, lost: 3 }],
  ])('%s', async (_, notes, expected) => {
    const { reports, first } = await compared([noteOf(1), noteOf(2), noteOf(3)], holding(...notes))
    expect(first).toBeUndefined()
    expect(reports).toMatchObject([{ ...expected, away: undefined }])
  })

  it('is nothing where it cannot be read, which is told', async () => {
    const { reports, first } = await compared([noteOf(1), noteOf(3)], holding('words', noteOf(3)), [1, 3])
    expect(reports).toMatchObject([{ held: 1, lost: 0 }])
    expect(first).toMatchObject({ size: 0, sentence: expect.stringContaining('cannot be read') })
  })

  it('is compared with the log, all of it', async () => {
    const bad = noteOf(4, { root: Buffer.alloc(32) })
    for (const notes of [
      [bad],
      [...Array<string>(499).fill(noteOf(5)), bad],
      [...Array<string>(500).fill(noteOf(5)), bad],
    ])
      expect((await compared([], holding(...notes))).first).toMatchObject({
        size: 4,
        sentence: expect.stringContaining('disagrees: a checkpoint that it holds, of 4 entries, is of other'),
      })
  })

  it('cannot be said while it is away', async () => {
    // biome-ignore lint/correctness/useYield: it is away before it gives anything
    const held = async function* () {
      throw new WitnessError('it does not answer')
    }
    expect((await compared([noteOf(1)], { held })).reports).toMatchObject([
      { copies: 1, held: undefined, lost: 0, away: 'it does not answer' },
    ])
  })
})

const heldBy = (witness: Witness) => {
  if (witness.held === undefined) throw new Error('it cannot be asked')
  return witness.held()
}

it('a folder keeps one file for each checkpoint, whole or not at all, and never another in its place', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'bellhop-witness-')), 'deep', 'er')
  const witness = createFolderWitness(folder)
  await expect(gather(heldBy(witness))).rejects.toThrow('ENOENT')
  expect(await witness.keep({ size: 7, note: 'seven' })).toBe('checkpoint-000000000007.txt')
  expect(await witness.keep({ size: 7, note: 'seven' })).toBe('checkpoint-000000000007.txt')
  await expect(witness.keep({ size: 7, note: 'other' })).rejects.toThrow(
    'it holds another checkpoint of 7 entries',
  )
  expect(await witness.keep({ size: 1_234_567_890_123, note: 'many' })).toBe('checkpoint-1234567890123.txt')
  expect(readdirSync(folder)).toEqual(['checkpoint-000000000007.txt', 'checkpoint-1234567890123.txt'])
  expect(statSync(join(folder, 'checkpoint-000000000007.txt')).mode & 0o777).toBe(0o644 & ~process.umask())
  for (const name of ['notes.txt', 'checkpoint-7.txt', 'checkpoint-000000000008.txt.part'])
    writeFileSync(join(folder, name), 'words')
  expect((await gather(heldBy(witness))).map(({ note }) => note).toSorted()).toEqual(['many', 'seven'])
  mkdirSync(join(folder, 'checkpoint-000000000009.txt'))
  await expect(witness.keep({ size: 9, note: 'nine' })).rejects.toMatchObject({ code: 'EISDIR' })
  await expect(gather(heldBy(witness))).rejects.toMatchObject({ code: 'EISDIR' })
})

it('a folder that does not answer is away, is asked nothing more meanwhile, and is asked again once it has answered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-witness-'))
  const pipe = join(folder, 'checkpoint-000000000007.txt')
  // Nobody writes into it, so whoever reads it waits.
  execFileSync('mkfifo', [pipe])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  whenDone(() => void vi.useRealTimers())
  const witness = createFolderWitness(folder)
  const kept = witness.keep({ size: 7, note: 'seven' })
  const away = expect(kept).rejects.toThrow('it does not answer')
  vi.advanceTimersByTime(9_999)
  expect(await Promise.race([kept, immediately()])).toBe('not yet')
  vi.advanceTimersByTime(1)
  await away
  vi.useRealTimers()
  await expect(witness.keep({ size: 8, note: 'eight' })).rejects.toThrow('it does not answer')
  await expect(gather(heldBy(witness))).rejects.toThrow('it does not answer')
  expect(readdirSync(folder)).toEqual(['checkpoint-000000000007.txt'])
  await writeFile(pipe, 'seven')
  expect(await until(() => witness.keep({ size: 8, note: 'eight' }))).toBe('checkpoint-000000000008.txt')
})

const immediately = () => new Promise((resolve) => setImmediate(resolve, 'not yet'))
