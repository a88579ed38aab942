import { after, type Tick } from '../../lib/clock.ts'
import { madeOnce } from '../../lib/made-once.ts'
import type { Core } from '../core.ts'

const freshMs = 30_000
/** Each search for a person is an entry of its own. */
const maxEntries = 500

type Kept = { until: Tick; items: Promise<unknown> }
/** By the services that are read: every request has a copy of the core. */
const keptBy = new WeakMap<Core['services'], Map<string, Kept>>()

/** One shared read at a time for all who type; a failed read is not kept. */
export const kept = <T>(core: Core, key: string, read: () => Promise<T>): Promise<T> => {
  const all = madeOnce(keptBy, core.services, () => new Map<string, Kept>())
  const known = all.get(key)
  if (known !== undefined && core.ticks() < known.until) return known.items as Promise<T>
  const items = read()
  const [oldest] = all.keys()
  if (all.size >= maxEntries && oldest !== undefined) all.delete(oldest)
  all.delete(key)
  all.set(key, { until: after(core.ticks(), freshMs), items })
  items.catch(() => all.delete(key))
  return items
}
