import { isRecord, listIn } from '../../src/lib/services/read-answer.ts'
import { fieldLabelOf, openFacts } from '../../src/lib/view/record-facts.ts'
import type { Thing } from '../../src/lib/view/thing.ts'
import { type Block, facts, note, table } from '../../src/lib/view/view.ts'
import type { Moment } from '../../src/lib/view/words.ts'

// Many billing endpoints are documented by method and path only. All guesses about the shape of their answers
// are made in this file: it looks for a record in its wrapper, reads known fields under any of their
// likely names, and shows unknown fields unchanged.

export type Loose = Record<string, unknown>

/** The members of the list in an answer; a single record counts as a list of one. */
export const membersIn = (data: unknown): Loose[] =>
  (listIn(data) ?? (isRecord(data) && Object.keys(data).length > 0 ? [data] : [])).map((one) =>
    isRecord(one) ? one : { value: one },
  )

/** The record in an answer, which may be wrapped (`{ addon: {…} }`) or be the only member of a list. */
export const recordWith = (data: unknown, known: readonly string[]): Loose => {
  if (Array.isArray(data)) return data.length === 1 ? recordWith(data[0], known) : {}
  if (!isRecord(data)) return {}
  if (known.some((key) => Object.hasOwn(data, key))) return data
  const inner = Object.values(data).filter(isRecord)
  return inner.find((one) => known.some((key) => Object.hasOwn(one, key))) ?? data
}

export const textIn = (record: Loose, ...keys: string[]): string | undefined => {
  for (const key of keys) {
    const words = scalarText(record[key])
    if (words !== undefined) return words
  }
  return undefined
}

/** A number that can be counted with: added up or rounded to cents it stays exact, and never becomes infinite. */
export const numberIn = (record: Loose, ...keys: string[]): number | undefined => {
  for (const key of keys) {
    const value = record[key]
    const isWritten = typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value)
    const number = isWritten ? Number(value) : value
    if (typeof number === 'number' && Math.abs(number) <= maxCounted) return number
  }
  return undefined
}

const maxCounted = Number.MAX_SAFE_INTEGER / 100

/** The remaining plain fields, under their own names. */
export const otherFacts = (record: Loose, named: readonly string[]): Block[] => {
  const rest = Object.entries(openFacts(record, named)).slice(0, maxFacts)
  return rest.length === 0 ? [] : [facts(Object.fromEntries(rest))]
}

/** The sentence to show instead of a record that could not be read. */
export const orUnread = (record: Loose, blocks: Block[]): Block[] =>
  Object.keys(record).length > 0
    ? blocks
    : [note('warn', 'The service answered, but its answer could not be read.')]

export type Column = { label: string; of: (record: Loose) => string | Moment | undefined }

/** A table of the columns that have values; for records of an unknown shape, of all their plain fields. */
export const looseTable = (
  records: readonly Loose[],
  columns: readonly Column[],
  thingOf: (record: Loose) => Thing | undefined = () => undefined,
): Block => {
  const filled = columns.filter((column) => records.some((record) => column.of(record) !== undefined))
  const used = filled.length > 0 ? filled : ownColumns(records)
  return table(
    used.map((column) => column.label),
    records.map((record) => used.map((column) => column.of(record) ?? '')),
    records.map(thingOf),
  )
}

const maxFacts = 12
const maxColumns = 5

const ownColumns = (records: readonly Loose[]): Column[] =>
  [...new Set(records.flatMap((record) => Object.keys(record)))]
    .filter((key) => records.some((record) => scalarText(record[key]) !== undefined))
    .slice(0, maxColumns)
    .map((key) => ({ label: fieldLabelOf(key), of: (record) => scalarText(record[key]) }))

const scalarText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
