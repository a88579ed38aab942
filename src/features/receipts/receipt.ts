import { sequenceAll } from '../../kernel/log/sequencer.ts'
import { hashesOf } from '../../kernel/log/tree-proofs.ts'
import { type AuditEntry, leafTextOf } from '../../kernel/model/audit-entry.ts'
import { type Checkpoint, LogKeyError, type LogSigner } from '../../kernel/model/checkpoint.ts'
import { signatureSchema } from '../../kernel/model/passkey.ts'
import type { Store } from '../../kernel/store/store.ts'
import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import { inclusionRanges } from '../../lib/codecs/merkle.ts'
import { plainWords, wordsSchema } from '../../lib/view/words.ts'

/** Everything that the log says about one change, with the proof that it says so. `verify.mjs` reads it. */
export type Proof = {
  key: string
  /** The signed note that the entries are proved against. */
  checkpoint: string
  entries: { leaf: string; seq: number; index: number; proof: string[] }[]
  /** The entries that put another key in the place of the one before. */
  keys?: Proof['entries']
  /** What the log says of how each passkey was enrolled that signed something of it. */
  enrolments?: Proof['entries']
  /** Entries of the older hash chain, which the tree only proves as a whole. */
  older: AuditEntry[]
}

const maxEntries = 1_000

/** Undefined when the log says nothing about it. */
export const proveChange = async (
  { audit, auditTree }: Pick<Store, 'audit' | 'auditTree'>,
  signer: LogSigner,
  changeId: string,
  /** Up to a time, against a checkpoint of the present key that covers all of it; else all there is, against the newest. */
  then?: { checkpoint: Checkpoint; until: number },
): Promise<Proof | undefined> => {
  await sequenceAll(auditTree, signer)
  const entriesOf = (id: string) => audit.find({ changeId: id, limit: maxEntries, until: then?.until })
  const entries = await entriesOf(changeId)
  const { base, origin, key } = await auditTree.state()
  const checkpoint = then?.checkpoint ?? (await auditTree.checkpoint())
  if (entries.length === 0 || checkpoint === undefined) return undefined
  const own = signer.key(origin)
  if (own === undefined) throw new LogKeyError(key)
  const numbered = (found: readonly AuditEntry[]) =>
    found
      .toReversed()
      .flatMap((entry) => (entry.seq === null ? [] : { ...entry, seq: entry.seq }))
      .filter(({ seq }) => seq <= base + checkpoint.size)
  const inOrder = numbered(entries)
  const prove = async (rows: readonly (AuditEntry & { seq: number })[]): Promise<Proof['entries']> => {
    const proved: Proof['entries'] = []
    for (const { seq, ...entry } of rows) {
      const index = seq - base - 1
      const leaf = leafTextOf({ ...entry, doc: canonicalJson(entry.doc) })
      const proof = await hashesOf(auditTree, inclusionRanges(index, checkpoint.size))
      proved.push({ leaf, seq, index, proof })
    }
    return proved
  }
  const keyEntries = await auditTree.keyEntries(base + checkpoint.size)
  const keys = await prove(keyEntries.filter(({ doc }) => doc.from !== undefined))
  const enrolments = await prove(numbered(await enrolmentsBehind(entries, entriesOf)))
  return {
    key: own,
    checkpoint: checkpoint.note,
    entries: await prove(inOrder.filter(({ seq }) => seq > base)),
    ...(keys.length === 0 ? {} : { keys }),
    ...(enrolments.length === 0 ? {} : { enrolments }),
    older: inOrder.filter(({ seq }) => seq <= base),
  }
}

/** How the keys were enrolled that signed these entries, and those that signed that. */
const enrolmentsBehind = async (
  entries: readonly AuditEntry[],
  entriesOf: (changeId: string) => Promise<AuditEntry[]>,
): Promise<AuditEntry[]> => {
  const changes = new Map<string, AuditEntry[]>()
  for (let open = entries; open.length > 0; ) {
    const ids = new Set(open.flatMap(({ doc }) => enrolledIn(doc) ?? []).filter((id) => !changes.has(id)))
    for (const id of ids) changes.set(id, await entriesOf(id))
    open = [...ids].flatMap((id) => changes.get(id) ?? [])
  }
  return [...changes.values()].flat()
}

