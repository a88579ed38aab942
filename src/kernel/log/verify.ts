import { isSameKey, isSignedBy, namesKey, type OpenNote, openNote } from '../../../verify.mjs'
import { wallTime } from '../../lib/clock.ts'
import { appendLeaves, emptyFrontier, type Frontier, rootOf, type Subtree } from '../../lib/codecs/merkle.ts'
import { type AuditRow, leafOf, nounOf } from '../model/audit-entry.ts'
import { type Checkpoint, entryKinds } from '../model/checkpoint.ts'
import { storedEvery } from '../store/audit-tree.ts'
import type { Store } from '../store/store.ts'
import { toolLine } from '../tool-words.ts'
import { chainStart, followChain } from './hash-chain.ts'
import { type KeyRecord, keyRecordOf } from './key-records.ts'

/** What kind of thing is wrong with a log; each is another matter for whoever reads it. */
export type LogFault =
  /** An entry, or what was signed about it, is not as it was written. */
  | 'changed'
  /** There were more entries than there are, or another log. */
  | 'cut'
  /** It is signed by a key that is not on record, or that this bot's key did not hand over to. */
  | 'unknownKey'
  /** Nobody gives its newest entries their number. */
  | 'unnumbered'

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
      /** Every key that was put on record, the one that signs now last. */
      keys: KeyRecord[]
      /** The key of this bot has handed the log over to another one, which it does not have. */
      otherKey: string | undefined
      /** Of how many entries the checkpoint is that this bot keeps outside the database. */
      remembered: number | undefined
      witnesses: WitnessReport[]
    }
  | {
      ok: false
      seq: number
      problem: AuditProblem | 'otherKey' | 'witness' | 'remembered'
      fault: LogFault
      sentence: string
    }

/** What a witness had to say. */
export type WitnessReport = {
  name: string
  /** Checkpoints that it was given and that were compared: our copies with what it answered. */
  copies: number
  /** How many it holds itself, where it could be asked. */
  held: number | undefined
  /** Given to it, and not there any more. */
  lost: number
  /** Why it could not be asked now. */
  away: string | undefined
  latest: { size: number; at: number } | undefined
}

export type Disagreement = {
  witness: string
  size: number
  fault: 'changed' | 'cut' | 'unknownKey'
  sentence: string
}

/** What those outside say who were given checkpoints: each for itself, and the first that disagrees. */
export type Compared = { reports: readonly WitnessReport[]; first: Disagreement | undefined }

type AuditProblem = keyof typeof problems

type VerifyOptions = {
  /** The key that this bot has, where it has one. */
  key?: string | undefined
  /** The checkpoint that it keeps outside the database. */
  remembered?: OpenNote | undefined
  now?: number
  /** Asks those who keep checkpoints outside, which keys of the log have signed. */
  compare?: (keys: readonly string[]) => Promise<readonly Compared[]>
  /** A checkpoint up to which the log was verified before; what follows it is checked. */
  from?: Checkpoint | undefined
  /** How many entries are read at a time, which makes no difference to the verdict. */
  pageSize?: number
  progress?: (entries: number, total: number) => void
}

/** An entry gets its number within this time, or something is wrong. */
const numberedWithinMs = 1_000

/**
 * Builds the tree again from its leaves, in constant memory, and names the first thing that is not as it was written: an
 * entry, a checkpoint, a signature. From a checkpoint on, what was before it is taken from the hashes that are stored, and
 * these must fit its signature. Someone who holds the key and the database can still rewrite everything: only a
 * checkpoint that is kept where they cannot write tells.
 */
