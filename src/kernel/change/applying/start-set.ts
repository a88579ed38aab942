import { plural } from '../../../lib/view/button-labels.ts'
import { formatNumber } from '../../../lib/view/format-number.ts'
import type { Core } from '../../core.ts'
import type { Change, Pinned } from '../../model/change.ts'
import { putProgress } from '../../store/bulk.ts'
import { partOf } from '../asking/pinned-set.ts'

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
