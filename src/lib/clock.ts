import { readFileSync } from 'node:fs'

declare const tick: unique symbol

/**
 * A moment by a clock that only goes forward, of this process alone. It is no number: wall time cannot stand in its place,
 * nor be added to it or compared with it. Two ticks compare with `<`.
 */
export type Tick = { readonly [tick]: true }

/** What paces, limits, pauses, timeouts and caches are measured by. */
export type Ticks = () => Tick

const toTick = (ms: number): Tick => ms as unknown as Tick
const toMs = (at: Tick): number => at as unknown as number

export const ticks: Ticks = () => toTick(performance.now())

/** Wall time: for people, for other machines, and for what is stored. It may be wrong, and step both ways. */
export const wallTime = (): number => Date.now()

/**
 * Whether a stored moment of wall time was less than so long ago. One that is still to come was told by a clock that was
 * wrong: it says nothing, and nobody waits for it.
 */
export const isLately = (at: number, ms: number, now: number): boolean => at <= now && now - at < ms

/** Before any other moment. */
export const longAgo = toTick(Number.NEGATIVE_INFINITY)

export const after = (from: Tick, ms: number): Tick => toTick(toMs(from) + ms)
export const msBetween = (from: Tick, to: Tick): number => toMs(to) - toMs(from)
export const latest = (one: Tick, other: Tick): Tick => (one < other ? other : one)

/** Of which start of the machine `ticksAsleep` counts; undefined where the system does not tell. */
export const bootId = (): string | undefined => {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}

/** A moment that another process of the same start of the machine stored, as `ticksAsleep` has it. */
export const tickOfUptime = (ms: number): Tick => toTick(ms)
export const uptimeOf = (at: Tick): number => toMs(at)

/**
 * As `ticks`, and it goes on while the machine sleeps or is suspended, where the system tells that (Linux); elsewhere it
 * may stand still meanwhile.
 */
export const ticksAsleep: Ticks = () => {
  if (!countsSleep) return ticks()
  const ms = uptimeMs()
  countsSleep = ms !== undefined
  return ms === undefined ? ticks() : toTick(ms)
}

let countsSleep = true

const uptimeMs = (): number | undefined => {
  try {
    const seconds = Number.parseFloat(readFileSync('/proc/uptime', 'utf8'))
    return Number.isFinite(seconds) ? seconds * 1_000 : undefined
  } catch {
    return undefined
  }
}
