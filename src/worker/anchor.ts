import { whyAway } from '../audit/witness/witness.ts'
import type { Core } from '../core/core.ts'
import { witnessesOf } from '../core/witnesses.ts'
import { bellhop, entryBy } from '../model/audit-entry.ts'

/** A log without a checkpoint yet gets its first within moments. */
const firstCheckpointMs = 1_000

/** One task for each witness, so that one that is away delays no other. */
export const scheduleAnchors = async ({ policy, messengers, store, now }: Core): Promise<void> => {
  for (const { name } of witnessesOf({ policy, messengers })) {
    await store.tasks.put({ kind: 'anchor', key: `anchor:${name}`, doc: { id: name }, dueAt: now() })
  }
}

/**
 * Gives a witness the newest checkpoint, if it is time and there is a newer one, and returns when to look again. The
 * process that took the task does it, so replicas do it once; what was given is stored, so a restart goes on from there.
 */
export const anchorWith = async (core: Core, name: string): Promise<number | undefined> => {
  const { store, policy, now } = core
  const witness = witnessesOf(core).find((one) => one.name === name)
  if (witness === undefined || policy.anchor === null) {
    await store.anchors.closeGap(name)
    return undefined
  }
  const { everyMs } = policy.anchor
  const last = (await store.anchors.latest()).find((one) => one.witness === name)
  if (last !== undefined && now() < last.at + everyMs) return last.at + everyMs
  const checkpoint = await store.auditTree.checkpoint()
  if (checkpoint === undefined) return now() + Math.min(everyMs, firstCheckpointMs)
  if (checkpoint.size === last?.size) return now() + everyMs
  const { size, note } = checkpoint
  const at = now()
  try {
    const proof = await witness.keep({ size, note })
    await store.anchors.add({ witness: name, size, at, note, proof })
  } catch (error) {
    const why = whyAway(error)
    await store.tx(async (inner) => {
      if (await inner.anchors.openGap({ witness: name, since: at, error: why }))
        await record(inner, name, { away: why })
    })
    throw error
  }
  await store.tx(async (inner) => {
    if (await inner.anchors.closeGap(name)) await record(inner, name, { back: true })
  })
  return at + everyMs
}

/** A gap is on record where it begins and where it ends. */
const record = async (
  { audit }: Pick<Core['store'], 'audit'>,
  witness: string,
  doc: object,
): Promise<void> => {
  const kind = 'back' in doc ? 'witness back' : 'witness away'
  await audit.append(entryBy(bellhop, kind, { command: 'audit verify' }, { witness, ...doc }))
}
