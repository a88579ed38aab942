import type { Change } from '../approvals/change.ts'
import type { World } from '../pipeline/world.ts'
import type { JobState } from '../storage/bulk.ts'
import type { Store } from '../storage/store.ts'
import { putProgress } from './tell.ts'

const bellhop = { who: 'bellhop', name: 'Bellhop', platform: 'bellhop' }

type Ending = Pick<World, 'store' | 'now' | 'nudge'>

/** The job stops taking chunks until somebody presses Resume. */
export const pauseJob = (world: Ending, id: string, change: Change, reason: string): Promise<void> =>
  moved(world, id, change, async (store) =>
    (await store.bulk.move(id, ['running'], 'paused', { reason })) ? 'paused' : undefined,
  )

/** Nothing left to take, and nobody sends anything: it is done, or its first part is. */
export const endIfDone = (world: Ending, id: string, change: Change): Promise<void> =>
  moved(world, id, change, async (store) => {
    const { due, sending, left } = await store.bulk.figures(id)
    if (due + sending > 0) return undefined
    const to: JobState = left > 0 ? 'waiting' : 'done'
    return (await store.bulk.move(id, ['running'], to)) ? to : undefined
  })

/** The step, its audit entry and the message that follows are written together or not at all. */
const moved = async (
  { store, now, nudge }: Ending,
  id: string,
  { command, id: changeId }: Change,
  step: (store: Store) => Promise<JobState | undefined>,
): Promise<void> => {
  await store.tx(async (inner) => {
    const to = await step(inner)
    if (to !== undefined) {
      const figures = await inner.bulk.figures(id)
      await inner.audit.append({
        ...bellhop,
        kind: `job ${to}`,
        command,
        changeId,
        doc: { job: id, ...figures },
      })
    }
    await putProgress(inner, id, now())
  })
  nudge()
}
