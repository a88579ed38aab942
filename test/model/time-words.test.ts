import { expect, it } from 'vitest'
import { spokenPast } from '../../src/model/time-words.ts'

/** A Tuesday, a little after midnight in Berlin. */
const now = Date.UTC(2026, 10, 16, 23, 30)
const read = (text: string) => {
  const at = spokenPast(text, now, 'Europe/Berlin')
  return at === undefined ? undefined : new Date(at).toISOString()
}

it.each([
  ['today', '2026-11-16T23:00:00.000Z'],
  ['yesterday', '2026-11-15T23:00:00.000Z'],
  ['this week', '2026-11-15T23:00:00.000Z'],
  ['last week', '2026-11-08T23:00:00.000Z'],
  ['this month', '2026-10-31T23:00:00.000Z'],
  ['last month', '2026-09-30T22:00:00.000Z'],
  ['this quarter', '2026-09-30T22:00:00.000Z'],
  ['last quarter', '2026-06-30T22:00:00.000Z'],
  ['this year', '2025-12-31T23:00:00.000Z'],
  ['last year', '2024-12-31T23:00:00.000Z'],
  ['tuesday', '2026-11-16T23:00:00.000Z'],
  ['last tuesday', '2026-11-09T23:00:00.000Z'],
  ['since monday', '2026-11-15T23:00:00.000Z'],
  ['3 days ago', '2026-11-13T23:30:00.000Z'],
  ['last 7 days', '2026-11-09T23:30:00.000Z'],
  ['1 nov', '2026-10-31T23:00:00.000Z'],
  ['december 24', '2025-12-23T23:00:00.000Z'],
  ['next week', undefined],
  ['soon', undefined],
  ['', undefined],
])('%s began then', (text, expected) => {
  expect(read(text)).toBe(expected)
})
