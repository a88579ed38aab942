import { consistencyRanges, type LeafRange } from '../../lib/codecs/merkle.ts'
import type { Store } from '../store/store.ts'

/** That the log of one checkpoint is the beginning of the log of a later one. */
export const proveConsistency = (
  auditTree: Store['auditTree'],
  first: number,
  second: number,
): Promise<string[]> => hashesOf(auditTree, consistencyRanges(first, second))

export const hashesOf = async (
  auditTree: Store['auditTree'],
  ranges: readonly LeafRange[],
): Promise<string[]> => {
  const hashes: string[] = []
  for (const range of ranges) hashes.push((await auditTree.hashOfRange(range)).toString('base64'))
  return hashes
}
