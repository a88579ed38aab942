import { refusal } from '../view/refusals.ts'
/**
 * Deliveries that are stored before they are acknowledged, so that what was acknowledged is answered whatever becomes
 * of this process: the next one is given the payload again.
 */
export type Intake = {
  /** True for the first copy. It is on the disk when this resolves, and throws when it cannot be stored. */
  take(platform: string, delivery: string, what: { account: string; payload: unknown }): Promise<boolean>
  /** It was answered. */
  done(platform: string, delivery: string): Promise<void>
}

/** For a press that is not stored by the time its platform wants an answer. */
export const notCounted = refusal('not_stored', 'Not counted yet: the database is slow.')

/** For a command that is not stored by then. */
export const notTaken = refusal('not_stored', 'This was not taken in: the database is slow.', {
  next: 'Send it again in a moment.',
})
