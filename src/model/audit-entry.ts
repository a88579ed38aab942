import { z } from 'zod'
import { digestOf } from './canonical-json.ts'

/** The record is read unchanged, so that the entry has the same hash as when it was written. */
const record = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

export const auditEntrySchema = z.object({
  seq: z.int(),
  at: z.int(),
  /** What happened: asked, approved, claimed, applied and so on. */
  kind: z.string(),
  /** The person, as the policy knows them. */
  who: z.string(),
  name: z.string(),
  platform: z.string(),
  command: z.string(),
  changeId: z.string().nullable(),
  /** Further details. Business data; never a secret. */
  doc: record,
  prev: z.string(),
  hash: z.string(),
})

export type AuditEntry = z.infer<typeof auditEntrySchema>
/** What the caller provides; the store adds the time, the number and the hashes. */
export type AuditInput = Omit<AuditEntry, 'seq' | 'at' | 'prev' | 'hash'>
export type AuditHead = { seq: number; hash: string }

/** The previous hash of the first entry. */
export const genesis: AuditHead = { seq: 0, hash: '0'.repeat(64) }

/** The hash of all other fields of an entry, including the hash of the previous entry. */
export const hashOf = ({ hash: _, ...rest }: Omit<AuditEntry, 'hash'> & { hash?: string }): string =>
  digestOf(rest)

export const nounOf = (command: string): string => command.split(' ', 1)[0] ?? ''
