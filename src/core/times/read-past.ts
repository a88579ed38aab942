import { spokenPast } from '../../model/time-words.ts'
import { parseDuration } from '../../policy/duration.ts'

/** A time that is over, as people write it: "24h", "7d", 2026-11-01, "yesterday", "this month". Undefined for anything else. */
export const readPast = (
  written: string,
  { now, zone }: { now: number; zone: string },
): number | undefined => {
  const duration = parseDuration(written)
  if (duration !== null) return now - duration
  if (!/^\d{4}-\d{2}-\d{2}/.test(written)) return spokenPast(written, now, zone)
  const at = Date.parse(written)
  return Number.isNaN(at) ? undefined : at
}
