/** Each contender once a round, in turn, so that a machine that slows down slows all of them. */
export const interleave = async <K extends string>(
  contenders: Record<K, () => Promise<number> | number>,
  rounds: number,
): Promise<Record<K, number[]>> => {
  const names = Object.keys(contenders) as K[]
  const measured = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed()
    for (const name of order) measured[name].push(await contenders[name]())
  }
  return measured
}

export const median = (values: readonly number[]): number => percentile(values, 50)

export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor((percent / 100) * sorted.length))] ?? Number.NaN
}

/** The median of what each round says, so that a slow round counts against both. */
export const ratioOf = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours.map((value, at) => value / (theirs[at] ?? Number.NaN)))

/** Microseconds of one call, over enough calls to take `ms`. */
export const microseconds = async (work: () => unknown, ms: number): Promise<number> => {
  let calls = 0
  const startedAt = performance.now()
  while (performance.now() - startedAt < ms) {
    for (let at = 0; at < 200; at++) {
      const result = work()
      if (result instanceof Promise) await result
    }
    calls += 200
  }
  return ((performance.now() - startedAt) * 1000) / calls
}
