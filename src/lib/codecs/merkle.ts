import { hash } from 'node:crypto'

/**
 * The Merkle tree of RFC 6962: a leaf is hashed with a 0 before it, a node with a 1, and a tree whose size is no power
 * of two is split at the largest power of two below it. Hashes are Buffers of 32 bytes.
 */
export const leafHashOf = (leaf: string | Buffer): Buffer =>
  hash('sha256', typeof leaf === 'string' ? `\0${leaf}` : Buffer.concat([leafPrefix, leaf]), 'buffer')

export const nodeHashOf = (left: Buffer, right: Buffer): Buffer => {
  left.copy(nodeBytes, 1)
  right.copy(nodeBytes, 33)
  return hash('sha256', nodeBytes, 'buffer')
}

/** A complete subtree of 2^level leaves: the one with this index among those of its level. */
export type Subtree = { level: number; index: number }

/** The complete subtrees that make up a tree of some size, from the largest to the smallest, with their hashes. */
export type Frontier = { size: number; hashes: readonly Buffer[] }

export const emptyFrontier: Frontier = { size: 0, hashes: [] }

/** Adds leaves at the end. `completed` hears of every subtree above the leaves that this makes complete. */
export const appendLeaves = (
  { size, hashes }: Frontier,
  leaves: readonly Buffer[],
  completed: (subtree: Subtree, hash: Buffer) => void = () => undefined,
): Frontier => {
  const stack = [...hashes]
  let count = size
  for (const leaf of leaves) {
    let hash = leaf
    for (let level = 0, rest = count; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      hash = nodeHashOf(stack.pop() as Buffer, hash)
      level += 1
      completed({ level, index: Math.floor(count / 2 ** level) }, hash)
    }
    stack.push(hash)
    count += 1
  }
  return { size: count, hashes: stack }
}

/** The root of a tree; an empty one has the hash of nothing. */
export const rootOf = ({ hashes }: Pick<Frontier, 'hashes'>): Buffer =>
  hashes.length === 0 ? hash('sha256', '', 'buffer') : foldRight(hashes)

/** What a proof is made of, as ranges of leaves `[from, to)`: the hash of each is one step of the proof. */
export type LeafRange = { from: number; to: number }

export const inclusionRanges = (index: number, size: number): LeafRange[] => {
  if (!(index >= 0 && index < size)) throw new RangeError(`no leaf ${index} in a tree of ${size}`)
  const path = (at: number, from: number, to: number): LeafRange[] => {
    if (to - from === 1) return []
    const middle = from + splitOf(to - from)
    return at < middle
      ? [...path(at, from, middle), { from: middle, to }]
      : [...path(at, middle, to), { from, to: middle }]
  }
  return path(index, 0, size)
}

export const consistencyRanges = (first: number, second: number): LeafRange[] => {
  if (!(first > 0 && first <= second)) throw new RangeError(`no proof from ${first} to ${second}`)
  const proof = (size: number, from: number, to: number, isWhole: boolean): LeafRange[] => {
    if (size === to - from) return isWhole ? [] : [{ from, to }]
    const middle = from + splitOf(to - from)
    return from + size <= middle
      ? [...proof(size, from, middle, isWhole), { from: middle, to }]
      : [...proof(size - (middle - from), middle, to, false), { from, to: middle }]
  }
  return proof(first, 0, second, true)
}

/** The complete subtrees that a range of a proof is made of, from left to right. */
export const subtreesOf = ({ from, to }: LeafRange): Subtree[] => {
  const parts: Subtree[] = []
  for (let at = from; at < to; ) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level += 1
    parts.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return parts
}

/** The hash of a range from those of its subtrees. */
export const foldRight = (hashes: readonly Buffer[]): Buffer =>
  hashes.reduceRight((right, left) => nodeHashOf(left, right))

const leafPrefix = Buffer.of(0)
/** The bytes of one node; hashing does not wait, so one place for them is enough. */
const nodeBytes = Buffer.alloc(65, 1)

/** The largest power of two below the size. */
const splitOf = (size: number): number => 2 ** Math.ceil(Math.log2(size) - 1)
