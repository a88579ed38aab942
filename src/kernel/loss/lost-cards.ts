import { absolute } from '../../lib/view/format.ts'
import { entryKinds } from '../model/checkpoint.ts'
import { editionOf } from '../model/shown.ts'
import type { SeenCard } from '../model/store-loss.ts'
import { ownCommand } from '../store/audit-tree.ts'
import type { Store } from '../store/store.ts'

/** In the same words wherever it is said. */
export const lossWords = (since: number): string =>
  `The database lost what was stored since ${absolute(since)}`

/**
 * Since when something is lost, by a card that the bot itself has posted while there was this log: of a request, or of an
 * edition of it, that is not stored. Undefined where it is stored, and where the log says already why it is not.
 */
export const lostSince = async (
  store: Pick<Store, 'audit' | 'auditTree' | 'changes'>,
  card: SeenCard,
): Promise<number | undefined> => {
  const stored = await store.changes.get(card.id)
  if (stored !== null && (card.edition ?? 0) <= editionOf(stored)) return undefined
  const [first] = await store.auditTree.keyEntries(Number.MAX_SAFE_INTEGER)
  if (first === undefined || card.at < first.at || (await isOnRecord(store, card))) return undefined
  return stored?.updatedAt ?? card.at
}

/** What the log says about a loss that this card was posted before. */
export const recordedLoss = async (
  { audit }: Pick<Store, 'audit'>,
  { at }: Pick<SeenCard, 'at'>,
): Promise<{ since: number } | undefined> => {
  const lost = (await ownSince(audit, at)).filter(({ kind }) => kind === entryKinds.storeLost)
  return lost.length === 0 ? undefined : { since: Math.min(...lost.map(({ doc }) => Number(doc.since))) }
}

const isOnRecord = async ({ audit }: Pick<Store, 'audit'>, { at }: SeenCard): Promise<boolean> =>
  (await ownSince(audit, at)).some(
    ({ kind }) => kind === entryKinds.storeLost || kind === entryKinds.restored,
  )

/** The clocks of a platform and of the database may be some seconds apart. */
const apartMs = 60_000

const ownSince = (audit: Store['audit'], at: number) =>
  audit.find({ command: ownCommand, changesOnly: true, since: at - apartMs, limit: 200 })
