import { z } from 'zod'
import { canonicalJson, digestOf } from '../../lib/codecs/canonical-json.ts'
import { auditEntrySchema } from '../model/audit-entry.ts'

/** An entry of the log as it was before the tree: each carried the hash of the one before it. */
const chainedRow = auditEntrySchema.omit({ id: true }).extend({
  seq: z.int(),
  doc: z.string(),
  prev: z.string(),
  hash: z.string(),
})

export const chainStart = '0'.repeat(64)

/** The hash of the next entry of the chain, or undefined when the row is not as it was written. */
export const followChain = (previous: string, row: unknown): string | undefined => {
  const read = chainedRow.safeParse(row)
  if (!read.success || read.data.prev !== previous) return undefined
  const { hash, doc: text, ...rest } = read.data
  try {
    const doc: unknown = JSON.parse(text)
    // The text must be the one spelling in which a record is ever written.
    return canonicalJson(doc) === text && digestOf({ ...rest, doc }) === hash ? hash : undefined
  } catch {
    return undefined
  }
}
