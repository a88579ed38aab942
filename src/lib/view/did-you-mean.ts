/**
 * The known word that was likely meant: the typed one begins it, or is a few slips away. A short word has few letters that
 * could be slips, so it must be nearer: two of two letters would lead to any other word of two.
 */
export const didYouMean = (typed: string, known: readonly string[]): string | undefined => {
  const wanted = typed.toLowerCase()
  let best: string | undefined
  let bestDistance = slipsIn(wanted) + 1
  for (const word of known) {
    const distance = wanted.length > 2 && word.startsWith(wanted) ? 1 : distanceOf(wanted, word, bestDistance)
    if (distance < bestDistance) {
      best = word
      bestDistance = distance
    }
  }
  return best
}

const slipsIn = ({ length }: string): number => (length < 3 ? 0 : Math.min(3, Math.ceil(length / 4)))

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
