/** What waits, in the order in which each sender's came, and of each sender one in turn: nobody waits behind all that another sent. */
export type FairQueue<T> = {
  add(sender: string, item: T): void
  next(): T | undefined
  size(sender?: string): number
}

export const createFairQueue = <T>(): FairQueue<T> => {
  const waiting = new Map<string, T[]>()
  let all = 0
  return {
    add: (sender, item) => {
      all++
      const before = waiting.get(sender)
      if (before === undefined) waiting.set(sender, [item])
      else before.push(item)
    },
    next: () => {
      const [first] = waiting
      if (first === undefined) return undefined
      all--
      const [sender, items] = first
      const item = items.shift()
      // Whoever has more comes again after everybody else.
      waiting.delete(sender)
      if (items.length > 0) waiting.set(sender, items)
      return item
    },
    size: (sender) => (sender === undefined ? all : (waiting.get(sender)?.length ?? 0)),
  }
}
