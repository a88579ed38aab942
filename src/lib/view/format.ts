import { createRequire } from 'node:module'
import type * as dateFns from 'date-fns'
import { plural } from './button-labels.ts'
import { formatNumber } from './format-number.ts'
import { theirs, theirWord } from './outside.ts'
import type { Moment } from './words.ts'

/** An instant, which each platform shows in its reader's own way; text that is not a date is shown unchanged. */
export const when = (value: unknown): Moment | string | undefined => {
  const at = toTime(value)
  if (at === undefined) return typeof value === 'string' && value !== '' ? value : undefined
  const text = absolute(at)
  return isInstant(value, at) ? { at, text } : isDay(value) ? text.replace(/,.*/, '') : text
}

/** The same for what is still to come when it is shown. */
export const due = (value: unknown): Moment | string | undefined => {
  const moment = when(value)
  return typeof moment === 'object' ? { ...moment, isAhead: true } : moment
}

/** "12 Nov 2026, 09:30 UTC" */
export const absolute = (at: number): string => {
  const date = new Date(at)
  const clock = date.toISOString().slice(11, 16)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${clock} UTC`
}

/** "120 USD", or "$120.50" where only the sign is known; the currency is left out where nobody knows it. */
export const money = (
  amount: number,
  { code, symbol }: { code?: string | null | undefined; symbol?: string | null | undefined } = {},
): string => {
  const cents = Number.isInteger(amount) ? 0 : 2
  const figure = formatNumber(amount, { least: cents, most: cents })
  // A sign stands in the place of the code where nobody knows more.
  if (code && /\p{Sc}/u.test(code) && isSign(code)) return `${code}${figure}`
  if (code) return `${figure} ${theirWord(code)}`
  if (!symbol) return figure
  return isSign(symbol) ? `${symbol}${figure}` : `${figure} ${theirWord(symbol)}`
}

/** "$", or "kr". */
const isSign = (words: string): boolean => /^\p{L}{0,3}\p{Sc}\p{L}{0,3}$|^\p{L}{1,3}\.?$/u.test(words)

/** "vip, beta", or a word for an empty list. */
export const names = (values: readonly unknown[] | null | undefined, none = 'none'): string =>
  values && values.length > 0 ? values.map((value) => itemText(String(value))).join(', ') : none

/** What would look like more than one is marked as one. */
const itemText = (value: string): string =>
  /[,“”]|[^\P{Cc}\t]/u.test(value) && !/^“[^“”]*”(?: \(.*\))?$/u.test(value) ? theirs(value) : value

const few = 5

/** "Ada, Ben, Cleo, Dan, Eve and 45 others" */
export const fewNames = (all: readonly string[], none = 'none'): string =>
  all.length > few
    ? `${all.slice(0, few).join(', ')} and ${plural(all.length - few, 'other')}`
    : names(all, none)

export const yesNo = (value: boolean | null | undefined): string | undefined =>
  value === undefined || value === null ? undefined : value ? 'yes' : 'no'

/** "Page 2 of 25, 250 subscribers" */
export const pageWords = (page: number, pages: number, total: number, one: string): string =>
  `Page ${page} of ${Math.max(pages, 1)}, ${plural(total, one)}`

/** "3 days ago", true only as long as nobody keeps it. */
export const distance = (at: number, now: number): string =>
  Math.abs(at - now) < 1000 ? 'just now' : date('formatDistanceStrict')(at, now, { addSuffix: true })

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const toTime = (value: unknown): number | undefined => {
  // The range of a JavaScript date; larger numbers are not dates.
  if (typeof value === 'number') return Math.abs(value) <= 8.64e15 ? value : undefined
  if (typeof value !== 'string' || value === '') return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : at
}

/** A day without a clock would be the day before for readers further west. */
const isDay = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)

/** What every platform can show: from 1970 to the year 9999. */
const isInstant = (value: unknown, at: number): boolean =>
  !isDay(value) && at >= 0 && at < 253_402_300_800_000

const load = createRequire(import.meta.url)

/**
 * Loads date-fns on first use: Node reads its 200 kB package.json for each of its files, which takes a tenth
 * of the start-up time.
 */
export const date = <N extends keyof typeof dateFns>(name: N): (typeof dateFns)[N] =>
  load(`date-fns/${name}`)[name]
