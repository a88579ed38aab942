import { readFileSync } from 'node:fs'
import { lineOf, listName, listOf } from '../../../verify.mjs'
import type { PackPart } from '../../kernel/feature.ts'
import { sequenceAll } from '../../kernel/log/sequencer.ts'
import type { Verdict } from '../../kernel/log/verify.ts'
import { type AuditEntry, deedWords, isLook } from '../../kernel/model/audit-entry.ts'
import { LogKeyError, type LogSigner } from '../../kernel/model/checkpoint.ts'
import type { Store } from '../../kernel/store/store.ts'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import type { ZipFile } from '../../lib/codecs/zip.ts'
import { proveChange, receiptPage } from './receipt.ts'

/** Up to `until`, which is not in it. */
type Period = { since: number; until: number }
/** And when the pack is made. */
type PackPeriod = Period & { now: number }
type PackStore = Pick<Store, 'audit' | 'auditTree' | 'policies'>

/** What the log said about one change at the end of the period. */
type PackedChange = {
  id: string
  command: string
  line: string
  askedBy: string
  state: string
  entries: number
}

/**
 * What an auditor is given about a period: its changes with a receipt each, the exceptions, the versions of the policy,
 * what verification found. All of it is read from the log up to the end of the period, so once the period is over it is
 * the same whenever it is made, for as long as the log has the same key; that somebody looked something up, such as a pack,
 * is not in it.
 */
export const packOf = async function* (
  store: PackStore,
  signer: LogSigner,
  period: PackPeriod,
  verdict: Verdict,
  others: () => Promise<readonly PackPart[]> = async () => [],
): AsyncGenerator<ZipFile> {
  let lines = ''
  for await (const part of partsOf(store, signer, period, verdict, others)) {
    lines += lineOf(part.name, part.content)
    yield part
  }
  const { origin, key } = await store.auditTree.state()
  const own = signer.key(origin)
  if (own === undefined) throw new LogKeyError(key)
  const list = listOf(own, lines)
  yield { name: listName, content: `${list}seal: ${signer.seal(list)}\n` }
}

const partsOf = async function* (
  store: PackStore,
  signer: LogSigner,
  { since, until, now }: PackPeriod,
  verdict: Verdict,
  others: () => Promise<readonly PackPart[]>,
): AsyncGenerator<ZipFile> {
  await sequenceAll(store.auditTree, signer)
  const changes = new Map<string, PackedChange>()
  const exceptions: object[] = []
  const lines: string[] = []
  const digests = new Set<string>()
  let last = 0
  for await (const entry of entriesOf(store, { since, until })) {
    lines.push(`${canonicalJson(entry)}\n`)
    last = Math.max(last, entry.seq ?? 0)
    if (typeof entry.doc.policy === 'string') digests.add(entry.doc.policy)
    if (entry.changeId !== null) changes.set(entry.changeId, changed(changes.get(entry.changeId), entry))
    if (isException(entry)) exceptions.push(exceptionOf(entry))
  }
  const { base, frontier } = await store.auditTree.state()
  const keys = await store.auditTree.keyEntries(base + frontier.size)
  // The first that covers everything and that the present key has signed: it seals the receipts too.
  const covering = Math.max(last, keys.at(-1)?.seq ?? 0)
  const checkpoint = last === 0 ? undefined : await store.auditTree.checkpoint({ covering })
  const verification = verdict.ok
    ? {
        ok: true,
        entries: checkpoint === undefined ? 0 : base + checkpoint.size,
        root: checkpoint?.root.toString('base64') ?? null,
        keys: checkpoint === undefined ? [] : keys.map(({ doc }) => doc.key),
      }
    : {
        ok: false,
        entry: verdict.seq,
        fault: verdict.fault,
        problem: verdict.problem,
        sentence: verdict.sentence,
      }
  const versions = await versionsIn(store, { since, until })
  for (const { digest } of versions) digests.add(digest)
  const policies = [...digests].toSorted()
  const inOrder = [...changes.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))

  const ofFeatures = await others()

  yield {
    name: 'README.txt',
    content: readme({ since, until, now }, inOrder.length, exceptions.length, verification, ofFeatures),
  }
  for (const { name, json } of ofFeatures) yield { name, content: jsonOf(json) }
  yield { name: 'changes.json', content: jsonOf(inOrder) }
  yield { name: 'checkpoint.txt', content: checkpoint?.note ?? '' }
  yield { name: 'entries.jsonl', content: lines.join('') }
  yield { name: 'exceptions.json', content: jsonOf(exceptions) }
  yield { name: 'policies.json', content: jsonOf({ versions, digests: policies }) }
  for (const digest of policies) {
    const text = await store.policies.text(digest)
    if (text !== undefined) yield { name: `policies/${digest}.yml`, content: text }
  }
  for (const change of inOrder) {
    const proof = checkpoint && (await proveChange(store, signer, change.id, { checkpoint, until }))
    if (proof === undefined) continue
    const told = proof.entries.map(({ leaf }) => JSON.parse(leaf) as AuditEntry)
    const page = {
      title: change.line,
      words: [...proof.older, ...told].map(storyOf).join('\n\n'),
      proof,
      at: timeOf(Math.min(until, now)),
    }
    yield { name: `receipts/receipt-${change.id}.html`, content: receiptPage(page, signer) }
  }
  yield { name: 'verification.json', content: jsonOf(verification) }
  yield { name: 'verify.mjs', content: readFileSync(new URL('../../../verify.mjs', import.meta.url)) }
}

