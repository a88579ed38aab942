import { z } from 'zod'
import { digestOf } from './canonical-json.ts'

/** A record is taken as it is, so that the entry hashes as it was written, whatever its keys are called. */
const record = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

export const auditEntrySchema = z.object({
  seq: z.int(),
  at: z.int(),
  /** What happened: asked, voted, claimed, applied... */
  kind: z.string(),
  /** The person, as the policy knows them. */
  who: z.string(),
  name: z.string(),
  platform: z.string(),
  command: z.string(),
  changeId: z.string().nullable(),
  /** The rest of the story. The business's record; never a secret. */
  doc: record,
  prev: z.string(),
  hash: z.string(),
})

export type AuditEntry = z.infer<typeof auditEntrySchema>
/** What a caller says; the store adds when, the number and the chain. */
export type AuditInput = Omit<AuditEntry, 'seq' | 'at' | 'prev' | 'hash'>
export type AuditHead = { seq: number; hash: string }

/** What stands before the first entry. */
export const genesis: AuditHead = { seq: 0, hash: '0'.repeat(64) }

/** The hash of everything in an entry but the hash; it includes the hash of the entry before it. */
export const hashOf = ({ hash: _, ...rest }: Omit<AuditEntry, 'hash'> & { hash?: string }): string =>
  digestOf(rest)

export const nounOf = (command: string): string => command.split(' ', 1)[0] ?? ''
