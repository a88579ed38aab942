import { partOf } from '../bulk/pinned-set.ts'
import type { Core } from '../core/core.ts'
import type { Change, Pinned } from '../model/change.ts'
import { formatNumber } from '../view/format.ts'
import { putProgress } from './progress-publisher.ts'

/** Lets a set be worked off: at most once, however often it is called, because a set is started from `pinned` only. */
export const startJob = async (
  core: Pick<Core, 'store' | 'now' | 'wake'>,
  { canary }: Pick<Change, 'canary'>,
  { set, total }: Pinned,
): Promise<string> => {
  const upto = await core.store.tx(async (store) => {
    const job = await store.bulk.get(set)
    if (job === null) throw new Error(`the set ${set} is gone`)
    const part = canary === undefined ? job.chunks : partOf(job.chunks, canary)
    const hasStarted = await store.bulk.move(set, ['pinned'], 'running', { upto: part, sinceDone: 0 })
    await putProgress(store, set, core.now())
    return { part: hasStarted ? part : job.upto, chunks: job.chunks }
  })
  core.wake()
  const first = upto.part < upto.chunks ? ' A part runs first; the rest asks once more.' : ''
  return `Started: ${formatNumber(total)} in ${formatNumber(upto.chunks)} ${upto.chunks === 1 ? 'chunk' : 'chunks'}, as job ${set}.${first}`
}
