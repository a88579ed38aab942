import { spokenPast, spokenRecurrence, spokenTime, weekdayOf } from '../../lib/codecs/time-words.ts'
import { traitsOf } from '../../lib/things/kinds.ts'
import type { ThingKind } from '../../lib/view/thing.ts'
import type { SayingToken } from './tokens.ts'
import type { Vocabulary } from './vocabulary.ts'

/** What words of time can stand for: when something is to be done, since when (and until when) it was, or how often. */
export type SpokenSpan = { ahead?: string; since?: string; until?: string; every?: string }

const maxWords = 7

const starters: ReadonlySet<string> = new Set(
  'today tomorrow tonight next between this on at until till by every each daily weekly monthly hourly in the day weekday weekdays noon midnight last first second third fourth 1st 2nd 3rd 4th q1 q2 q3 q4 previous current end start beginning early mid middle late eod eow eom'.split(
    ' ',
  ),
)
const leadIn = /^(?:on|at|until|till|by|the|this) (?=\D)/

/** The longest run of words here that is a time. A number alone is none: behind a day it may as well be an amount. */
export const timeAt = (
  tokens: readonly SayingToken[],
  words: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): { length: number; span: SpokenSpan } | undefined => {
  const range = rangeAt(tokens, words, at, vocabulary)
  return range ?? spanAt(tokens, words, at, vocabulary)
}

const spanAt = (
  tokens: readonly SayingToken[],
  words: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): { length: number; span: SpokenSpan } | undefined => {
  if (tokens[at] === undefined) return undefined
  const token = tokens[at] as SayingToken
  if (token.kind === 'since') return { length: 1, span: ofSince(token) }
  const meant = words.slice(at, at + maxWords).map((word) => word && vocabulary.timeWord(word))
  const [first] = meant
  const period = vocabulary.longestAt(words, at)
  const named = period?.meanings.find(({ role }) => role === 'period')?.values[0]
  const spoken = isStart(first) ? spokenAt(tokens, meant, at, vocabulary) : undefined
  if (spoken !== undefined && spoken.length >= (period?.length ?? 0)) return spoken
  if (named !== undefined && period !== undefined)
    return { length: period.length, span: ofPast(named, edgeAt(tokens, at, vocabulary)) }
  if (token.kind !== 'number' || token.currency !== undefined) return undefined
  const unit = vocabulary.longestAt(words, at + 1)
  const days = unit?.meanings.find(({ role }) => role === 'units')?.values[0]
  if (unit === undefined || days === undefined) return undefined
  const ago = words[at + 1 + unit.length]
  if (ago !== undefined && vocabulary.timeWord(ago) === 'ago')
    return { length: 2 + unit.length, span: { since: `${Math.round(token.value * Number(days))}d` } }
  const isIn = words[at - 1] !== undefined && vocabulary.timeWord(words[at - 1] as string) === 'in'
  const span = `${Math.round(token.value * Number(days))}d`
  return { length: 1 + unit.length, span: isIn ? { ahead: `in ${span}`, since: span } : { since: span } }
}

/**
 * "between 1 and 5 November", "from monday to yesterday", "15 to 31 october": each end a time, where the first may leave its
 * month to the second.
 */
const rangeAt = (
  tokens: readonly SayingToken[],
  words: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): { length: number; span: SpokenSpan } | undefined => {
  const wordAt = (place: number) => {
    const word = words[place]
    return word === undefined ? undefined : vocabulary.timeWord(word)
  }
  const opener = wordAt(at)
  const isBetween = opener === 'between'
  const isOpened = isBetween || (opener !== undefined && vocabulary.edgeOf(opener) === 'beginning')
  const start = isOpened ? at + 1 : at
  const isJoined = (place: number) => {
    const word = wordAt(place)
    return isBetween ? word === 'and' : word !== undefined && vocabulary.edgeOf(word) === 'ending'
  }
  const lone = /^\d{1,2}(?:st|nd|rd|th)?$/.test(wordAt(start) ?? '') && isJoined(start + 1)
  if (!isOpened && !lone) return undefined
  const first = lone ? undefined : spanAt(tokens, words, start, vocabulary)
  const join = start + (lone ? 1 : (first?.length ?? 0))
  if (join === start || !isJoined(join)) return undefined
  const last = spanAt(tokens, words, join + 1, vocabulary)
  const until = last?.span.until ?? last?.span.since
  const month = lone ? until?.split(' ').find(isMonth) : undefined
  const since = month === undefined ? first?.span.since : `${wordAt(start)} ${month}`
  if (last === undefined || until === undefined || since === undefined) return undefined
  return { length: join + 1 + last.length - at, span: { since, until } }
}

