import { isSignedBy, openNote } from '../../verify.mjs'
import { type AuditRow, leafOf, nounOf } from '../model/audit-entry.ts'
import { type Checkpoint, entryKinds } from '../model/checkpoint.ts'
import { appendLeaves, emptyFrontier, type Frontier, rootOf } from '../model/merkle.ts'
import { storedEvery } from '../storage/audit-tree.ts'
import type { Store } from '../storage/store.ts'
import { chainStart, followChain } from './hash-chain.ts'
import { compareWitnesses, type WitnessReport } from './witness/compare.ts'
import type { Witness } from './witness/witness.ts'

/** What verification found: the log as it was written, or the first thing that is not. */
export type Verdict =
  | {
      ok: true
      entries: number
      checkpoints: number
      root: string
      note: string | undefined
      keys: string[]
      witnesses: WitnessReport[]
    }
  | { ok: false; seq: number; problem: AuditProblem | 'witness'; sentence: string }

type AuditProblem = keyof typeof sentences

type VerifyOptions = {
  /** The key that this bot signs with, where it is known. */
  key?: string
  now?: number
  /** Who keeps checkpoints outside. */
  witnesses?: readonly Witness[]
  progress?: (entries: number) => void
}

const pageSize = 2_000
/** An entry gets its number within this time, or something is wrong. */
const numberedWithinMs = 1_000

/**
 * Builds the whole tree again from its leaves, in constant memory, and names the first thing that is not as it was
 * written: an entry, a checkpoint, a signature. Someone who holds the key and the database can still rewrite everything:
 * only a checkpoint that is kept elsewhere tells.
 */
export const verify = async (
  { auditTree, anchors }: Pick<Store, 'auditTree' | 'anchors'>,
  { key, now = Date.now(), witnesses = [], progress = () => undefined }: VerifyOptions = {},
): Promise<Verdict> => {
  const state = await auditTree.state()
  const waitingSince = await auditTree.waitingSince()
  const last = state.base + state.frontier.size
  const checkpoints = inPages(
    (after: number) => auditTree.checkpointsAfter(after, pageSize),
    ({ size }) => size,
  )
  const nodes = inPages(
    (after: number) => auditTree.nodesAfter(storedEvery, after, pageSize),
    ({ index }) => index,
    -1,
  )
  const keys: string[] = []
  let frontier: Frontier = emptyFrontier
  let chain = chainStart
  let next = await checkpoints()
  let checked = 0
  let latest: Checkpoint | undefined
  // The walk starts below every number there could be: an entry planted before the first one is found too.
  for (let at = Number.MIN_SAFE_INTEGER, expected = 1; ; ) {
    const rows = await auditTree.rowsAfter(at, pageSize)
    for (const row of rows) {
      const seq = Number(row.seq)
      if (seq > last) break
      if (seq !== expected) return bad(seq < expected ? 'added' : 'missing', Math.min(seq, expected))
      if (seq <= state.base) {
        const hash = followChain(chain, row)
        if (hash === undefined || row.noun !== nounOf(String(row.command))) return bad('changed', seq)
        chain = hash
      } else {
        const leaf = leafOf(row as AuditRow)
        if (row.noun !== nounOf(String(row.command)) || leaf.toString('base64') !== row.leaf) {
          return bad('changed', seq)
        }
        if (row.kind === entryKinds.key)
          keys.push(String((JSON.parse(String(row.doc)) as { key: unknown }).key))
        if (row.kind === entryKinds.takenOver && !isEndOfChain(row, state.base, chain))
          return bad('chain', state.base)
        const completed: { index: number; hash: Buffer }[] = []
        frontier = appendLeaves(frontier, [leaf], ({ level, index }, hash) => {
          if (level === storedEvery) completed.push({ index, hash })
        })
        for (const { index, hash } of completed) {
          const node = await nodes()
          if (node?.index !== index || !node.hash.equals(hash)) return bad('tree', seq)
        }
        if (next !== undefined && next.size === frontier.size) {
          const problem = problemOf(next, rootOf(frontier), keys)
          if (problem !== undefined) return bad(problem, seq)
          latest = next
          checked += 1
          next = await checkpoints()
        }
      }
      expected = seq + 1
      at = seq
    }
    progress(expected - 1)
    if (rows.length < pageSize || Number(rows.at(-1)?.seq) > last) {
      if (expected <= last) return bad('missing', expected)
      const beyond = rows.find(({ seq }) => Number(seq) > last)
      if (beyond !== undefined && !(await isNewlyNumbered(auditTree, Number(beyond.seq)))) {
        return bad('added', Number(beyond.seq))
      }
      break
    }
  }
  if (!rootOf(frontier).equals(rootOf(state.frontier))) return bad('tree', last)
  if (frontier.size > 0 && latest?.size !== frontier.size) return bad('unsigned', last)
  if (next !== undefined && !(await isNewlyNumbered(auditTree, state.base + next.size)))
    return bad('shortened', last + 1)
  if (latest !== undefined && key !== undefined && keys.at(-1) !== key) return bad('otherKey', last)
  if (waitingSince !== undefined && now - waitingSince > numberedWithinMs) return bad('unnumbered', last + 1)
  const { reports, first } = await compareWitnesses({ auditTree, anchors }, keys, witnesses)
  if (first !== undefined)
    return { ok: false, seq: state.base + first.size, problem: 'witness', sentence: first.sentence }
  const root = rootOf(frontier).toString('base64')
  return { ok: true, entries: last, checkpoints: checked, root, note: latest?.note, keys, witnesses: reports }
}

