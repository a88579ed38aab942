import { formatNumber } from './view/format-number.ts'

/**
 * The first ones of what there is. `next` is the one behind them, where there is one; `isCut` says that nobody looked at all.
 * How many there are is told by `countWords` alone, so that no end of a search passes for a number.
 */
export type Some<T> = { items: readonly T[]; next?: T | undefined; isCut: boolean }

/** So many at most of what was found. */
export const firstOf = <T>(found: readonly T[], most: number, isCut = false): Some<T> => ({
  items: found.slice(0, most),
  next: found[most],
  isCut: isCut || found.length > most,
})

export const someWhere = <T>({ items, next, isCut }: Some<T>, isIt: (one: T) => boolean): Some<T> => ({
  items: items.filter(isIt),
  next: next !== undefined && isIt(next) ? next : undefined,
  isCut,
})

/** "12", "more than 100", and "at least 7" where it is not known whether there are more. `shown` of them are not counted. */
export const countWords = <T>({ items, next, isCut }: Some<T>, shown = 0): string => {
  const known = formatNumber(items.length - shown)
  if (next !== undefined) return `more than ${known}`
  return isCut ? `at least ${known}` : known
}