const isStart = (word: string | undefined): word is string =>
  word !== undefined &&
  (starters.has(word) ||
    weekdayOf(word) !== undefined ||
    /^\d{1,2}(?:[:.]\d\d|st|nd|rd|th)?(?:am|pm)?$/.test(word) ||
    /^\d{1,2}\.\d{1,2}\.\d{4}$/.test(word) ||
    isMonth(word))

/** "the december news": a month right before what has a name of its own. */
const isMonthOfName = (
  tokens: readonly SayingToken[],
  [month = '']: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): boolean => {
  const next = tokens[at + 1]
  if (!isMonth(month) || next?.kind !== 'word') return false
  const meanings = vocabulary.longestAt([next.word], 0)?.meanings
  if (meanings === undefined) return spokenPast(`${month} ${next.word}`, 0, 'UTC') === undefined
  return meanings.some(({ values }) => values.some((kind) => traitsOf(kind as ThingKind).byName === true))
}

/** "since monday", "since the 15th" */
const edgeAt = (tokens: readonly SayingToken[], at: number, vocabulary: Vocabulary) => {
  const wordBefore = (place: number) => tokens[place - 1]?.text.toLowerCase() ?? ''
  return vocabulary.edgeOf(wordBefore(wordBefore(at) === 'the' ? at - 1 : at))
}

const isMonth = (word: string): boolean => /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/.test(word)

const spokenAt = (
  tokens: readonly SayingToken[],
  meant: readonly (string | undefined)[],
  at: number,
  vocabulary: Vocabulary,
): { length: number; span: SpokenSpan } | undefined => {
  const edge = edgeAt(tokens, at, vocabulary)
  if (isMonthOfName(tokens, meant, at, vocabulary)) return undefined
  // "the payment of monday" is no time at which to do something.
  const isOf = at > 0 && vocabulary.isBackward((tokens[at - 1] as SayingToken).text.toLowerCase())
  for (let length = Math.min(maxWords, meant.length); length > 0; length--) {
    const run = meant.slice(0, length)
    const isDated = edge !== undefined || /^(?:on|by|until|till|at)$/.test(run[0] ?? '')
    const isRead = (word: string | undefined, index: number) =>
      word !== undefined && (isSure(run, word, index) || (isDated && isOfMonth.test(word)))
    if (!run.every(isRead)) continue
    const text = run.join(' ')
    const every = spokenRecurrence(text)
    if (every !== undefined && isRecurring.test(text)) return { length, span: { every } }
    if (isSoon.test(text)) return { length, span: { ahead: text } }
    const bare = text.replace(leadIn, '').replace(leadIn, '')
    const past = bare.replace(/^(?:in|of) (?:the )?(?=[a-z])/, '')
    const isPast = spokenPast(past, 0, 'UTC') !== undefined && (past !== 'may' || past !== text || isOf)
    const isAhead = spokenTime(bare) !== undefined && !isOf
    if (isPast || isAhead)
      return { length, span: { ...(isPast ? ofPast(past, edge) : {}), ...(isAhead ? { ahead: bare } : {}) } }
  }
  return undefined
}

const isRecurring = /^(?:every|each|daily|weekly|monthly|hourly|(?:on )?weekdays?)\b|\b(?:every|each) month\b/
const isSoon = /^in (?:an|\d\d?) (?:minutes?|mins?|hours?|hrs?)$/

/** "the 15th", which may be a row as well. */
const isOfMonth = /^\d{1,2}(?:st|nd|rd|th)$/

const isSure = (run: readonly (string | undefined)[], word: string, index: number): boolean => {
  if (!/^\d{1,2}(?:\.\d\d|st|nd|rd|th)?$/.test(word)) return true
  const [before, after] = [run[index - 1], run[index + 1]]
  return (
    before === 'at' ||
    before === 'in' ||
    after === 'am' ||
    after === 'pm' ||
    isMonth(before ?? '') ||
    isMonth(after ?? '') ||
    (after === 'of' && isMonth(run[index + 2] ?? ''))
  )
}

/** A time that was, as far as it is meant: from it on, up to it, or all of it. What is not over has no end of its own. */
const ofPast = (named: string, edge: 'beginning' | 'ending' | undefined): SpokenSpan => {
  if (edge === 'beginning') return { since: named }
  if (edge === 'ending') return { until: named }
  const span = spokenPast(named, 0, 'UTC')
  const isWhole = span !== undefined && span.from < span.to && !/^(?:today|this )/.test(named)
  return { since: named, ...(isWhole ? { until: named } : {}) }
}

const ofSince = ({ text, since }: Extract<SayingToken, { kind: 'since' }>): SpokenSpan => ({
  since,
  ...(/^\d{4}-/.test(text) ? { ahead: text } : {}),
})