/** Nothing can be added to it any more: also a replica whose clock is behind is past its end. */
export const isPeriodOver = ({ until, now }: { until: number; now: number }): boolean =>
  until + clocksDifferMs <= now

/** Clocks of replicas differ: an entry may stand a little behind later ones. */
const clocksDifferMs = 10 * 60_000

const entriesOf = async function* (
  { audit }: PackStore,
  { since, until }: Period,
): AsyncGenerator<AuditEntry> {
  for await (const entry of audit.stream({ since, until })) {
    if (entry.at >= since && entry.at < until && !isLook(entry.kind)) yield entry
  }
}

const changed = (before: PackedChange | undefined, entry: AuditEntry): PackedChange => ({
  id: entry.changeId ?? '',
  command: entry.command,
  line: before?.line ?? (typeof entry.doc.line === 'string' ? entry.doc.line : entry.command),
  askedBy: before?.askedBy || (entry.kind === 'asked' ? entry.name : ''),
  state: typeof entry.doc.state === 'string' ? entry.doc.state : (before?.state ?? 'pending'),
  entries: (before?.entries ?? 0) + 1,
})

const exceptionKinds = new Set([
  'unknown',
  'held',
  'reversed',
  'resolved',
  'late answer',
  'refused',
  'votes lapsed',
  'witness away',
  'witness back',
  'log signed by',
  'log taken over',
  'log restored',
])

/** What did not go its usual way, who settled it, and every freeze. */
const isException = ({ kind, command }: AuditEntry): boolean =>
  exceptionKinds.has(kind) || command === 'freeze' || command === 'unfreeze'

const exceptionOf = ({ seq, at, kind, who, name, command, changeId, doc }: AuditEntry): object => {
  const { state, reason, message, line, code, witness, account } = doc
  return {
    seq,
    at: timeOf(at),
    kind,
    command,
    who,
    name,
    changeId,
    state,
    reason,
    message,
    line,
    code,
    witness,
    account,
  }
}

/** Those that came into force in the period, and the one that was in force when it began. */
const versionsIn = async ({ policies }: PackStore, { since, until }: Period) => {
  const found: Awaited<ReturnType<PackStore['policies']['list']>> = []
  for (let skip = 0; ; skip += 100) {
    const page = await policies.list({ skip, limit: 100 })
    for (const version of page) {
      if (version.at >= until) continue
      found.push(version)
      if (version.at < since) return found.toReversed()
    }
    if (page.length < 100) return found.toReversed()
  }
}

const storyOf = ({ at, kind, name, who, platform, changeId, doc }: AuditEntry): string =>
  [
    `${timeOf(at)}  ${deedWords({ kind, name, changeId })} (${who}) from ${platform}`,
    ...Object.entries(doc).map(
      ([key, value]) => `    ${key}: ${typeof value === 'string' ? value : canonicalJson(value)}`,
    ),
  ].join('\n')

const readme = (
  { since, until, now }: PackPeriod,
  changes: number,
  exceptions: number,
  verification: object,
  others: readonly PackPart[],
): string => `Audit pack of Bellhop: from ${timeOf(since)} ${
  isPeriodOver({ until, now })
    ? `up to ${timeOf(until)}, which is not in it.`
    : `on.\nIt was made at ${timeOf(now)}, while the period went on: what the log was given after that is missing, be it of before.`
}

Changes: ${changes}
Exceptions: ${exceptions}
The log was ${'sentence' in verification ? `NOT found complete and unchanged: ${String(verification.sentence)}` : 'verified: complete and unchanged'}

changes.json       every change that something happened to, as it stood at the end of the period
receipts/          a page for each of them, with what the log says and the proof that it says so
exceptions.json    outcomes that nobody knew, who settled them, freezes, refusals, witnesses that were away
policies.json      the versions of the policy file that were in force; policies/ holds their text
entries.jsonl      the entries of the log, without look-ups
checkpoint.txt     the signed state of the log that everything here is proved against
${others.map(({ name, about }) => `${name.padEnd(19)}${about}\n`).join('')}verification.json  what the verification of the log found
manifest.txt       every file here with its digest, signed by the key of the log: nothing else belongs to the pack

Check all of it with:    node verify.mjs <this archive, or the folder that it was unpacked into> --key <the key that the owner of the log gave you>
or one receipt by itself: node verify.mjs receipts/<file> --key <that key>
Use a verify.mjs that you have from elsewhere: the one in here says nothing about itself.
`

const timeOf = (at: number): string => new Date(at).toISOString()
const jsonOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
