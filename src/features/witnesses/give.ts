import type { Core } from '../../kernel/core.ts'
import { bellhop, entryBy } from '../../kernel/model/audit-entry.ts'
import { isLately } from '../../lib/clock.ts'
import { witnessesOf } from './outside.ts'
import { anchorOf } from './section.ts'
import { createAnchors } from './store.ts'
import { whyAway } from './witness.ts'

/** A log without a checkpoint yet gets its first within moments. */
const firstCheckpointMs = 1_000

/**
 * Gives a witness the newest checkpoint, if it is time and there is a newer one, and returns when to look again. The
 * process that took the task does it, so replicas do it once; what was given is stored, so a restart goes on from there.
 */
export const anchorWith = async (core: Core, name: string): Promise<number | undefined> => {
  const { store, policy, now } = core
  const [anchors, anchor] = [store.of(createAnchors), anchorOf(policy)]
  const witness = witnessesOf(core).find((one) => one.name === name)
  if (witness === undefined || anchor === undefined) {
    await store.gaps.close(name)
    return undefined
  }
  const { everyMs } = anchor
  const last = (await anchors.latest()).find((one) => one.witness === name)
  if (last !== undefined && isLately(last.at, everyMs, now())) return last.at + everyMs
  const checkpoint = await store.auditTree.checkpoint()
  if (checkpoint === undefined) return now() + Math.min(everyMs, firstCheckpointMs)
  if (checkpoint.size === last?.size) return now() + everyMs
  const { size, note } = checkpoint
  const at = now()
  try {
    const proof = await witness.keep({ size, note })
    await anchors.add({ witness: name, size, at, note, proof })
  } catch (error) {
    const why = whyAway(error)
    await store.tx(async (inner) => {
      if (await inner.gaps.open({ name, since: at, error: why })) await record(inner, name, { away: why })
    })
    throw error
  }
  await store.tx(async (inner) => {
    if (await inner.gaps.close(name)) await record(inner, name, { back: true })
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
