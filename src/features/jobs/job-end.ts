import type { Core } from '../../kernel/core.ts'
import { bellhop, entryBy } from '../../kernel/model/audit-entry.ts'
import type { Change } from '../../kernel/model/change.ts'
import type { JobState } from '../../kernel/store/bulk.ts'
import { putProgress } from '../../kernel/store/bulk.ts'
import type { Store } from '../../kernel/store/store.ts'

type JobEndCore = Pick<Core, 'store' | 'now' | 'wake'>

/** The job takes no more chunks until somebody presses Resume. */
export const pauseJob = (core: JobEndCore, id: string, change: Change, reason: string): Promise<void> =>
  moved(core, id, change, async (store) =>
    (await store.bulk.move(id, ['running'], 'paused', { reason })) ? 'paused' : undefined,
  )

/** No chunk is left and none is being sent: the job, or its first part, is done. */
export const endIfDone = (core: JobEndCore, id: string, change: Change): Promise<void> =>
  moved(core, id, change, async (store) => {
    const { due, sending, left } = await store.bulk.figures(id)
    if (due + sending > 0) return undefined
    const to: JobState = left > 0 ? 'waiting' : 'done'
    return (await store.bulk.move(id, ['running'], to)) ? to : undefined
  })

/** The step, its audit entry and the task to announce it are written in one transaction. */
const moved = async (
  { store, now, wake }: JobEndCore,
  id: string,
  change: Change,
  step: (store: Store) => Promise<JobState | undefined>,
): Promise<void> => {
  await store.tx(async (inner) => {
    const to = await step(inner)
    if (to !== undefined) {
      const doc = { job: id, ...(await inner.bulk.figures(id)) }
      await inner.audit.append(entryBy(bellhop, `job ${to}`, change, doc))
    }
    await putProgress(inner, id, now())
  })
  wake()
}
