import { isServiceError } from '../../lib/services/errors.ts'
import { serviceRefusal } from './error-refusals.ts'

/** What one service says: what was found, or in words why there is nothing, and whether it could be asked at all. */
export type Found<T> =
  | { value: T; why?: undefined; isAsked: true }
  | { value?: undefined; why: string; isAsked: boolean }

/** Reads for a part of a person's view: a service that fails says so in its part, and hides no other. */
export const found = async <T>(read: () => Promise<T | undefined>, what: string): Promise<Found<T>> => {
  try {
    const value = await read()
    return value === undefined ? { why: `No ${what} was found.`, isAsked: true } : { value, isAsked: true }
  } catch (error) {
    if (!isServiceError(error)) throw error
    if (error.kind === 'not_found')
      return { why: `It answered 404: it knows no such ${what}, or has no such read.`, isAsked: true }
    return { why: serviceRefusal(error).message, isAsked: false }
  }
}
