import { z } from 'zod'
import type { CallInput, OpenRecord } from '../endpoints/open-record.ts'
import type { Row } from '../endpoints/row.ts'
import { isRecord } from '../read-answer.ts'
import { isEnvelopeWord } from './envelope.ts'

/** The payload as the row reads it; undefined for what is not the answer to this request. */
export const readPayload = (
  { answer, shown, identity = {} }: Row,
  payload: unknown,
  sent: CallInput,
): { data: unknown } | undefined => {
  const read = answer.safeParse(payload)
  if (!read.success || !holdsWhatIsShown(answer, shown, read.data)) return undefined
  const isOther = Object.entries(identity).some(([path, name]) => {
    const [given, wanted] = [valueAt(read.data, path.split('.')), sentAs(sent, name)]
    return given !== '' && wanted !== '' && given !== wanted
  })
  return isOther ? undefined : { data: read.data }
}

/** Whether a service that wraps its answers could have sent this without a wrapper: something that can be told from nothing. */
export const tellsAnything = (payload: unknown): boolean =>
  Array.isArray(payload) ? payload.some(isRecord) : isRecord(payload) && Object.keys(payload).length > 0

/** Every field may be missing, but one in which none of those of the document is filled is another record. */
const holdsWhatIsShown = (answer: z.ZodType, shown: boolean, data: unknown): boolean => {
  const keys = shown ? fieldsOf(answer)?.filter((key) => !isEnvelopeWord(key)) : undefined
  if (keys === undefined || keys.length === 0) return true
  return keys.some((key) => (data as OpenRecord)[key] !== undefined && (data as OpenRecord)[key] !== null)
}

/** The fields of a record that a schema names; undefined for what is no record. */
const fieldsOf = (schema: unknown): string[] | undefined => {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.out) ?? fieldsOf(schema.in)
  return undefined
}

export const showsFields = ({ answer, shown }: Row): boolean =>
  shown && (fieldsOf(answer) ?? ['']).some((key) => !isEnvelopeWord(key))

const valueAt = (data: unknown, [first = '', ...rest]: readonly string[]): string => {
  const value = isRecord(data) ? data[first] : undefined
  return rest.length === 0 ? idText(value) : valueAt(value, rest)
}

const sentAs = ({ params, query, body }: CallInput, name: string): string =>
  idText(
    [params, query, body]
      .map((part) => (isRecord(part) ? part[name] : undefined))
      .find((one) => one !== undefined),
  )

/** An address in capital letters and a number with its plus are the same. */
const idText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value).trim().replace(/^\+/, '').toLowerCase()
    : ''
