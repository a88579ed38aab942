import { z } from 'zod'
import { verbs } from '../../src/view/view.ts'
import { limits } from './limits.ts'

/** Where an answer to a modal goes: the place in which it was opened. */
const back = z.object({ channel: z.string().nullable(), handle: z.string().nullable() })
export type Back = z.infer<typeof back>

const schemas = {
  form: back.extend({ command: z.string() }),
  reason: back.extend({ verb: z.enum(verbs), id: z.string() }),
  picker: back,
}
type Kind = keyof typeof schemas
export type Metadata<K extends Kind> = z.infer<(typeof schemas)[K]>

/** What a modal carries: names and ids, and the way back as long as it fits. */
export const toMetadata = <K extends Kind>(data: Metadata<K>): string => {
  const whole = JSON.stringify(data)
  return whole.length <= limits.view.metadata ? whole : JSON.stringify({ ...data, handle: null })
}

/** `undefined` for a modal that is not ours. */
export const readMetadata = <K extends Kind>(kind: K, text: string): Metadata<K> | undefined => {
  try {
    const read = schemas[kind].safeParse(JSON.parse(text))
    return read.success ? (read.data as Metadata<K>) : undefined
  } catch {
    return undefined
  }
}
