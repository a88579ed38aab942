/** The most similar known word, if it is similar enough to be a likely typo. */
export const didYouMean = (typed: string, known: readonly string[]): string | undefined => {
  const wanted = typed.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const word of known) {
    const distance = wanted.length > 1 && word.startsWith(wanted) ? 1 : distanceOf(wanted, word, bestDistance)
    if (distance < bestDistance) {
      best = word
      bestDistance = distance
    }
  }
  return best
}

/** The number of edits, counting two swapped neighbours as one; stops early above `limit`. */
const distanceOf = (a: string, b: string, limit: number): number => {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(
        (current[j - 1] as number) + 1,
        (previous[j] as number) + 1,
        (previous[j - 1] as number) + same,
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (older[j - 2] as number) + 1)
      }
      current.push(cost)
    }
    older = previous
    previous = current
  }
  return previous[b.length] as number
}
