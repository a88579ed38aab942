import { createHash } from 'node:crypto'

/** Every seeded date counts from here, so that two sandboxes started in different years hold the same data. */
const epoch = Date.UTC(2026, 10, 2, 9, 0, 0)

export const day = 86_400_000

export const isoOf = (ms: number) => new Date(ms).toISOString()

export const daysFromEpoch = (days: number) => isoOf(epoch + Math.round(days * day))

/** A 24-character hexadecimal id that is the same in every run. */
export const hexId = (kind: string, n: number) =>
  createHash('sha256').update(`${kind}:${n}`).digest('hex').slice(0, 24)

export interface SeededRandom {
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(items: readonly T[]): T
}

/** A linear congruential generator: spread enough for demo data, and repeatable, which Math.random is not. */
export function createSeededRandom(seed: number): SeededRandom {
  let value = seed >>> 0
  const next = () => {
    value = (Math.imul(value, 1_664_525) + 1_013_904_223) >>> 0
    return value / 2 ** 32
  }
  return {
    below: (limit) => Math.floor(next() * limit),
    chance: (share) => next() < share,
    pick: <T>(items: readonly T[]) => items[Math.floor(next() * items.length)] as T,
  }
}
