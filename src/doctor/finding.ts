/** One line of the doctor's report. A finding that is not ok says what to do about it. */
export type CheckResult = { ok: boolean; about: string; words: string }

export const checkPassed = (about: string, words: string): CheckResult => ({ ok: true, about, words })

export const checkFailed = (about: string, words: string): CheckResult => ({ ok: false, about, words })

export const reportLineOf = ({ ok, about, words }: CheckResult): string =>
  `${ok ? 'ok  ' : 'FAIL'}  ${about.padEnd(13)}  ${words}`
