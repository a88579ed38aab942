/** A bound for a service whose pages never end. */
const mostPages = 50_000

type Page<T> = { value: T; pages: number | undefined; isLast: boolean }

/** Every page in order; a few are read ahead where it is known how many there are. */
export const allPages = async function* <T>(
  read: (page: number) => Promise<Page<T>>,
  ahead = 4,
): AsyncGenerator<T> {
  const waiting = new Map<number, Promise<Page<T>>>()
  const ask = (page: number): Promise<Page<T>> => {
    const asked = waiting.get(page) ?? read(page)
    waiting.set(page, asked)
    // Whoever waits for it hears of its failure; a page that nobody waits for any more is nobody's trouble.
    asked.catch(() => undefined)
    return asked
  }
  let last = mostPages
  for (let page = 1; page <= last; page++) {
    const { value, pages, isLast } = await ask(page)
    waiting.delete(page)
    if (pages !== undefined && !isLast) {
      last = Math.min(pages, mostPages)
      for (let next = page + 1; next <= Math.min(last, page + ahead); next++) void ask(next)
    }
    yield value
    if (isLast) return
  }
}
