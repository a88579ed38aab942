import { z } from 'zod'
import { isHandedOver } from '../../../verify.mjs'

const keyDoc = z.object({
  key: z.string(),
  /** The key before it. Neither the first key nor those that older versions put on record say so. */
  from: z.string().optional(),
  /** What that key has signed about it. */
  signature: z.string().optional(),
  reason: z.string().optional(),
})

/** A key that the log has put on record: from this entry on it signs. */
export type KeyRecord = {
  key: string
  seq: number
  at: number
  name: string
  reason?: string | undefined
} & {
  /** Whether the key of before has signed that this one follows. */
  isHandedOver: boolean
}

export const keyRecordOf = (
  origin: string,
  { seq, at, name, doc }: { seq: number; at: number; name: string; doc: unknown },
): KeyRecord => {
  const { key, from, signature, reason } = keyDoc.parse(doc)
  return {
    key,
    seq,
    at,
    name,
    reason,
    isHandedOver: from !== undefined && isHandedOver(origin, { key, from, signature }),
  }
}
