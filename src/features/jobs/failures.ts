import { storedChunksOf } from '../../kernel/change/asking/pinned-set.ts'
import type { Store } from '../../kernel/store/store.ts'
import { csvLine } from '../../lib/codecs/csv.ts'
import { addressKind } from '../../lib/things/link.ts'

/** Everything that did not go as asked, line by line: failed, with an unknown outcome, not tried, or stored otherwise. */
export const failureLines = async function* (store: Pick<Store, 'bulk'>, id: string): AsyncGenerator<string> {
  for await (const { state, items, error, troubles, n } of storedChunksOf(store, id)) {
    for (const { item, outcome, why } of troubles) yield csvLine([item, outcome, why, n + 1])
    if (state === 'sent') continue
    const outcome = state === 'pending' ? 'not tried' : state
    for (const item of items) yield csvLine([labelOf(item), outcome, error ?? '', n + 1])
  }
}

export const failureHeader = csvLine([addressKind, 'outcome', 'why', 'batch'])

/** The name of an item as people know it. */
const labelOf = (item: unknown): string => {
  if (typeof item === 'string') return item
  const address = (item as Record<string, unknown>)[addressKind]
  return typeof address === 'string' ? address : JSON.stringify(item)
}
