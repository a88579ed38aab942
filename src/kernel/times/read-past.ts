import { parseDuration } from '../../lib/codecs/duration.ts'
import { type PastSpan, spokenPast } from '../../lib/codecs/time-words.ts'
import { momentsOf } from '../../lib/view/zones.ts'

/** A time that is over, as people write it: "24h", "7d", 2026-11-01, "yesterday", "october". Undefined for anything else. */
export const readPast = (
  written: string,
  { now, zone }: { now: number; zone: string },
): PastSpan | undefined => {
  const duration = parseDuration(written)
  if (duration !== null) return { from: now - duration, to: now - duration }
  if (!/^\d{4}-\d{2}-\d{2}/.test(written)) return spokenPast(written, now, zone)
  const at = Date.parse(written)
  if (Number.isNaN(at)) return undefined
  const [year = 0, month = 1, day = 1, ...time] = written.split(/[-T ]/).map(Number)
  if (time.length > 0) return { from: at, to: at }
  const [from = at] = momentsOf({ year, month, day, hour: 0, minute: 0, second: 0 }, zone)
  const next = new Date(Date.UTC(year, month - 1, day + 1))
  const after = { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() }
  const [to = at + 86_400_000] = momentsOf({ ...after, hour: 0, minute: 0, second: 0 }, zone)
  return { from, to }
}
