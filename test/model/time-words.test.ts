import { expect, it } from 'vitest'
import { spokenPast } from '../../src/lib/codecs/time-words.ts'

/** A Tuesday, a little after midnight in Berlin. */
const now = Date.UTC(2026, 10, 16, 23, 30)
const read = (text: string) => {
  const span = spokenPast(text, now, 'Europe/Berlin')
  return span === undefined
    ? undefined
    : [span.from, span.to].map((at) => new Date(at).toISOString().slice(0, 16))
}

it.each([
  ['today', '2026-11-16T23:00', '2026-11-17T23:00'],
  ['yesterday', '2026-11-15T23:00', '2026-11-16T23:00'],
  ['this week', '2026-11-15T23:00', '2026-11-22T23:00'],
  ['last week', '2026-11-08T23:00', '2026-11-15T23:00'],
  ['this month', '2026-10-31T23:00', '2026-11-30T23:00'],
  ['last month', '2026-09-30T22:00', '2026-10-31T23:00'],
  ['this quarter', '2026-09-30T22:00', '2026-12-31T23:00'],
  ['last quarter', '2026-06-30T22:00', '2026-09-30T22:00'],
  ['this year', '2025-12-31T23:00', '2026-12-31T23:00'],
  ['last year', '2024-12-31T23:00', '2025-12-31T23:00'],
  ['tuesday', '2026-11-16T23:00', '2026-11-17T23:00'],
  ['last tuesday', '2026-11-09T23:00', '2026-11-10T23:00'],
  ['since monday', '2026-11-15T23:00', '2026-11-16T23:00'],
  ['3 days ago', '2026-11-13T23:30', '2026-11-13T23:30'],
  ['last 7 days', '2026-11-09T23:30', '2026-11-09T23:30'],
  ['1 nov', '2026-10-31T23:00', '2026-11-01T23:00'],
  ['december 24', '2025-12-23T23:00', '2025-12-24T23:00'],
  ['october', '2026-09-30T22:00', '2026-10-31T23:00'],
  ['in oct 2025', '2025-09-30T22:00', '2025-10-31T23:00'],
  ['november', '2026-10-31T23:00', '2026-11-30T23:00'],
  ['december', '2025-11-30T23:00', '2025-12-31T23:00'],
  ['last may', '2026-04-30T22:00', '2026-05-31T22:00'],
  ['2026-02', '2026-01-31T23:00', '2026-02-28T23:00'],
  ['q3', '2026-06-30T22:00', '2026-09-30T22:00'],
  ['the second quarter of 2025', '2025-03-31T22:00', '2025-06-30T22:00'],
  ['4th quarter', '2026-09-30T22:00', '2026-12-31T23:00'],
  ['2025', '2024-12-31T23:00', '2025-12-31T23:00'],
])('%s is from %s to %s', (text, ...expected) => {
  expect(read(text)).toEqual(expected)
})

it.each(['next week', 'soon', '', 'smarch', 'october zorblax', 'q5', 'marketing', '2026-13'])(
  '%s is no time that has begun',
  (text) => {
    expect(read(text)).toBeUndefined()
  },
)