const enrolledIn = ({ signed }: AuditEntry['doc']): string | undefined =>
  signatureSchema.safeParse(signed).data?.enrolled

/** One page that says all of it in words, carries the data, and is sealed as a whole. */
export const receiptPage = (
  { title, words, proof, at }: { title: string; words: string; proof: Proof; at: string },
  { seal }: Pick<LogSigner, 'seal'>,
): string => {
  let sum: string | undefined
  const rows = proof.entries.map(({ leaf, seq }) => {
    const { at: time, kind, name, who, doc = {} } = JSON.parse(leaf) as AuditEntry
    const next = sumOf(doc) ?? sum
    const cells = [
      String(seq),
      new Date(time).toISOString(),
      kind === 'refused' ? 'was refused' : kind,
      `${name} (${who})`,
      saidIn(doc, { sum: next, before: sum }),
    ]
    sum = next
    return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`
  })
  const older =
    proof.older.length === 0
      ? ''
      : `<p>${proof.older.length === 1 ? '1 entry is' : `${proof.older.length} entries are`} older than the tree: <code>audit verify</code> checks the log from its beginning.</p>`
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Receipt: ${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #f4f4f4; color: #111; padding: 1rem; }
td, th { text-align: left; padding: 0.2rem 1rem 0.2rem 0; vertical-align: top; }
code { overflow-wrap: anywhere; }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
<p>Receipt of ${escaped(at)}.</p>
<pre>${escaped(words)}</pre>
<h2>What the log says</h2>
<table><thead><tr><th>Entry</th><th>When</th><th>What</th><th>Who</th><th>What was said and done</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>
${older}
<h2>How to check it</h2>
<p>Run <code>node verify.mjs</code> with this file and <code>--key</code> with the key that the owner of the log gave you. This receipt names the key
<code>${escaped(proof.key)}</code>; that alone does not show whose log it is.</p>
<pre>${escaped(proof.checkpoint)}</pre>
<script type="application/json" id="receipt">
${JSON.stringify(proof).replaceAll('<', '\\u003c')}
</script>
</body>
</html>`
  return `${page}\n<!-- seal: ${seal(page)} -->\n`
}

type Doc = AuditEntry['doc']

/** The sum that an entry is about, with its currency. */
const sumOf = (doc: Doc): string | undefined => {
  const about = Object(doc.of ?? doc) as { amount?: unknown; currency?: unknown }
  const { amount, currency } = about
  if (typeof amount !== 'number') return undefined
  return typeof currency === 'string' ? `${amount} ${currency}` : String(amount)
}

/** What was asked, answered, changed and done: the words of people and services as the log has them, and both sums where one came in the place of another. */
const saidIn = (
  doc: Doc,
  { sum, before }: { sum: string | undefined; before: string | undefined },
): string => {
  const { changes = [] } = Object(doc.drift) as {
    changes?: { label: string; before: unknown; after: unknown }[]
  }
  const texts = [doc.line, doc.text, doc.reason, doc.message, doc.warning]
  return [
    ...(sum === undefined || sum === before
      ? []
      : [before === undefined ? sum : `${sum}, in the place of ${before}`]),
    ...changes.map(({ label, before: was, after }) => `${label}: ${wordsIn(after)}; it was ${wordsIn(was)}`),
    ...texts.filter((one) => typeof one === 'string' && one !== ''),
    ...('signed' in doc ? ['signed with a passkey'] : []),
    ...('inAdvance' in doc ? [`given in advance, by the grant ${String(Object(doc.inAdvance).grant)}`] : []),
  ].join('. ')
}

/** Words are stored with the times in them. */
const wordsIn = (value: unknown): string => {
  const read = wordsSchema.nullish().safeParse(value)
  return read.success && read.data !== null && read.data !== undefined ? plainWords(read.data) : 'nothing'
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
