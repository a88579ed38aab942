import { z } from 'zod'
import type { CountedChange } from '../../src/features/reports/figures.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { readPast } from '../../src/kernel/times/read-past.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { money, when } from '../../src/lib/view/format.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { type Block, note } from '../../src/lib/view/view.ts'
import { sentence, type Words } from '../../src/lib/view/words.ts'
import { momentsOf, wallTimeAt } from '../../src/lib/view/zones.ts'
import { timeParam } from '../audit/filters.ts'

const isPeriod = (text: string): boolean => readPast(text, { now: 0, zone: 'UTC' })?.unit !== undefined

/** From when to when a report counts. */
export const windowParams = {
  month: z
    .string()
    .refine(isPeriod, 'Write a month or a quarter, such as october, 2026-10 or q3.')
    .optional()
    .describe('A whole month or quarter: october, 2026-10, "last month" or q3'),
  since: timeParam.optional().describe('From when on: 24h, yesterday, "this month" or 2026-11-01'),
  until: timeParam
    .optional()
    .describe('Until the end of when: yesterday, october or 2026-10-31; now if not given'),
}

/** `before` is as long, right before it. */
export type Window = { since: number; until: number; words: Words; before: { since: number; words: string } }

type Given = { since?: string | undefined; until?: string | undefined; month?: string | undefined }

export const windowOf = async (
  { since, until, month }: Given,
  { now, past, zone }: Pick<ReadContext, 'now' | 'past' | 'zone'>,
  usual = '30d',
): Promise<Result<Window>> => {
  if (month !== undefined && (since !== undefined || until !== undefined)) {
    return no(
      refusal('bad_value', 'A month says from when to when already.', { next: 'Give one or the other.' }),
    )
  }
  const begun = await past(month ?? since ?? usual)
  const ended = month === undefined && until === undefined ? undefined : await past(month ?? until ?? '')
  const from = begun?.from ?? now
  const to = ended?.to ?? now
  if (from >= to || from > now) {
    return no(
      refusal('bad_value', from > now ? 'That time has not begun.' : 'since is not before until.', {
        next: (as) => `Give an earlier time with ${as.flag('since')}.`,
      }),
    )
  }
  const last = ended === undefined || ended.from === ended.to ? to : to - 1
  const whole =
    begun !== undefined && ended?.from === begun.from && ended.to === begun.to ? begun.unit : undefined
  if (whole !== undefined) return ok(wholeOf(whole, from, last, zone))
  return ok({
    since: from,
    until: last,
    words: sentence`${when(from)} to ${when(Math.min(last, now))}`,
    before: { since: from - (to - from), words: `in the ${lengthWords(to - from)} before` },
  })
}

/** Beside the one before it, which may be shorter or longer. */
const wholeOf = (unit: 'month' | 'quarter', since: number, until: number, zone: string): Window => {
  const first = wallTimeAt(since, zone)
  const earlier = new Date(Date.UTC(first.year, first.month - (unit === 'month' ? 2 : 4), 1))
  const before = { year: earlier.getUTCFullYear(), month: earlier.getUTCMonth() + 1 }
  const [start = earlier.getTime()] = momentsOf({ ...before, day: 1, hour: 0, minute: 0, second: 0 }, zone)
  const named = (at: number, withYear: boolean) => {
    const { year, month } = wallTimeAt(at, zone)
    if (unit === 'quarter') return `Q${Math.ceil(month / 3)}${withYear ? ` ${year}` : ''}`
    const more: Intl.DateTimeFormatOptions = withYear ? { year: 'numeric' } : {}
    return new Intl.DateTimeFormat('en', { month: 'long', timeZone: zone, ...more }).format(at)
  }
  return {
    since,
    until,
    words: `${named(since, true)}, in ${zone}`,
    before: { since: start, words: `in ${named(start, false)}` },
  }
}

/** ", a third more than in October" */
export const comparedWords = (
  now: number,
  before: number,
  { before: { words } }: Pick<Window, 'before'>,
  { isCount = false }: { isCount?: boolean } = {},
): string => {
  const much = isCount ? 'many' : 'much'
  if (before === 0) return now === 0 ? '' : `, after ${isCount ? 'none' : 'nothing'} ${words}`
  const share = now / before - 1
  const percent = Math.round(Math.abs(share) * 100)
  if (percent === 0) return `, as ${much} as ${words}`
  if (share >= 1) return `, ${Math.round((now / before) * 10) / 10} times as ${much} as ${words}`
  const part = parts[percent] ?? `${percent}%`
  return `, ${part} ${share > 0 ? 'more' : isCount ? 'fewer' : 'less'} than ${words}`
}

const parts: Readonly<Record<number, string>> = { 25: 'a quarter', 33: 'a third', 50: 'half' }

/** "30 days" */
const lengthWords = (ms: number): string =>
  ms % 86_400_000 === 0 ? plural(ms / 86_400_000, 'day') : spanWords(ms)

/** 0.1 + 0.2 is 0.3 in money. */
export const sumOf = (amounts: readonly number[]): number =>
  Math.round(amounts.reduce((sum, one) => sum + one, 0) * 1e6) / 1e6

export const medianOf = (values: readonly number[]): number | undefined => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  if (sorted.length === 0) return undefined
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** Those who said yes, by name. */
export const approversOf = (votes: CountedChange['votes']): string =>
  [...new Set(votes.flatMap(({ isYes, name }) => (isYes ? name : [])))].join(', ')

/** "1 h 5 m", to the second where it is short. */
export const spanWords = (ms: number | undefined): string => {
  if (ms === undefined) return ''
  const seconds = Math.round(ms / 1000)
  const [d, h, m, s] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3_600) % 24,
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  if (d > 0) return `${d} d ${h} h`
  if (h > 0) return `${h} h ${m} m`
  return m > 0 ? `${m} m ${s} s` : `${s} s`
}

/** A report counts everything; whom it is about is for those who may see the change. */
export const notesOnUnseen = (changes: readonly CountedChange[]): Block[] => {
  const unseen = changes.filter(({ isSeen }) => !isSeen).length
  const words = `${unseen} of these ${unseen === 1 ? 'is' : 'are'} counted and not shown: you may not see ${unseen === 1 ? 'it' : 'them'}.`
  return unseen === 0 ? [] : [note('plain', words)]
}

export const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups]
}

/** "120 USD and 3 without an amount" */
export const totalWords = (changes: readonly CountedChange[]): string => {
  const totals = totalsOf(changes).map(([code, sum]) => money(sum, { code: code || null }))
  const unknown = changes.filter(({ amount }) => amount === null).length
  return [...totals, ...(unknown > 0 ? [`${unknown} without an amount`] : [])].join(' and ') || 'nothing'
}

/** By currency; amounts of different currencies are never added. */
export const totalsOf = (changes: readonly CountedChange[]): [string, number][] =>
  grouped(
    changes.filter(({ amount }) => amount !== null),
    ({ currency }) => currency ?? '',
  ).map(([code, some]) => [code, sumOf(some.map(({ amount }) => amount ?? 0))])
