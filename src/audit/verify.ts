import { z } from 'zod'
import { type AuditHead, auditEntrySchema, genesis, hashOf, nounOf } from '../model/audit-entry.ts'
import { canonicalJson } from '../model/canonical-json.ts'
import type { Store } from '../storage/store.ts'

/** The result: an intact chain, or the first entry that is wrong. */
export type Verdict =
  | { ok: true; entries: number; head: AuditHead }
  | { ok: false; seq: number; problem: AuditProblem; sentence: string }

type AuditProblem = 'changed' | 'missing' | 'added' | 'forked' | 'headless'

const pageSize = 1_000

/**
 * Checks the whole chain and names the first entry that is not as it was written. Entries added during the
 * check are left for the next one. Somebody who rewrites every entry and the head produces a valid chain:
 * only a copy of the head kept elsewhere reveals that.
 */
export const verify = async ({ audit }: Pick<Store, 'audit'>): Promise<Verdict> => {
  const { head, last } = await audit.head()
  let at: AuditHead = genesis
  let entries = 0
  // Start below the lowest possible number, so that an entry inserted before the first one is found too.
  for (let from = Number.MIN_SAFE_INTEGER, done = false; !done; from = at.seq) {
    const rows = await audit.rowsAfter(from, pageSize)
    done = rows.length < pageSize
    for (const row of rows) {
      const { seq } = numbered.parse(row)
      if (seq > last) {
        done = true
        break
      }
      const step = follow(at, seq, row)
      if ('problem' in step) return bad(step.seq, step.problem)
      if (head && step.seq > head.seq) return bad(step.seq, 'added')
      at = step
      entries += 1
    }
  }
  if (!head) return bad(at.seq + 1, 'headless')
  if (at.seq < head.seq) return bad(at.seq + 1, 'missing')
  if (at.hash !== head.hash) return bad(at.seq, 'changed')
  return { ok: true, entries, head }
}

const follow = (
  previous: AuditHead,
  seq: number,
  row: unknown,
): AuditHead | { seq: number; problem: AuditProblem } => {
  const expected = previous.seq + 1
  if (seq < expected) return { seq, problem: 'added' }
  if (seq > expected) return { seq: expected, problem: 'missing' }
  const stored = storedRow.safeParse(row)
  if (!stored.success) return { seq, problem: 'changed' }
  const { noun, doc: text, ...rest } = stored.data
  const doc = docOf(text)
  if (doc === null || noun !== nounOf(rest.command)) return { seq, problem: 'changed' }
  if (hashOf({ ...rest, doc }) !== rest.hash) return { seq, problem: 'changed' }
  return rest.prev === previous.hash ? { seq, hash: rest.hash } : { seq, problem: 'forked' }
}

const numbered = z.object({ seq: z.number() })
const storedRow = z.object({ ...auditEntrySchema.shape, noun: z.string(), doc: z.string() })

/** The record in a text, if the text is its canonical JSON. */
const docOf = (text: string): Record<string, unknown> | null => {
  try {
    const doc = auditEntrySchema.shape.doc.parse(JSON.parse(text))
    return canonicalJson(doc) === text ? doc : null
  } catch {
    return null
  }
}

const bad = (seq: number, problem: AuditProblem): Verdict => ({
  ok: false,
  seq,
  problem,
  sentence: sentences[problem](seq),
})

const sentences: Record<AuditProblem, (seq: number) => string> = {
  changed: (seq) => `Entry ${seq} of the audit log is not as it was written.`,
  missing: (seq) => `Entry ${seq} of the audit log is missing.`,
  added: (seq) => `Entry ${seq} of the audit log was not written by Bellhop.`,
  forked: (seq) => `Entry ${seq} of the audit log does not follow from the entry before it.`,
  headless: () =>
    'The head of the audit log is missing, so it is not certain that its last entries are there.',
}
