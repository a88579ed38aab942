import type { Subscriber } from '../../packs/email/subscriber.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { ifKnown } from '../../src/lib/services/read-answer.ts'
import { everybody } from './everybody.ts'

/** Up to this many addresses are looked up one by one without asking how many subscribers there are. */
const few = 10
const atOnce = 8

/**
 * Looks up many addresses (in lower case) and calls back for each one that is a subscriber. It reads them one
 * by one or pages through all subscribers, whichever takes fewer requests. `suppressed` gets what the service
 * reports about suppressions on the way.
 */
export const lookUp = async (
  wanted: ReadonlyMap<string, { email: string }>,
  context: Pick<ReadContext, 'email'>,
  found: (key: string, subscriber: Subscriber) => void,
): Promise<{ suppressed: Set<string> }> => {
  const suppressed = new Set<string>()
  if (wanted.size > few) {
    let isWorthIt = false
    for await (const page of everybody({}, context)) {
      for (const key of page.suppressed) suppressed.add(key)
      for (const one of page.people) {
        const key = one.email?.toLowerCase() ?? ''
        if (wanted.has(key)) found(key, one)
      }
      isWorthIt = page.total === undefined || page.total / 100 <= wanted.size
      if (!isWorthIt) break
    }
    if (isWorthIt) return { suppressed }
  }
  await forEach(wanted, atOnce, async ([key, { email }]) => {
    const get = async (address: string) =>
      (await ifKnown(context.email.getSubscriber({ params: { email: address } })))?.data
    const one = (await get(email)) ?? (email === key ? undefined : await get(key))
    if (one !== undefined) found(key, one)
  })
  return { suppressed }
}

/** Runs the work for every item, a few at a time; the first failure stops it. */
const forEach = async <T>(
  items: Iterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const queue = items[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
