import { z } from 'zod'
import type { CountedChange } from '../../src/audit/figures.ts'
import type { ReadContext } from '../../src/command/context.ts'
import { no, ok, type Result } from '../../src/model/result.ts'
import { plural } from '../../src/view/button-labels.ts'
import { when } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { type Block, note } from '../../src/view/view.ts'
import { sentence, type Words } from '../../src/view/words.ts'
import { momentsOf } from '../../src/view/zones.ts'
import { timeParam } from '../audit/filters.ts'

/** From when to when a report counts. */
export const windowParams = {
  month: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'Write a month such as 2026-10.')
    .optional()
    .describe('A whole month, such as 2026-10, in the zone of the team'),
  since: timeParam.optional().describe('From when on: 24h, yesterday, "this month" or 2026-11-01'),
  until: timeParam.optional().describe('Until when; now if not given'),
}

/** `before` is as long, right before it. */
export type Window = { since: number; until: number; words: Words; before: { since: number; words: string } }

type Given = { since?: string | undefined; until?: string | undefined; month?: string | undefined }

export const windowOf = async (
  { since, until, month }: Given,
  { now, past, zone }: Pick<ReadContext, 'now' | 'past' | 'zone'>,
  usual = '30d',
): Promise<Result<Window>> => {
  if (month !== undefined) {
    return since === undefined && until === undefined
      ? ok(monthOf(month, zone))
      : no(
          refusal('bad_value', 'A month says from when to when already.', { next: 'Give one or the other.' }),
        )
  }
  const from = (await past(since ?? usual)) ?? now
  const to = until === undefined ? now : ((await past(until)) ?? now)
  return from < to
    ? ok({
        since: from,
        until: to,
        words: sentence`${when(from)} to ${when(to)}`,
        before: { since: from - (to - from), words: `in the ${lengthWords(to - from)} before` },
      })
    : no(
        refusal('bad_value', 'since is not before until.', {
          next: (as) => `Give an earlier time with ${as.flag('since')}.`,
        }),
      )
}

/** From its first moment in the zone to the last one before the next. */
const monthOf = (written: string, zone: string): Window => {
  const [year = 0, month = 1] = written.split('-').map(Number)
  const startOf = (more: number): number => {
    const first = new Date(Date.UTC(year, month - 1 + more, 1))
    const wall = { year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day: 1 }
    return momentsOf({ ...wall, hour: 0, minute: 0, second: 0 }, zone)[0] ?? first.getTime()
  }
  const named = (at: number, more: Intl.DateTimeFormatOptions = {}) =>
    new Intl.DateTimeFormat('en', { month: 'long', timeZone: zone, ...more }).format(at)
  return {
    since: startOf(0),
    until: startOf(1) - 1,
    words: `${named(startOf(0), { year: 'numeric' })}, in ${zone}`,
    before: { since: startOf(-1), words: `in ${named(startOf(-1))}` },
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
