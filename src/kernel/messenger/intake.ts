import { orAfter } from '../../lib/retry.ts'
import { DatabaseError, isOutOfDisk } from '../../lib/sql/database.ts'
import { type Refusal, refusal, refusals } from '../../lib/view/refusals.ts'
import type { View } from '../../lib/view/view.ts'

/**
 * Deliveries that are stored before they are acknowledged, so that what was acknowledged is answered whatever becomes
 * of this process: the next one is given the payload again.
 */
export type Intake = {
  /** True for the first copy. It is on the disk when this resolves, and throws when it cannot be stored. */
  take(
    platform: string,
    delivery: string,
    /** `waits`: a program waits for it, however long it takes; whoever else is told after a while that nobody answered. */
    what: { account: string; payload: unknown; waits?: boolean },
  ): Promise<boolean>
  /** It was answered. */
  done(platform: string, delivery: string): Promise<void>
  /** Its sender was told that it was not taken, and may send the same one again. */
  forget(platform: string, delivery: string): Promise<void>
}

const unstored = { down: 'database_down', full: 'disk_full', unsure: 'maybe_stored' } as const

/** What a database that is away, moves or is full means for whoever asked; undefined where it is not about that. */
export const refuseUnstored = (error: unknown): Refusal | undefined => {
  const kind = isOutOfDisk(error) ? 'full' : error instanceof DatabaseError ? error.kind : 'failed'
  return kind === 'failed' ? undefined : refusal(unstored[kind], refusals[unstored[kind]][0])
}

/** For a press that is not stored by the time its platform wants an answer. */
export const notCounted = refusal('not_stored', 'Not counted yet: the database is slow.')

/** For a command that is not stored by then. */
export const notTaken = refusal('not_stored', 'This was not taken in: the database is slow.', {
  next: 'Send it again in a moment.',
})

/** For whatever has been stored and takes longer than people wait without wondering. */
export const workingView: View = { title: 'Working on it…', tone: 'plain', blocks: [] }

/** `not stored`: without its memory the bot still answers look-ups, and refuses the rest later on. */
export type Stored = 'first' | 'repeated' | 'slow' | 'not stored'

/** Whether anything is to be done for it. */
export const isTakenIn = (stored: Stored | undefined): boolean => stored !== 'repeated' && stored !== 'slow'

/**
 * Waits for a delivery to be stored, as long as its platform waits for the acknowledgement. After `slow` it counts as
 * not taken; `onLate` is called if it is stored as a first copy all the same, and `onFailure` if it cannot be stored.
 */
export const storedWithin = async (
  ms: number,
  storing: Promise<boolean>,
  { onLate, onFailure }: { onLate(): unknown; onFailure(error: unknown): void },
): Promise<Stored> => {
  try {
    const isFirst = await orAfter(ms, 'slow' as const, storing)
    if (isFirst !== 'slow') return isFirst ? 'first' : 'repeated'
    storing.then((isNew) => (isNew ? onLate() : undefined)).catch(() => undefined)
    return 'slow'
  } catch (error) {
    onFailure(error)
    return 'not stored'
  }
}

/**
 * Works on a decision and acknowledges it once it is stored, long before what follows from it is done. What was not stored
 * is not acknowledged here: its answer goes first, or is the acknowledgement. `tooLate` is called in place of `ack` when
 * nothing is known in time, and says that it does not count.
 */
export const ackOnceStored = async <T>(
  work: (stored: () => void) => Promise<T>,
  { withinMs, ack, tooLate }: { withinMs: number; ack(): Promise<void>; tooLate(): Promise<void> },
): Promise<T> => {
  const stored = Promise.withResolvers<'stored'>()
  let isStored = false
  const result = work(() => {
    isStored = true
    stored.resolve('stored')
  })
  const answered = result.then(() => (isStored ? 'stored' : 'answered'))
  const known = await orAfter(withinMs, 'nothing', Promise.race([stored.promise, answered]))
  if (known === 'stored') await ack()
  if (known === 'nothing') await tooLate()
  return result
}