/** Whether the log has grown to this entry since the walk began. */
const isNewlyNumbered = async (auditTree: Store['auditTree'], seq: number): Promise<boolean> => {
  const { base, frontier } = await auditTree.state()
  return seq <= base + frontier.size
}

/** What is wrong with a checkpoint, given the root that the entries make and the keys that were on record by then. */
const problemOf = (
  { note, size, root: stored }: Checkpoint,
  root: Buffer,
  keys: readonly string[],
): AuditProblem | undefined => {
  const opened = openNote(note)
  if (opened === undefined || opened.size !== size || !opened.root.equals(stored)) return 'checkpoint'
  if (!opened.root.equals(root)) return 'rewritten'
  return isSignedBy(opened, keys.at(-1) ?? '') ? undefined : 'signature'
}

const isEndOfChain = (row: Record<string, unknown>, base: number, hash: string): boolean => {
  const head = JSON.parse(String(row.doc)) as { seq: unknown; hash: unknown }
  return head.seq === base && head.hash === hash
}

/** One after the other, read a page at a time. */
const inPages = <T>(
  read: (after: number) => Promise<T[]>,
  keyOf: (one: T) => number,
  start = 0,
): (() => Promise<T | undefined>) => {
  let page: T[] = []
  let at = 0
  let last = start
  return async () => {
    if (at === page.length) {
      page = await read(last)
      at = 0
    }
    const one = page[at++]
    if (one !== undefined) last = keyOf(one)
    else at = 0
    return one
  }
}

const bad = (problem: AuditProblem, seq: number): Verdict => ({
  ok: false,
  seq,
  problem,
  sentence: sentences[problem](seq),
})

const sentences = {
  changed: (seq: number) => `Entry ${seq} of the audit log is not as it was written.`,
  missing: (seq: number) => `Entry ${seq} of the audit log is missing.`,
  added: (seq: number) => `Entry ${seq} of the audit log was not written by Bellhop.`,
  chain: (seq: number) =>
    `The older part of the audit log, up to entry ${seq}, is not the one that was taken over.`,
  tree: (seq: number) => `The tree of the audit log does not fit its entries up to ${seq}.`,
  checkpoint: (seq: number) => `The checkpoint at entry ${seq} cannot be read.`,
  rewritten: (seq: number) =>
    `The entries up to ${seq} are not those that the checkpoint there was signed for.`,
  signature: (seq: number) => `The checkpoint at entry ${seq} is not signed by the key on record.`,
  unsigned: (seq: number) => `The last checkpoint of the audit log, at entry ${seq}, is missing.`,
  shortened: (seq: number) => `A checkpoint was signed for entries from ${seq} on, and they are gone.`,
  otherKey: () =>
    'The audit log ends with the signature of another key than the one that this bot signs with.',
  unnumbered: (seq: number) =>
    `Entries from ${seq} on wait for their number for more than a second: nothing sequences the log.`,
}
