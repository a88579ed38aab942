import type { CheckResult } from '../messenger/definition.ts'

export const checkPassed = (about: string, words: string): CheckResult => ({ ok: true, about, words })

export const checkFailed = (about: string, words: string): CheckResult => ({ ok: false, about, words })

export const reportLineOf = ({ ok, about, words }: CheckResult): string =>
  `${ok ? 'ok  ' : 'FAIL'}  ${about.padEnd(13)}  ${words}`
