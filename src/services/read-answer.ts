import { isServiceError, type ServiceError, type ServiceErrorKind } from './errors.ts'

export type OpenRecord = Record<string, unknown>

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

/**
 * The records of an undocumented answer: the answer itself, a list under one of the names, or the first list
 * in it.
 */
export const recordsIn = (data: unknown, ...names: string[]): OpenRecord[] => {
  if (Array.isArray(data)) return data.flatMap(toRecord)
  if (!isRecord(data)) return []
  const lists = Object.values(data).filter((value) => Array.isArray(value))
  const named = names.map((name) => data[name]).find((value) => Array.isArray(value))
  const found = named ?? lists.find((list) => list.some(isRecord)) ?? lists[0]
  if (found !== undefined) return (found as unknown[]).flatMap(toRecord)
  const inside = [...names.map((name) => data[name]), data.data, ...Object.values(data)].find(isRecord)
  return inside === undefined ? [] : recordsIn(inside, ...names)
}

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

/** A string in a list of records can only be a name. */
const toRecord = (value: unknown): OpenRecord[] => {
  if (isRecord(value)) return [value]
  return typeof value === 'string' ? [{ name: value }] : []
}

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
