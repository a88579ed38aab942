import { no, ok } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { startJob } from '../change/applying/start-set.ts'
import { transition } from '../change/transition.ts'
import { claimLeaseOf } from '../claims/claim-lease.ts'
import { isAlive, isGone } from '../claims/process-name.ts'
import type { Core } from '../core.ts'
import type { Change } from '../model/change.ts'

/** Ends every claim whose process is gone: the request may have been sent, so the outcome is unknown. */
export const findLost = async (core: Core): Promise<void> => {
  await takeOver(core)
  for (const change of await core.store.changes.applying(100)) {
    const { id, claimedBy } = change
    const isOurs = claimedBy === core.process
    if (isOurs ? core.applying.has(id) : await isAlive(core.store, claimedBy)) continue
    if (change.pinned !== undefined && claimedBy !== null) {
      await startAgain(core, change, claimedBy)
      continue
    }
    const message = isOurs
      ? 'Its outcome could not be recorded.'
      : 'The process that was doing it died before the answer came.'
    const moved = await transition(core, id, async (_, store) =>
      (await endLease(store, claimLeaseOf(id), claimedBy))
        ? ok({ kind: 'lost', message, at: core.now() })
        : no(refusal('not_allowed_now', 'Its process has just shown itself.')),
    )
    if (moved.ok) core.log.warn({ changeId: id }, 'a change was lost with its process')
  }
}

/** Releases the tasks of dead processes before their leases end. */
const takeOver = async (core: Core): Promise<void> => {
  for (const owner of await core.store.tasks.owners()) {
    if (owner === core.process || (await isAlive(core.store, owner))) continue
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

/** A lease of a process that is surely gone need not run out. */
const endLease = async (
  { leases }: Pick<Core['store'], 'leases'>,
  name: string,
  owner: string | null,
): Promise<boolean> => {
  if (owner !== null && isGone(owner)) await leases.release(name, owner)
  return leases.end(name)
}
