/** The same numbers for the same seed (mulberry32). */
export const createRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Some of them, each at most once, in their order. */
export const sampleOf = <T>(random: () => number, items: readonly T[], count: number): T[] => {
  const chosen = items
    .map((item, at) => ({ item, at, lot: random() }))
    .sort((one, other) => one.lot - other.lot)
    .slice(0, count)
  return chosen.sort((one, other) => one.at - other.at).map(({ item }) => item)
}

export const pick = <T>(random: () => number, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T
