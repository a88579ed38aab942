import { standingTask } from '../actors/absence.ts'
import type { Core } from '../core.ts'
import { bellhop, entryBy } from '../model/audit-entry.ts'
import { entryKinds } from '../model/checkpoint.ts'
import { lossHolder, lossIn } from '../model/store-loss.ts'
import { ownCommand } from '../store/audit-tree.ts'
import type { Store } from '../store/store.ts'
import type { Missing } from './compare.ts'
import { lossWords } from './lost-cards.ts'

/** From when to when something is lost; what was stored before and after is there. */
export type Loss = {
  since: number
  until: number
  words: string
  /** Where it is on record. */
  entry: { id: string; at: number }
  /** Nobody had noticed it before. */
  isNew: boolean
}

/**
 * Freezes everything under a name of its own and puts on record what is missing, in one transaction: from then on no claim is
 * made anywhere, whoever noticed it.
 */
export const holdStore = async (
  { store, now }: Pick<Core, 'store' | 'now'>,
  { changes, batches, steps: [newest], checkpoint, cards }: Missing,
): Promise<Loss> => {
  const until = now()
  const known = [...changes, ...batches, ...cards].map(({ at }) => at)
  const earliest = Math.min(...known, newest?.at ?? until, until)
  const [last] = await store.audit.find({ until: earliest, limit: 1 })
  return store.tx(async (inner) => {
    await inner.lock({ alone: ['freeze'] })
    const freezes = await inner.freezes.all()
    const hold = lossIn(freezes)
    const since = Math.min((last?.at ?? earliest) - maxStoringMs, ...(await noticedSince(inner, hold)))
    const words = lossWords(since)
    const before = freezes.find(({ area }) => area === 'all')
    const other =
      before === undefined || hold !== undefined
        ? ''
        : `. ${before.name} had frozen it before: ${before.reason}`
    await inner.freezes.set({
      area: 'all',
      by: lossHolder,
      name: bellhop.name,
      reason: `${words}${other}`,
      at: hold?.at ?? until,
    })
    await inner.tasks.put(standingTask(until))
    const entry = await inner.audit.append(
      entryBy(
        bellhop,
        entryKinds.storeLost,
        { command: ownCommand },
        {
          since,
          until,
          changes: changes.map(({ key }) => key),
          batches: batches.map(({ key }) => key),
          ...(newest === undefined ? {} : { newest: newest.id }),
          ...(checkpoint === undefined ? {} : { checkpoint }),
          ...(cards.length === 0 ? {} : { cards: cards.map(({ id }) => id) }),
        },
      ),
    )
    return { since, until, words, entry, isNew: hold === undefined }
  })
}

/** An entry is dated when it is written and stored when its transaction ends, and one that is dated later may be stored before it. */
const maxStoringMs = 5_000

/** Others who noticed the same knew of other things that are missing. */
const noticedSince = async (
  { audit }: Pick<Store, 'audit'>,
  hold: { at: number } | undefined,
): Promise<number[]> => {
  if (hold === undefined) return []
  const own = await audit.find({ command: ownCommand, since: hold.at, limit: 100 })
  return own.flatMap(({ kind, doc }) => (kind === entryKinds.storeLost ? Number(doc.since) : []))
}
