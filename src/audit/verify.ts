import { isSignedBy, openNote } from '../../verify.mjs'
import { type AuditRow, leafOf, nounOf } from '../model/audit-entry.ts'
import { type Checkpoint, entryKinds } from '../model/checkpoint.ts'
import { appendLeaves, emptyFrontier, type Frontier, rootOf, type Subtree } from '../model/merkle.ts'
import { storedEvery } from '../storage/audit-tree.ts'
import type { Store } from '../storage/store.ts'
import { chainStart, followChain } from './hash-chain.ts'
import { compareWitnesses, type WitnessReport } from './witness/compare.ts'
import type { Witness } from './witness/witness.ts'

/** What verification found: the log as it was written, or the first thing that is not. */
export type Verdict =
  | {
      ok: true
      /** The entry up to which everything was taken from an earlier checkpoint; 0 when all of it was checked. */
      since: number
      entries: number
      /** How many of them the tree holds. */
      size: number
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
  /** A checkpoint up to which the log was verified before; what follows it is checked. */
  from?: Checkpoint | undefined
  progress?: (entries: number, total: number) => void
}

const pageSize = 2_000
/** An entry gets its number within this time, or something is wrong. */
const numberedWithinMs = 1_000

/**
 * Builds the tree again from its leaves, in constant memory, and names the first thing that is not as it was written: an
 * entry, a checkpoint, a signature. From a checkpoint on, what was before it is taken from the hashes that are stored, and
 * these must fit its signature. Someone who holds the key and the database can still rewrite everything: only a
 * checkpoint that is kept elsewhere tells.
 */
export const verify = async (
  { auditTree, anchors }: Pick<Store, 'auditTree' | 'anchors'>,
  { key, now = Date.now(), from, witnesses = [], progress = () => undefined }: VerifyOptions = {},
): Promise<Verdict> => {
  const state = await auditTree.state()
  const waitingSince = await auditTree.waitingSince()
  const last = state.base + state.frontier.size
  const start = from === undefined || from.size > state.frontier.size ? undefined : from
  const keys = start === undefined ? [] : await auditTree.keysUpTo(state.base + start.size)
  let frontier: Frontier = start === undefined ? emptyFrontier : await auditTree.frontierAt(start.size)
  if (start !== undefined) {
    const problem = problemOf(start, rootOf(frontier), keys)
    if (problem !== undefined) return bad(problem, state.base + start.size)
  }
  const checkpoints = inPages(
    (after: number) => auditTree.checkpointsAfter(after, pageSize),
    ({ size }) => size,
    frontier.size,
  )
  const began = frontier.size
  /** Of each stored level, the hashes from where the walk begins. */
  const levels = new Map<number, ReturnType<typeof nodesOf>>()
  const nodesOf = (level: number) =>
    inPages(
      (after: number) => auditTree.nodesAfter(level, after, pageSize),
      ({ index }) => index,
      Math.floor(began / 2 ** level) - 1,
    )
  let chain = chainStart
  let next = await checkpoints()
  let checked = 0
  let latest = start
  /** Leaves since the last checkpoint or page, which join the tree together. */
  let leaves: Buffer[] = []
  /** Adds them; where the stored tree says something else, the entry at which it does. */
  const extend = async (): Promise<number | undefined> => {
    const completed: (Subtree & { hash: Buffer })[] = []
    frontier = appendLeaves(frontier, leaves, (subtree, hash) => {
      if (subtree.level % storedEvery === 0) completed.push({ ...subtree, hash })
    })
    leaves = []
    for (const { level, index, hash } of completed) {
      const nodes = levels.get(level) ?? nodesOf(level)
      levels.set(level, nodes)
      const node = await nodes()
      if (node?.index !== index || !node.hash.equals(hash)) return state.base + (index + 1) * 2 ** level
    }
    return undefined
  }
  // The walk starts below every number there could be: an entry planted before the first one is found too.
  let at = start === undefined ? Number.MIN_SAFE_INTEGER : state.base + start.size
  let expected = start === undefined ? 1 : at + 1
  for (let reading = auditTree.rowsAfter(at, pageSize); ; ) {
    const rows = await reading
    const isLastPage = rows.length < pageSize || Number(rows.at(-1)?.seq) > last
    // The next page is read while this one is hashed.
    if (!isLastPage) reading = auditTree.rowsAfter(Number(rows.at(-1)?.seq), pageSize)
    for (const row of rows) {
      const seq = Number(row.seq)
      if (seq > last) break
      if (seq !== expected)
        return settled(reading, bad(seq < expected ? 'added' : 'missing', Math.min(seq, expected)))
      if (seq <= state.base) {
        const hash = followChain(chain, row)
        if (hash === undefined || row.noun !== nounOf(String(row.command)))
          return settled(reading, bad('changed', seq))
        chain = hash
      } else {
        const leaf = leafOf(row as AuditRow)
        if (row.noun !== nounOf(String(row.command)) || leaf.toString('base64') !== row.leaf) {
          return settled(reading, bad('changed', seq))
        }
        if (row.kind === entryKinds.key)
          keys.push(String((JSON.parse(String(row.doc)) as { key: unknown }).key))
        if (row.kind === entryKinds.takenOver && !isEndOfChain(row, state.base, chain))
          return settled(reading, bad('chain', state.base))
        leaves.push(leaf)
        if (next !== undefined && next.size === frontier.size + leaves.length) {
          const wrong = await extend()
          if (wrong !== undefined) return settled(reading, bad('tree', wrong))
          const problem = problemOf(next, rootOf(frontier), keys)
          if (problem !== undefined) return settled(reading, bad(problem, seq))
          latest = next
          checked += 1
          next = await checkpoints()
        }
      }
      expected = seq + 1
      at = seq
    }
    const wrong = await extend()
    if (wrong !== undefined) return settled(reading, bad('tree', wrong))
    progress(expected - 1, last)
    if (isLastPage) {
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
  return {
    ok: true,
    since: start === undefined ? 0 : state.base + start.size,
    entries: last,
    size: frontier.size,
    checkpoints: checked,
    root,
    note: latest?.note,
    keys,
    witnesses: reports,
  }
}

/** The verdict, once the page that is being read ahead is there: nobody reads it any more. */
const settled = async (reading: Promise<unknown>, verdict: Verdict): Promise<Verdict> => {
  await reading.catch(() => undefined)
  return verdict
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
