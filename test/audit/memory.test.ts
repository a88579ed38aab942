import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { createLogMemory } from '../../src/kernel/log/memory.ts'
import { newSigner } from '../../src/kernel/log/signer.ts'
import { DatabaseError } from '../../src/lib/sql/database.ts'
import { treeOf } from './rfc-6962.ts'

const signer = newSigner()
const origin = 'bellhop/one'
const ours = treeOf(Array.from({ length: 20 }, (_, n) => `leaf ${n}`))
const theirs = treeOf(Array.from({ length: 20 }, (_, n) => `other ${n}`))

/** A log of so many entries beside a folder, and what was warned of. */
const open = (folder = join(mkdtempSync(join(tmpdir(), 'bellhop-memory-')), 'data'), own = signer) => {
  const log = {
    size: 7,
    tree: ours,
    origin,
    by: own,
    hasKey: true,
    hashes: 'there' as 'there' | 'gone' | 'down' | 'down for proofs',
    looks: 0,
  }
  const warned: string[] = []
  const auditTree = {
    state: async () => ({ key: log.size === 0 || !log.hasKey ? '' : own.key(origin), origin: log.origin }),
    checkpoint: async () => {
      log.looks += 1
      if (log.hashes === 'down') throw new DatabaseError('down', 'away')
      if (log.size === 0) return undefined
      const root = log.tree.rootOver(0, log.size)
      return { size: log.size, root, note: log.by.checkpoint({ origin: log.origin, size: log.size, root }) }
    },
    hashOfRange: async ({ from, to }: { from: number; to: number }) => {
      if (log.hashes === 'down for proofs') throw new DatabaseError('down', 'away')
      if (log.hashes === 'gone') throw new Error('no such hash')
      return log.tree.rootOver(from, to)
    },
  }
  const memory = createLogMemory({
    folder,
    store: { auditTree: auditTree as never },
    signer: own,
    warn: (words) => warned.push(words.replace(folder, '')),
  })
  return { log, memory, warned, folder, file: join(folder, 'audit-checkpoint.txt') }
}
const notContinued = 'the audit log does not continue the checkpoint of 7 entries in /audit-checkpoint.txt'
afterEach(() => void vi.useRealTimers())

it('keeps the newest checkpoint in a file of its own, and writes it once', async () => {
  const { log, memory, file, folder, warned } = open()
  await memory.look()
  expect(memory.recall()).toMatchObject({ size: 7, origin })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { ino } = statSync(file)
  await memory.look()
  expect(statSync(file).ino).toBe(ino)
  for (log.size of [8, 13, 20]) {
    await memory.look()
    expect(open(folder).memory.recall()).toMatchObject({ size: log.size })
  }
  expect(warned).toEqual([])
})

it.each<[string, Partial<ReturnType<typeof open>['log']>]>([
  ['is shorter', { size: 6 }],
  ['is empty', { size: 0 }],
  ['has as many other entries', { tree: theirs }],
  ['has other entries and more of them', { tree: theirs, size: 9 }],
  ['is another one', { origin: 'bellhop/two', size: 9 }],
  ['has lost the hashes that show it', { hashes: 'gone', size: 9 }],
])('a log that %s is warned of once, and not kept', async (_, change) => {
  const { log, memory, warned, file } = open()
  await memory.look()
  const before = readFileSync(file, 'utf8')
  Object.assign(log, change)
  await memory.look()
  await memory.look()
  expect(warned).toEqual([notContinued])
  expect(readFileSync(file, 'utf8')).toBe(before)
  // Whole again, it is kept, and the next fault is told of anew.
  Object.assign(log, { size: 9, tree: ours, origin, hashes: 'there' })
  await memory.look()
  expect(memory.recall()).toMatchObject({ size: 9 })
  log.size = 8
  await memory.look()
  expect(warned).toHaveLength(2)
})

it('a database that goes away while the two are compared is not taken for another log', async () => {
  const { log, memory, warned, file } = open()
  await memory.look()
  const before = readFileSync(file, 'utf8')
  Object.assign(log, { size: 9, hashes: 'down for proofs' })
  await expect(memory.look()).rejects.toThrow(DatabaseError)
  expect([warned, readFileSync(file, 'utf8')]).toEqual([[], before])
})

it('a checkpoint of another key is not kept, nor one of a log without a key', async () => {
  for (const change of [{ by: newSigner() }, { size: 0 }, { hasKey: false }]) {
    const { log, memory, file } = open(undefined, newSigner())
    Object.assign(log, change)
    await memory.look()
    expect(existsSync(file)).toBe(false)
  }
})

it('a file that is taken away, or holds something else, is told of and does not make it forget', async () => {
  const { log, memory, warned, file } = open()
  expect(memory.recall()).toBeUndefined()
  await memory.look()
  rmSync(file)
  expect(memory.recall()).toMatchObject({ size: 7 })
  expect(warned).toEqual([])
  writeFileSync(file, 'words')
  expect(memory.recall()).toMatchObject({ size: 7 })
  memory.recall()
  expect(warned).toEqual(['/audit-checkpoint.txt holds no checkpoint of an audit log'])
  log.size = 8
  await memory.look()
  expect(memory.recall()).toMatchObject({ size: 8 })
  rmSync(file)
  mkdirSync(file)
  expect(memory.recall()).toMatchObject({ size: 8 })
  log.size = 9
  await memory.look()
  expect(warned.slice(1)).toEqual([
    '/audit-checkpoint.txt cannot be read',
    '/audit-checkpoint.txt cannot be written',
  ])
})

it('replaces what was kept, whatever it was', async () => {
  const { memory, folder } = open()
  await memory.look()
  const note = signer.checkpoint({ origin, size: 3, root: theirs.rootOver(0, 3) })
  memory.replace(note)
  expect(open(folder).memory.recall()).toMatchObject({ size: 3 })
})

it('looks at once and then every second, warns once of a database that is away, and looks a last time when it stops', async () => {
  vi.useFakeTimers()
  const { log, memory, warned } = open()
  memory.start()
  await vi.advanceTimersByTimeAsync(0)
  expect(log.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(999)
  expect(log.looks).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(log.looks).toBe(2)
  log.hashes = 'down'
  await vi.advanceTimersByTimeAsync(3_000)
  expect(log.looks).toBe(5)
  expect(warned).toEqual(['the audit log could not be compared with what is remembered'])
  await memory.stop()
  expect(log.looks).toBe(6)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(log.looks).toBe(6)
  await expect(memory.look()).rejects.toThrow(DatabaseError)
})
