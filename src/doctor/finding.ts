/** One line of the doctor's report. A finding that is not ok says what to do about it. */
export type Finding = { ok: boolean; about: string; words: string }

export const well = (about: string, words: string): Finding => ({ ok: true, about, words })

export const ill = (about: string, words: string): Finding => ({ ok: false, about, words })

export const lineOf = ({ ok, about, words }: Finding): string =>
  `${ok ? 'ok  ' : 'FAIL'}  ${about.padEnd(13)}  ${words}`
