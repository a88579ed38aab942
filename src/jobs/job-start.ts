import { partOf } from '../bulk/pinned-set.ts'
import type { Core } from '../core/core.ts'
import type { Change, Pinned } from '../model/change.ts'
import { plural } from '../view/button-labels.ts'
import { formatNumber } from '../view/format-number.ts'
import { putProgress } from './progress-publisher.ts'

/** Starts the job of a stored set. It starts once however often this is called, because only a `pinned` set can start. */
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
  const first =
    upto.part < upto.chunks ? ' A first part runs now; the rest waits until somebody resumes the job.' : ''
  return `Started: ${formatNumber(total)} in ${plural(upto.chunks, 'batch', 'batches')}, as job ${set}.${first}`
}
