import { isSignedBy, type OpenNote, openNote } from '../../../verify.mjs'
import type { Core } from '../../kernel/core.ts'
import type { LogMemory } from '../../kernel/log/memory.ts'
import { entryKinds } from '../../kernel/model/checkpoint.ts'
import { ownCommand } from '../../kernel/store/audit-tree.ts'
import { witnessesOf } from './outside.ts'
import type { Witness } from './witness.ts'

/** A messenger gives the newest first, and few at a time. */
const maxPosted = 20

const isFolder = ({ name }: Witness): boolean => name === 'folder'

/**
 * A folder that was put back to a copy has forgotten together with its database. Whoever keeps checkpoints outside has not: one
 * that is of more entries than the log is remembered here as if this folder had kept it, and the next comparison finds the loss.
 * What is on record already, as a loss or as a restore, is not told again.
 */
export const recallWitnessed = async (core: Core, memory: LogMemory): Promise<void> => {
  const witnesses = witnessesOf(core)
  await recall(core, memory, witnesses.filter(isFolder))
  // A messenger may take its time, and nobody waits for it.
  const others = witnesses.filter((one) => !isFolder(one))
  recall(core, memory, others).catch((error: unknown) =>
    core.log.warn({ err: error }, 'what witnesses hold could not be compared'),
  )
}

const recall = async (core: Core, memory: LogMemory, witnesses: readonly Witness[]): Promise<void> => {
  const { store } = core
  const { key, origin, frontier } = await store.auditTree.state()
  if (key === '' || witnesses.length === 0) return
  const own = await store.audit.find({ command: ownCommand, limit: 200 })
  if (own.some(({ kind }) => kind === entryKinds.restored)) return
  const told = new Set(own.map(({ doc }) => doc.checkpoint))
  let newest: { note: string; open: OpenNote } | undefined
  for (const witness of witnesses) {
    if (witness.held === undefined) continue
    try {
      let read = 0
      for await (const { note } of witness.held()) {
        const open = openNote(note)
        const isOurs = open !== undefined && open.origin === origin && isSignedBy(open, key)
        if (isOurs && open.size > Math.max(frontier.size, newest?.open.size ?? 0)) newest = { note, open }
        if (++read >= maxPosted && !isFolder(witness)) break
      }
    } catch (error) {
      core.log.warn({ err: error, witness: witness.name }, 'a witness could not be asked at the start')
    }
  }
  if (newest === undefined || told.has(newest.open.text)) return
  memory.replace(newest.note)
  await core.doubtStore()
}
