import type { Remembered } from '../claims/sent-log.ts'
import type { Core } from '../core.ts'
import { hasClaim } from '../law/law.ts'
import type { LogMemory } from '../log/memory.ts'
import type { SeenCard } from '../model/store-loss.ts'
import type { StoredStep } from '../model/stored-step.ts'
import { lostSince } from './lost-cards.ts'

/** What is remembered outside and the store does not have. */
export type Missing = {
  /** Changes that were claimed, as far as the store does not know of it. */
  changes: Remembered[]
  /** Batches of long work that the store would send again. */
  batches: (Remembered & { batch: NonNullable<Remembered['batch']> })[]
  /** Of the last steps that processes here have stored, the oldest first. */
  steps: StoredStep[]
  /** The checkpoint that the log does not continue, as it is kept outside. */
  checkpoint: string | undefined
  /** Cards that were pressed of what the store does not know, and since when that is lost. */
  cards: Pick<SeenCard, 'id' | 'at'>[]
}

export type CompareCore = Pick<Core, 'store' | 'sent' | 'newest'>

/** Everything that is remembered, against the store; undefined where the store has all of it. */
export const missingIn = async (
  { store, sent, newest: own }: CompareCore,
  memory: LogMemory | undefined,
  seen: readonly SeenCard[] = [],
): Promise<Missing | undefined> => {
  const [{ origin }, [first]] = await Promise.all([
    store.auditTree.state(),
    store.auditTree.keyEntries(Number.MAX_SAFE_INTEGER),
  ])
  // A claim of the first moments does not say of which log it is: it is no older than its own.
  const ours = sent
    .all()
    .filter(({ log, at }) => (log === '' ? first !== undefined && first.at <= at : log === origin))
  const [changes, batches, steps, checkpoint, cards] = await Promise.all([
    forgottenChanges({ store, sent }, ours),
    forgottenBatches({ store }, ours),
    forgottenSteps(store, [
      ...(own.entry === undefined ? [] : [own.entry]),
      ...(memory?.steps(origin) ?? []).filter(({ at }) => first !== undefined && first.at <= at),
    ]),
    memory?.lost(),
    forgottenCards(store, seen),
  ])
  const many = changes.length + batches.length + steps.length + cards.length
  return many > 0 || checkpoint !== undefined ? { changes, batches, steps, checkpoint, cards } : undefined
}

const forgottenCards = async (store: Core['store'], seen: readonly SeenCard[]): Promise<Missing['cards']> => {
  const cards: Missing['cards'] = []
  for (const card of seen) {
    const at = await lostSince(store, card)
    if (at !== undefined) cards.push({ id: card.id, at })
  }
  return cards
}

const forgottenSteps = async (
  { audit }: Core['store'],
  steps: readonly StoredStep[],
): Promise<StoredStep[]> => {
  const gone = new Set(await audit.missing(steps.map(({ id }) => id)))
  const byId = new Map(steps.map((step) => [step.id, step]))
  return [...byId.values()].filter(({ id }) => gone.has(id)).toSorted((one, other) => one.at - other.at)
}

/** Most of what was sent is found by its entry in the log; of the others the change itself is looked at. */
const forgottenChanges = async (
  { store, sent }: Pick<Core, 'store' | 'sent'>,
  ours: readonly Remembered[],
): Promise<Remembered[]> => {
  const claims = ours.filter(({ batch }) => batch === undefined)
  const gone = new Set(await store.audit.missing(claims.flatMap(({ entry }) => entry ?? [])))
  const forgotten: Remembered[] = []
  for (const claim of claims) {
    if (claim.entry === undefined || !gone.has(claim.entry)) continue
    const [stored, known] = [await store.changes.get(claim.key), sent.changeOf(claim.key)]
    // Of a claim that cannot be read any more nothing is known that could be put back.
    if (known !== undefined && (stored === null || !hasClaim(stored, known))) forgotten.push(claim)
  }
  return forgotten
}

const forgottenBatches = async (
  { store }: Pick<Core, 'store'>,
  ours: readonly Remembered[],
): Promise<Missing['batches']> => {
  const byJob = new Map<string, Missing['batches']>()
  for (const { batch, ...rest } of ours)
    if (batch !== undefined) byJob.set(batch.job, [...(byJob.get(batch.job) ?? []), { ...rest, batch }])
  const forgotten: Missing['batches'] = []
  for (const [job, batches] of byJob) {
    const due = await store.bulk.due(job, [...new Set(batches.map(({ batch }) => batch.n))])
    forgotten.push(
      ...batches.filter(({ batch }) => due.some(({ n, size }) => n === batch.n && size === batch.size)),
    )
  }
  return forgotten
}
