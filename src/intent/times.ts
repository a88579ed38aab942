import { spokenPast, spokenRecurrence, spokenTime, weekdayOf } from '../model/time-words.ts'
import type { SayingToken } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What words of time can stand for: when something is to be done, since when (and until when) it was, or how often. */
export type SpokenSpan = { ahead?: string; since?: string; until?: string; every?: string }

const mostWords = 7

const starters: ReadonlySet<string> = new Set(
  'today tomorrow tonight next this on at until till by every each daily weekly monthly hourly in the day weekday weekdays noon midnight last first end eod eow eom'.split(
    ' ',
  ),
)
const leadIn = /^(?:on|at|until|till|by|the|this) (?=\D)/

/** What ends when the named one begins. */
const endOf: Readonly<Record<string, string>> = {
  yesterday: 'today',
  'last week': 'this week',
  'last month': 'this month',
  'last quarter': 'this quarter',
  'last year': 'this year',
}

/** The longest run of words here that is a time. A number alone is none: behind a day it may as well be an amount. */
export const timeAt = (
  tokens: readonly SayingToken[],
  words: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): { length: number; span: SpokenSpan } | undefined => {
  const token = tokens[at] as SayingToken
  if (token.kind === 'since') return { length: 1, span: ofSince(token) }
  const meant = words.slice(at, at + mostWords).map((word) => word && vocabulary.timeWord(word))
  const [first] = meant
  const period = vocabulary.longestAt(words, at)
  const named = period?.meanings.find(({ role }) => role === 'period')?.values[0]
  const spoken = isStart(first) ? spokenAt(tokens, meant, at, vocabulary) : undefined
  if (spoken !== undefined && spoken.length >= (period?.length ?? 0)) return spoken
  if (named !== undefined && period !== undefined) return { length: period.length, span: ofPeriod(named) }
  if (token.kind !== 'number' || token.currency !== undefined) return undefined
  const unit = vocabulary.longestAt(words, at + 1)
  const days = unit?.meanings.find(({ role }) => role === 'units')?.values[0]
  if (unit === undefined || days === undefined) return undefined
  const isIn = words[at - 1] !== undefined && vocabulary.timeWord(words[at - 1] as string) === 'in'
  const span = `${Math.round(token.value * Number(days))}d`
  return { length: 1 + unit.length, span: isIn ? { ahead: `in ${span}`, since: span } : { since: span } }
}

const isStart = (word: string | undefined): word is string =>
  word !== undefined &&
  (starters.has(word) ||
    weekdayOf(word) !== undefined ||
    /^\d{1,2}(?:[:.]\d\d)?(?:am|pm)?$/.test(word) ||
    isMonth(word))

const isMonth = (word: string): boolean => /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/.test(word)

const spokenAt = (
  tokens: readonly SayingToken[],
  meant: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): { length: number; span: SpokenSpan } | undefined => {
  // "the payment of monday" is no time at which to do something.
  const isOf = at > 0 && vocabulary.isBackward((tokens[at - 1] as SayingToken).text.toLowerCase())
  for (let length = Math.min(mostWords, meant.length); length > 0; length--) {
    const run = meant.slice(0, length)
    if (run.includes(undefined) || !run.every((word, index) => isSure(run, word as string, index))) continue
    const text = run.join(' ')
    const every = spokenRecurrence(text)
    if (every !== undefined && isRecurring.test(text)) return { length, span: { every } }
    if (isSoon.test(text)) return { length, span: { ahead: text } }
    const bare = text.replace(leadIn, '').replace(leadIn, '')
    const isPast = spokenPast(bare, 0, 'UTC') !== undefined
    const isAhead = spokenTime(bare) !== undefined && !isOf
    if (isPast || isAhead)
      return { length, span: { ...(isPast ? ofPeriod(bare) : {}), ...(isAhead ? { ahead: bare } : {}) } }
  }
  return undefined
}

const isRecurring = /^(?:every|each|daily|weekly|monthly|hourly|(?:on )?weekdays?)\b|\b(?:every|each) month\b/
const isSoon = /^in (?:an|\d\d?) (?:minutes?|mins?|hours?|hrs?)$/

const isSure = (run: readonly (string | undefined)[], word: string, index: number): boolean => {
  if (!/^\d{1,2}(?:\.\d\d)?$/.test(word)) return true
  const [before, after] = [run[index - 1], run[index + 1]]
  return (
    before === 'at' ||
    before === 'in' ||
    after === 'am' ||
    after === 'pm' ||
    isMonth(before ?? '') ||
    isMonth(after ?? '')
  )
}

const ofPeriod = (named: string): SpokenSpan => ({
  since: named,
  ...(endOf[named] === undefined ? {} : { until: endOf[named] }),
})

const ofSince = ({ text, since }: Extract<SayingToken, { kind: 'since' }>): SpokenSpan => ({
  since,
  ...(/^\d{4}-/.test(text) ? { ahead: text } : {}),
})
