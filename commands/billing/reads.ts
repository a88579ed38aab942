import { no, ok, type Result } from '../../src/model/result.ts'
import { ifKnown, unless } from '../../src/services/read-answer.ts'
import { refusal } from '../../src/view/refusals.ts'

/** What a read by id brings, or a "no" that says what was looked for and where to look. */
export const found = async <T>(read: Promise<T>, what: string, next: string): Promise<Result<T>> => {
  const answered = await ifKnown(read.then((value) => ({ value })))
  if (answered !== undefined) return ok(answered.value)
  return no(refusal('not_found', `The billing service knows no ${what}.`, { next }))
}

/** A record to show beside a change, which can be asked for even if the service shows something unreadable. */
export const ifShown = <T>(read: Promise<T>): Promise<T | undefined> =>
  unless(read, ({ kind }) => kind === 'malformed' || kind === 'rejected')
