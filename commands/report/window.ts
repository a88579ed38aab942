import { z } from 'zod'
import type { CountedChange } from '../../src/audit/figures.ts'
import { no, ok, type Result } from '../../src/model/result.ts'
import { parseDuration } from '../../src/policy/duration.ts'
import { absolute } from '../../src/view/format.ts'
import { refusal } from '../../src/view/refusals.ts'
import { type Block, note } from '../../src/view/view.ts'
import { toTime } from '../audit/filters.ts'

const isTime = (text: string): boolean => toTime(text, 0) !== undefined
const words = 'Write a time such as 10s, 24h, 30d or 2026-11-01.'

/** From when to when a report counts. */
export const windowParams = {
  since: z.string().refine(isTime, words).optional().describe('From when on: 24h, 30d or 2026-11-01'),
  until: z.string().refine(isTime, words).optional().describe('Until when; now if not given'),
}

export type Window = { since: number; until: number }

export const windowOf = (
  { since, until }: { since?: string | undefined; until?: string | undefined },
  now: number,
  usual = '30d',
): Result<Window> => {
  const from = toTime(since ?? usual, now) ?? now - (parseDuration(usual) ?? 0)
  const to = until === undefined ? now : (toTime(until, now) ?? now)
  return from < to
    ? ok({ since: from, until: to })
    : no(
        refusal('bad_value', 'since is not before until.', {
          next: (as) => `Give an earlier time with ${as.flag('since')}.`,
        }),
      )
}

export const windowWords = ({ since, until }: Window): string => `${absolute(since)} to ${absolute(until)}`

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
