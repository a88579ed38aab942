import { transition } from '../approvals/transition.ts'
import { claimLeaseOf } from '../core/claims/claim-lease.ts'
import type { Core } from '../core/core.ts'
import { startJob } from '../jobs/job-start.ts'
import type { Change } from '../model/change.ts'
import { no, ok } from '../model/result.ts'
import { refusal } from '../view/refusals.ts'

/** Ends every claim whose process is gone: the request may have been sent, so the outcome is unknown. */
export const findLost = async (core: Core): Promise<void> => {
  await takeOver(core)
  for (const change of await core.store.changes.applying(100)) {
    const { id, claimedBy } = change
    const isOurs = claimedBy === core.process
    if (isOurs ? core.applying.has(id) : await isAlive(core, claimedBy)) continue
    if (change.pinned !== undefined && claimedBy !== null) {
      await startAgain(core, change, claimedBy)
      continue
    }
    const message = isOurs
      ? 'Its outcome could not be recorded.'
      : 'The process that was doing it died before the answer came.'
    const moved = await transition(core, id, async (_, store) =>
      (await store.leases.end(claimLeaseOf(id)))
        ? ok({ kind: 'lost', message, at: core.now() })
        : no(refusal('not_allowed_now', 'Its process has just shown itself.')),
    )
    if (moved.ok) core.log.warn({ changeId: id }, 'a change was lost with its process')
  }
}

/** Releases the tasks of dead processes before their leases end. */
const takeOver = async (core: Core): Promise<void> => {
  for (const owner of await core.store.tasks.owners()) {
    if (owner === core.process || (await isAlive(core, owner))) continue
    if ((await core.store.tasks.release(owner)) > 0) core.wake()
  }
}

/**
 * Starting a bulk job only writes to our own database and happens once, so it is safe to repeat instead of
 * marking it unknown.
 */
const startAgain = async (core: Core, change: Change, process: string): Promise<void> => {
  if (change.pinned === undefined) return
  const message = await startJob(core, change, change.pinned)
  const outcome = { at: core.now(), message, warning: null, view: null }
  await transition(core, change.id, async () => ok({ kind: 'finish', process, state: 'applied', outcome }))
}

const isAlive = async (core: Core, process: string | null): Promise<boolean> =>
  (await core.store.leases.holder(`process:${process}`)) !== null
