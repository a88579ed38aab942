import { no, ok, type Result } from '../../src/lib/result.ts'
import { ifKnown, unless } from '../../src/lib/services/read-answer.ts'
import { refusal } from '../../src/lib/view/refusals.ts'

/** The result of a read by id, or a refusal that says what was not found and how to find the right id. */
export const found = async <T>(read: Promise<T>, what: string, next: string): Promise<Result<T>> => {
  const answered = await ifKnown(read.then((value) => ({ value })))
  if (answered !== undefined) return ok(answered.value)
  return no(refusal('not_found', `The billing service has no ${what}.`, { next }))
}

/**
 * The current record, to show beside a change. The change can be requested even if the record cannot be read.
 */
export const ifShown = <T>(read: Promise<T>): Promise<T | undefined> =>
  unless(read, ({ kind }) => kind === 'malformed' || kind === 'rejected')