export const verify = async (
  { auditTree }: Pick<Store, 'auditTree'>,
  {
    key,
    remembered,
    now = wallTime(),
    from,
    compare = async () => [],
    pageSize = 2_000,
    progress = () => undefined,
  }: VerifyOptions = {},
): Promise<Verdict> => {
  const state = await auditTree.state()
  const waitingSince = await auditTree.waitingSince()
  const last = state.base + state.frontier.size
  const start = from === undefined || from.size > state.frontier.size ? undefined : from
  const earlier = start === undefined ? [] : await auditTree.keyEntries(state.base + start.size)
  const keys = earlier.map((entry) => keyRecordOf(state.origin, entry))
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
  const before = start === undefined ? Number.MIN_SAFE_INTEGER : state.base + start.size
  let expected = start === undefined ? 1 : before + 1
  for (let reading = auditTree.rowsAfter(before, pageSize); ; ) {
    const rows = await reading
    const end = Number(rows.at(-1)?.seq)
    const isLastPage = rows.length < pageSize || end > last
    // The next page is read while this one is hashed.
    if (!isLastPage) reading = auditTree.rowsAfter(end, pageSize)
    for (const row of rows) {
      const seq = Number(row.seq)
      if (seq > last) break
      if (seq < expected) return settled(reading, bad('added', seq))
      if (seq > expected) return settled(reading, bad('missing', expected))
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
          keys.push(
            keyRecordOf(state.origin, {
              seq,
              at: Number(row.at),
              name: String(row.name),
              doc: JSON.parse(String(row.doc)),
            }),
          )
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
    }
    const wrong = await extend()
    if (wrong !== undefined) return settled(reading, bad('tree', wrong))
    progress(expected - 1, last)
    if (isLastPage) {
      if (expected <= last) return bad('ended', expected)
      const beyond = rows.find(({ seq }) => Number(seq) > last)
      if (beyond !== undefined && !(await isNewlyNumbered(auditTree, Number(beyond.seq)))) {
        return next === undefined ? bad('added', Number(beyond.seq)) : bad('setBack', last)
      }
      break
    }
  }
  if (!rootOf(frontier).equals(rootOf(state.frontier))) return bad('tree', last)
  if (frontier.size > 0 && latest?.size !== frontier.size) return bad('unsigned', last)
  if (next !== undefined && !(await isNewlyNumbered(auditTree, state.base + next.size)))
    return bad('shortened', last + 1)
  const forgotten = remembered && (await whyForgotten(auditTree, remembered))
  if (forgotten !== undefined) return { ok: false, problem: 'remembered', ...forgotten }
  const other = latest === undefined || key === undefined ? undefined : otherKeyOf(keys, key)
  if (other !== undefined && !other.isHandedOver)
    return { ok: false, seq: other.seq, problem: 'otherKey', fault: 'unknownKey', sentence: other.sentence }
  if (waitingSince !== undefined && now - waitingSince > numberedWithinMs) return bad('unnumbered', last + 1)
  const compared = await compare(keys.map((one) => one.key))
  const [first] = compared.flatMap((one) => one.first ?? []).sort((one, other) => one.size - other.size)
  if (first !== undefined) {
    const { size, fault, sentence } = first
    return { ok: false, seq: state.base + size, problem: 'witness', fault, sentence }
  }
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
    otherKey: other?.sentence,
    remembered: remembered?.size,
    witnesses: compared.flatMap(({ reports }) => reports),
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
  keys: readonly KeyRecord[],
): AuditProblem | undefined => {
  const opened = openNote(note)
  if (opened === undefined || opened.size !== size || !opened.root.equals(stored)) return 'checkpoint'
  if (!opened.root.equals(root)) return 'rewritten'
  const key = keys.at(-1)?.key ?? ''
  if (isSignedBy(opened, key)) return undefined
  return namesKey(opened, key) ? 'signature' : 'unknownKey'
}

/** Where the log is not the one that a checkpoint outside the database was signed for. The walk has shown that its hashes fit. */
const whyForgotten = async (
  auditTree: Store['auditTree'],
  { origin, size, root }: OpenNote,
): Promise<{ seq: number; fault: LogFault; sentence: string } | undefined> => {
  const state = await auditTree.state()
  const had = `This bot remembers, outside the database, a checkpoint of ${size} entries`
  const cure = `If an older copy of the database was restored, put that on record: ${toolLine('audit', 'restored --help')}.`
  if (state.origin !== origin) {
    const is = state.origin === '' ? 'an empty log' : `another log, ${state.origin}`
    return {
      seq: 1,
      fault: 'cut',
      sentence: `${had} of the log ${origin}, and the database holds ${is}. ${cure}`,
    }
  }
  const ends = state.frontier.size
  if (size > ends) {
    const sentence = `${had}, and the log has ${ends}: its end is missing. ${cure}`
    return { seq: state.base + ends + 1, fault: 'cut', sentence }
  }
  if ((await auditTree.hashOfRange({ from: 0, to: size })).equals(root)) return undefined
  const sentence = `${had}, and the log has other entries: it was rewritten, or cut and continued. ${cure}`
  return { seq: state.base + size, fault: 'changed', sentence }
}

