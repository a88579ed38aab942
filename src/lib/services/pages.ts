/** A limit, in case the service never reports a last page. */
const maxPages = 50_000

type Page<T> = { value: T; pages: number | undefined; isLast: boolean }

/**
 * Yields every page in order. If the number of pages is known, several are read at a time, and early ones
 * wait for the page before them.
 */
export const allPages = async function* <T>(
  read: (page: number) => Promise<Page<T>>,
  atOnce = 4,
): AsyncGenerator<T> {
  const asked = new Map<number, Promise<Page<T>>>()
  let underWay = 0
  let next = 1
  let last = 1
  const pump = (): void => {
    while (next <= last && underWay < atOnce && asked.size < 3 * atOnce) {
      const page = read(next)
      asked.set(next++, page)
      underWay++
      const landed = () => {
        underWay--
        pump()
      }
      // The error reaches the caller that awaits this page; nothing is read after that.
      page.then(landed, () => undefined)
    }
  }
  try {
    for (let page = 1; page <= maxPages; page++) {
      last = Math.max(last, page)
      pump()
      const { value, pages, isLast } = await (asked.get(page) as Promise<Page<T>>)
      asked.delete(page)
      if (pages !== undefined && !isLast) last = Math.min(pages, maxPages)
      pump()
      yield value
      if (isLast) return
    }
  } finally {
    last = 0
  }
}
