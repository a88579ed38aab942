import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import { canonicalJson } from '../../../lib/codecs/canonical-json.ts'
import type { Pinned } from '../../model/change.ts'
import type { Store } from '../../store/store.ts'

/** How many chunks one statement writes or reads; after each statement the event loop gets a turn. */
const rowsAtOnce = 50

export type Layout = { size: number; canary: number | undefined }

/**
 * Stores the members of a set in chunks, with a digest of all members in order. If a share of the set has to
 * run first, the first chunk is no larger than that share.
 */
export const pinSet = async (
  { bulk }: Pick<Store, 'bulk'>,
  id: string,
  members: readonly unknown[],
  { size, canary }: Layout,
): Promise<Pick<Pinned, 'set' | 'digest' | 'total'>> => {
  const hash = createHash('sha256')
  const first = canary === undefined ? size : Math.min(size, partOf(members.length, canary))
  let written = 0
  let waiting: unknown[][] = []
  let chunk: unknown[] = []
  const flush = async () => {
    await bulk.addChunks(id, written, waiting)
    written += waiting.length
    waiting = []
    await breathe()
  }
  await bulk.open(id)
  for (const member of members) {
    hash.update(`${canonicalJson(member)}\n`)
    if (chunk.push(member) < (written + waiting.length === 0 ? first : size)) continue
    waiting.push(chunk)
    chunk = []
    if (waiting.length === rowsAtOnce) await flush()
  }
  if (chunk.length > 0) waiting.push(chunk)
  await flush()
  const digest = hash.digest('hex')
  const total = members.length
  await bulk.pin(id, { total, chunks: written, digest })
  return { set: id, digest, total }
}

/** How many run first: at most their share, but at least one. The small addition corrects binary rounding. */
export const partOf = (count: number, canary: number): number =>
  Math.max(1, Math.floor(count * canary + 1e-9))

/** The members of the first chunk; undefined unless the set still exists and is unchanged. */
export const startOfIntact = async (
  { bulk }: Pick<Store, 'bulk'>,
  { set, digest, total }: Pinned,
): Promise<readonly unknown[] | undefined> => {
  const job = await bulk.get(set)
  if (job === null || job.digest !== digest || job.total !== total) return undefined
  const hash = createHash('sha256')
  let first: readonly unknown[] = []
  for await (const { n, items } of storedChunksOf({ bulk }, set)) {
    if (n === 0) first = items
    for (const item of items) hash.update(`${canonicalJson(item)}\n`)
  }
  return hash.digest('hex') === digest ? first : undefined
}

/** All chunks in order, a few in memory at a time. */
export const storedChunksOf = async function* ({ bulk }: Pick<Store, 'bulk'>, id: string) {
  for (let after = -1; ; ) {
    const chunks = await bulk.chunks(id, after, rowsAtOnce)
    yield* chunks
    await breathe()
    const last = chunks.at(-1)
    if (last === undefined) return
    after = last.n
  }
}