/** That the log ends with the signature of another key than this one, and how it came to that. */
const otherKeyOf = (keys: readonly KeyRecord[], key: string) => {
  const last = keys.at(-1)
  if (last === undefined || isSameKey(last.key, key)) return undefined
  const at = keys.findLastIndex((one) => isSameKey(one.key, key))
  const since = keys.slice(at + 1)
  const [first = last] = since
  const unsigned = since.find((one) => !one.isHandedOver)
  const { name, seq, reason } = unsigned ?? first
  const by = `${name} put it on record at entry ${seq}${reason === undefined ? '' : ` (${reason})`}`
  const cure = 'Give this bot the key of the log; bellhop status shows which it is.'
  const begins = `From entry ${first.seq} on the audit log is signed by another key than the one that this bot has, ${key}:`
  if (at === -1) {
    const sentence = `The audit log is signed by ${last.key}, and the key that this bot has, ${key}, was never on record. Either this bot was given the key of another log, or somebody wrote this one anew. ${cure}`
    return { seq: 1, isHandedOver: false, sentence }
  }
  const words =
    unsigned === undefined
      ? 'signed by this bot’s own key.'
      : 'without a signature of the key before it. Ask them whether it was so.'
  return { seq, isHandedOver: unsigned === undefined, sentence: `${begins} ${by}, ${words} ${cure}` }
}

const isEndOfChain = (row: Record<string, unknown>, base: number, hash: string): boolean => {
  const head = JSON.parse(String(row.doc)) as { seq: unknown; hash: unknown }
  return head.seq === base && head.hash === hash
}

/** One after the other, read a page at a time. */
const inPages = <T>(
  read: (after: number) => Promise<T[]>,
  keyOf: (one: T) => number,
  start: number,
): (() => Promise<T | undefined>) => {
  let page: T[] = []
  let at = 0
  let last = start
  return async () => {
    if (at === page.length) {
      page = await read(last)
      at = 0
    }
    const one = page[at]
    if (one === undefined) return undefined
    at += 1
    last = keyOf(one)
    return one
  }
}

const bad = (problem: AuditProblem, seq: number): Verdict => {
  const [fault, sentence] = problems[problem]
  return { ok: false, seq, problem, fault, sentence: sentence(seq) }
}

const problems = {
  changed: ['changed', (seq) => `Entry ${seq} of the audit log is not as it was written.`],
  missing: ['changed', (seq) => `Entry ${seq} of the audit log is missing.`],
  added: ['changed', (seq) => `Entry ${seq} of the audit log was not written by Bellhop.`],
  chain: [
    'changed',
    (seq) => `The older part of the audit log, up to entry ${seq}, is not the one that was taken over.`,
  ],
  tree: ['changed', (seq) => `The tree of the audit log does not fit its entries up to ${seq}.`],
  checkpoint: ['changed', (seq) => `The checkpoint at entry ${seq} cannot be read.`],
  rewritten: [
    'changed',
    (seq) => `The entries up to ${seq} are not those that the checkpoint there was signed for.`,
  ],
  signature: ['changed', (seq) => `The signature of the checkpoint at entry ${seq} does not fit it.`],
  unsigned: ['changed', (seq) => `The last checkpoint of the audit log, at entry ${seq}, is missing.`],
  unknownKey: [
    'unknownKey',
    (seq) => `The checkpoint at entry ${seq} is signed by a key that is not on record.`,
  ],
  ended: ['cut', (seq) => `The audit log ends before entry ${seq}, and it was longer: its end is missing.`],
  shortened: ['cut', (seq) => `A checkpoint was signed for entries from ${seq} on, and they are gone.`],
  setBack: [
    'cut',
    (seq) => `The end of the audit log was set back to entry ${seq}, and later ones were signed.`,
  ],
  unnumbered: [
    'unnumbered',
    (seq) =>
      `Entries from ${seq} on wait for their number for more than a second: no running bot that has the key of the log numbers them.`,
  ],
} satisfies Record<string, [LogFault, (seq: number) => string]>
