import { createHash } from 'node:crypto'
import { hashLeaf } from '../../verify.mjs'

/** RFC 6962, 2.1, over some leaves, as it is written there, to compare with. */
export const treeOf = (leaves: readonly string[]) => {
  const rootOver = (from: number, to: number): Buffer => {
    if (to - from === 1) return hashLeaf(leaves[from] as string)
    const middle = from + splitOf(to - from)
    return nodeOf(rootOver(from, middle), rootOver(middle, to))
  }
  const pathOf = (index: number, from: number, to: number): Buffer[] => {
    if (to - from === 1) return []
    const middle = from + splitOf(to - from)
    return index < middle
      ? [...pathOf(index, from, middle), rootOver(middle, to)]
      : [...pathOf(index, middle, to), rootOver(from, middle)]
  }
  const linkOf = (first: number, from: number, to: number, isWhole: boolean): Buffer[] => {
    if (first === to - from) return isWhole ? [] : [rootOver(from, to)]
    const half = splitOf(to - from)
    return first <= half
      ? [...linkOf(first, from, from + half, isWhole), rootOver(from + half, to)]
      : [...linkOf(first - half, from + half, to, false), rootOver(from, from + half)]
  }
  /** The entry at an index of the first so many, as a receipt carries it. */
  const entryAt = (index: number, size = leaves.length) => ({
    leaf: leaves[index] as string,
    seq: index + 1,
    index,
    proof: pathOf(index, 0, size).map((step) => step.toString('base64')),
  })
  return { rootOver, pathOf, linkOf, entryAt }
}

const nodeOf = (left: Buffer, right: Buffer) =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
const splitOf = (count: number) => 2 ** Math.ceil(Math.log2(count) - 1)
