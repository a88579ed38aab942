import type { Thing } from './thing.ts'
import type { View } from './view.ts'

/** The things that a view is about, each once, in the order in which they stand there. */
export const thingsIn = ({ blocks, details = [] }: Pick<View, 'blocks' | 'details'>): Thing[] => {
  const all = [...blocks, ...details].flatMap((block) => {
    if (block.kind === 'table') return block.things ?? []
    if (block.kind === 'requests') return block.requests.map(({ thing }) => thing)
    return block.kind === 'facts' ? block.facts.map(({ thing }) => thing) : []
  })
  const found = new Map<string, Thing>()
  for (const one of all) if (one && !found.has(keyOf(one))) found.set(keyOf(one), one)
  return [...found.values()]
}

const keyOf = ({ kind, id }: Thing): string => `${kind} ${id}`
