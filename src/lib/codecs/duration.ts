const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

type Unit = keyof typeof unitMs

/** Timers and dates stay exact well past this; a longer one is a typing mistake. */
export const longestMs = 366 * unitMs.d

/** `30m`, `24 h`, `10s`, `7d` in milliseconds; null when it is no duration. */
export function parseDuration(text: string): number | null {
  const parts = /^(\d{1,9}) ?([smhd])$/.exec(text.trim())
  if (!parts) return null
  const ms = Number(parts[1]) * unitMs[parts[2] as Unit]
  return ms > 0 && ms <= longestMs ? ms : null
}

/** The largest unit that is exact, with `24 h` kept as people say it; `parseDuration` reads it back. */
export function printDuration(ms: number): string {
  const isExact = (unit: Unit, least: number) => ms >= least * unitMs[unit] && ms % unitMs[unit] === 0
  const unit = isExact('d', 2) ? 'd' : isExact('h', 1) ? 'h' : isExact('m', 1) ? 'm' : 's'
  return `${Math.ceil(ms / unitMs[unit])} ${unit}`
}
