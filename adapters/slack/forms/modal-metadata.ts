import { z } from 'zod'
import { verbSchema } from '../../../src/lib/view/view.ts'

import { limits } from '../api/limits.ts'

/** Where an answer to a modal goes: the place in which it was opened. */
const replyTargetSchema = z.object({ channel: z.string().nullable(), handle: z.string().nullable() })
export type ReplyTarget = z.infer<typeof replyTargetSchema>

const schemas = {
  form: replyTargetSchema.extend({ command: z.string() }),
  reason: replyTargetSchema.extend({ verb: verbSchema, id: z.string() }),
  picker: replyTargetSchema,
}
type ModalKind = keyof typeof schemas
export type ModalMetadata<K extends ModalKind> = z.infer<(typeof schemas)[K]>

/** What a modal carries: names and ids, and the way back as long as it fits. */
export const toModalMetadata = <K extends ModalKind>(data: ModalMetadata<K>): string => {
  const whole = JSON.stringify(data)
  return whole.length <= limits.view.metadata ? whole : JSON.stringify({ ...data, handle: null })
}

/** `undefined` for a modal that is not ours. */
export const readModalMetadata = <K extends ModalKind>(
  kind: K,
  text: string,
): ModalMetadata<K> | undefined => {
  try {
    const read = schemas[kind].safeParse(JSON.parse(text))
    return read.success ? (read.data as ModalMetadata<K>) : undefined
  } catch {
    return undefined
  }
}
