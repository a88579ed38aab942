import { no, ok, type Result } from '../../src/result.ts'
import { isServiceError, type ServiceErrorKind } from '../../src/services/errors.ts'
import { refusal } from '../../src/view/refusals.ts'

/** What a read by id brings, or a "no" that says what was looked for and where to look. */
export const found = async <T>(read: Promise<T>, what: string, next: string): Promise<Result<T>> => {
  try {
    return ok(await read)
  } catch (error) {
    if (!isKind(error, ['not_found'])) throw error
    return no(refusal('not_found', `The billing service knows no ${what}.`, { next }))
  }
}

/** A record to show beside a change, which can be asked for even if the service shows something unreadable. */
export const ifReadable = <T>(read: Promise<T>): Promise<T | undefined> =>
  without(read, ['malformed', 'rejected'])

/** A list to check a new record against: of an undocumented shape, and perhaps not there at all. */
export const ifAny = <T>(read: Promise<T>): Promise<T | undefined> =>
  without(read, ['malformed', 'rejected', 'not_found'])

const without = async <T>(read: Promise<T>, kinds: readonly ServiceErrorKind[]): Promise<T | undefined> => {
  try {
    return await read
  } catch (error) {
    if (!isKind(error, kinds)) throw error
    return undefined
  }
}

const isKind = (error: unknown, kinds: readonly ServiceErrorKind[]): boolean =>
  isServiceError(error) && kinds.includes(error.kind)
