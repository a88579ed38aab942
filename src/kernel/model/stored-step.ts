import { z } from 'zod'
import { type AuditEntry, bellhop, entryKindWords } from './audit-entry.ts'

/**
 * An entry of the log that a process has stored last, as it is remembered outside the database. `deed`: what a person did with
 * it, so that they can be told when it is lost.
 */
export const storedStepSchema = z.object({
  id: z.string(),
  at: z.int(),
  deed: z
    .object({
      person: z.string(),
      platform: z.string(),
      account: z.string(),
      what: z.string(),
      change: z.string(),
      title: z.string(),
    })
    .optional(),
})
export type StoredStep = z.infer<typeof storedStepSchema>

export const stepOf = (
  entry: AuditEntry,
  { id: change, preview: { title } }: { id: string; preview: { title: string } },
): StoredStep => {
  const { id, at, who: person, platform, doc } = entry
  const { account } = doc
  if (platform === bellhop.platform || typeof account !== 'string') return { id, at }
  return { id, at, deed: { person, platform, account, what: entryKindWords(entry), change, title } }
}
