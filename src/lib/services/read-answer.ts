import type { OpenRecord } from './endpoints/open-record.ts'
import { isServiceError, type ServiceError, type ServiceErrorKind } from './errors.ts'

export type { OpenRecord }

/** The answer, or undefined if the service answers 404. */
export const ifKnown = <T>(asked: Promise<T>): Promise<T | undefined> =>
  unless(asked, ({ kind }) => kind === 'not_found')

/** For reads that are documented only by path: undefined if the service refuses or fails to answer. */
export const ifReadable = <T>(asked: Promise<T>): Promise<T | undefined> =>
  unless(
    asked,
    ({ kind, status }) => unreadable.has(kind) || status === forbidden || status === notImplemented,
  )

const unreadable: ReadonlySet<ServiceErrorKind> = new Set(['not_found', 'rejected', 'malformed'])
const forbidden = 403
const notImplemented = 501

/** The records of an undocumented answer. A word in a list of records can only be a name. */
export const recordsIn = (data: unknown, ...names: string[]): OpenRecord[] =>
  (listIn(data, names) ?? []).flatMap((one) => {
    if (isRecord(one)) return [one]
    return typeof one === 'string' ? [{ name: one }] : []
  })

const deepest = 3

/**
 * The list in an undocumented answer: the answer itself, a list under one of the names, a list of records in it or in
 * a record inside it, or any list.
 */
export const listIn = (
  data: unknown,
  names: readonly string[] = [],
  depth = 0,
): readonly unknown[] | undefined => {
  if (Array.isArray(data)) return data
  if (!isRecord(data) || depth === deepest) return undefined
  const named = names.map((name) => data[name])
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  const found = named.find((value) => Array.isArray(value)) ?? lists.find((list) => list.some(isRecord))
  if (found !== undefined) return found
  for (const inner of [...named, data.data, ...Object.values(data)].filter(isRecord)) {
    const list = listIn(inner, names, depth + 1)
    if (list !== undefined && list.length > 0) return list
  }
  return isItem(data) ? undefined : lists[0]
}

/** Whether this is a record itself, so that lists inside it are fields of it. */
const isItem = (record: OpenRecord): boolean =>
  ['id', '_id', 'code'].some((key) => Object.hasOwn(record, key))

/** The single record of an undocumented answer: under its name, alone in a wrapper, or the answer itself. */
export const recordIn = (data: unknown, name: string): OpenRecord | undefined => {
  if (Array.isArray(data)) return data.find(isRecord)
  if (!isRecord(data)) return undefined
  const wrapped = Object.keys(data).length === 1 ? Object.values(data)[0] : undefined
  const inside = data[name] ?? wrapped
  return isRecord(inside) || Array.isArray(inside) ? recordIn(inside, name) : data
}

export const isRecord = (value: unknown): value is OpenRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The answer, or undefined if the call failed in an expected way. */
export const unless = async <T>(
  asked: Promise<T>,
  isExpected: (error: ServiceError) => boolean,
): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    if (isServiceError(error) && isExpected(error)) return undefined
    throw error
  }
}
