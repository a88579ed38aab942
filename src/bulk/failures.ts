import type { Store } from '../storage/store.ts'
import { csvLine } from './csv-write.ts'
import { storedChunksOf } from './pinned-set.ts'

/** Everything that did not go well, line by line: what was refused, what nobody knows, what was never tried. */
export const failureLines = async function* (store: Pick<Store, 'bulk'>, id: string): AsyncGenerator<string> {
  for await (const { state, items, error, troubles, n } of storedChunksOf(store, id)) {
    for (const { item, outcome, why } of troubles) yield csvLine([item, outcome, why, n + 1])
    if (state === 'sent') continue
    const outcome = state === 'pending' ? 'not tried' : state
    for (const item of items) yield csvLine([labelOf(item), outcome, error ?? '', n + 1])
  }
}

export const failureHeader = csvLine(['email', 'outcome', 'why', 'chunk'])

/** The name that people know an item by. */
const labelOf = (item: unknown): string => {
  if (typeof item === 'string') return item
  const { email } = item as { email?: unknown }
  return typeof email === 'string' ? email : JSON.stringify(item)
}
