import { z } from 'zod'
import { parseDuration } from '../../src/policy/duration.ts'

/** "24h", "7d" or "2026-11-01"; anything else is no time. */
export const toSince = (text: string, now: number): number | undefined => {
  const duration = parseDuration(text)
  if (duration !== null) return now - duration
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

export const since = z
  .string()
  .refine((text) => toSince(text, 0) !== undefined, 'Write a time such as 24h, 7d or 2026-11-01.')
  .describe('Only entries since then: 24h, 7d or 2026-11-01')
