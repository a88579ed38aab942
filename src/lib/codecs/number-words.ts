/** Words of numbers by their value: of each language, units, tens, and what multiplies the words before it. */
export type NumberWords = ReadonlyMap<string, number>

/** `forty-nine`, `two hundred and forty`, `zwanzig`: the number that these words begin with, and how many words it takes. */
export const numberOfWords = (
  words: readonly (string | undefined)[],
  from: number,
  known: NumberWords,
): { value: number; length: number } | undefined => {
  let [thousands, below, last] = [0, 0, Number.POSITIVE_INFINITY]
  let end = from
  for (let at = from; at < words.length; at++) {
    const parts = partsOf(words[at], known)
    if (parts === undefined) {
      if (at > end || !isAnd(words[at]) || end === from) break
      continue
    }
    const before = { thousands, below, last }
    const isRead = parts.every((value) => {
      if (value === 1000 && thousands === 0) [thousands, below, last] = [Math.max(1, below) * 1000, 0, 1000]
      else if (value === 100 && below < 10) [below, last] = [Math.max(1, below) * 100, 100]
      else if (value < last && value < 100 && (last >= 100 || (last >= 20 && value < 10)))
        [below, last] = [below + value, value]
      else return false
      return true
    })
    if (!isRead) {
      ;({ thousands, below, last } = before)
      break
    }
    end = at + 1
  }
  return end === from ? undefined : { value: thousands + below, length: end - from }
}

const isAnd = (word: string | undefined): boolean => word === 'and' || word === 'y' || word === 'et'

/** A word with hyphens is its parts, where each is a number. */
const partsOf = (word: string | undefined, known: NumberWords): number[] | undefined => {
  const whole = word === undefined ? undefined : known.get(word)
  if (whole !== undefined) return [whole]
  const parts = word?.includes('-') === true ? word.split('-').map((part) => known.get(part)) : []
  return parts.length > 0 && parts.every((part) => part !== undefined) ? (parts as number[]) : undefined
}
