import type { Core } from '../core.ts'
import type { LogMemory } from '../log/memory.ts'
import type { SeenCard } from '../model/store-loss.ts'
import { missingIn } from './compare.ts'
import { holdStore } from './hold.ts'
import { tellCompared } from './others.ts'
import { askAllAgain, putBack } from './put-back.ts'
import { tellLoss } from './tell.ts'

/**
 * Notices that the store went back in time. One look at a time; who asks while one is under way waits for the next, which
 * begins after they asked.
 */
export const createLossWatch = (
  core: Core,
  memory: LogMemory | undefined,
  site: () => string | undefined = () => undefined,
): Core['doubtStore'] => {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let seen: SeenCard[] = []
  const begin = (): Promise<void> => {
    const cards = seen
    seen = []
    core.newest.comparison = 'under way'
    // What is compared is what is on the server of now; of one that comes after it nothing is told.
    const where = site()
    running = look(core, memory, cards)
      .then(() => tellCompared(core, where))
      .then(
        () => {
          core.newest.comparison = undefined
        },
        (error: unknown) => {
          seen.push(...cards)
          core.newest.comparison = 'due'
          throw error
        },
      )
      .finally(() => {
        running = undefined
      })
    return running
  }
  return (card) => {
    if (card !== undefined) seen.push(card)
    if (running === undefined) return begin()
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }
}

const look = async (core: Core, memory: LogMemory | undefined, seen: readonly SeenCard[]): Promise<void> => {
  const missing = await missingIn(core, memory, seen)
  if (missing === undefined) return
  const loss = await holdStore(core, missing)
  core.log.error(
    { since: loss.since, changes: missing.changes.map(({ key }) => key), batches: missing.batches.length },
    'ALARM: the database lost what was stored last; everything is frozen until people have looked',
  )
  const back = await putBack(core, missing, loss)
  await askAllAgain(core, loss)
  await tellLoss(core, loss, missing, back)
  // Only now is the store as it is what is remembered: whoever dies before that begins anew.
  memory?.forgetSteps()
  core.newest.entry = loss.entry
  if (missing.checkpoint !== undefined) await memory?.follow()
  core.wake()
}

/**
 * Looks whether the last step of this process is there. Until what is lost was handled to the end, it is not. A comparison that
 * failed, as the database may be away just after it moved, is made again, whatever was stored since.
 */
export const lookAtNewest = async (core: Core): Promise<void> => {
  const { entry, comparison } = core.newest
  const isGone = entry !== undefined && !(await core.store.audit.has(entry.id))
  if (comparison === 'due' || isGone) await core.doubtStore()
}
