import type { Change, Pinned } from '../approvals/change.ts'
import type { World } from '../pipeline/world.ts'
import { number } from '../view/format.ts'
import { partOf } from './set.ts'
import { putProgress } from './tell.ts'

/** Lets a set be worked off: at most once, however often it is called, because a set is started from `pinned` only. */
export const startJob = async (
  world: Pick<World, 'store' | 'now' | 'nudge'>,
  { canary }: Pick<Change, 'canary'>,
  { set, total }: Pinned,
): Promise<string> => {
  const upto = await world.store.tx(async (store) => {
    const job = await store.bulk.get(set)
    if (job === null) throw new Error(`the set ${set} is gone`)
    const part = canary === undefined ? job.chunks : partOf(job.chunks, canary)
    const hasStarted = await store.bulk.move(set, ['pinned'], 'running', { upto: part, sinceDone: 0 })
    await putProgress(store, set, world.now())
    return { part: hasStarted ? part : job.upto, chunks: job.chunks }
  })
  world.nudge()
  const first = upto.part < upto.chunks ? ' A part runs first; the rest asks once more.' : ''
  return `Started: ${number(total)} in ${number(upto.chunks)} ${upto.chunks === 1 ? 'chunk' : 'chunks'}, as job ${set}.${first}`
}
