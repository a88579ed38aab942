import type { ReadContext } from '../command/context.ts'
import { partyOf } from '../core/authorization.ts'
import type { Change, Party } from '../model/change.ts'
import type { Action, Verb } from '../view/view.ts'
import { actionsOf } from './card.ts'
import { type LawEvent, step } from './law.ts'

/** Somebody who looks at a change, and whether they may decide about it. */
export type Viewer = { party: Party; mayVote: boolean }

/** Whoever reads, as a viewer of a change. */
export const viewerOf = (
  { asker, records }: Pick<ReadContext, 'asker' | 'records'>,
  change: Change,
): Viewer => ({ party: partyOf(asker), mayVote: records.mayDecide(change) })

/** The buttons of the card that do something for this person now. */
export const pressable = (change: Change, viewer: Viewer, now: number): Action[] =>
  actionsOf(change, now).filter(({ verb }) => {
    const event = eventOf(change, viewer, verb, now)
    return event === undefined || step(change, event).ok
  })

/** Undefined for a button that decides nothing. */
const eventOf = (
  { digest, votes }: Change,
  { party: by, mayVote }: Viewer,
  verb: Verb,
  at: number,
): LawEvent | undefined => {
  switch (verb) {
    case 'confirm':
    case 'approve':
      return { kind: 'vote', by, mayVote, digest, weighed: { votes, lapsed: [] }, at }
    case 'reject':
      return { kind: 'reject', by, mayVote, reason: 'to be given', at }
    case 'cancel':
      return { kind: 'cancel', by, mayVote, at }
    case 'happened':
    case 'did_not':
      return {
        kind: 'resolve',
        by,
        mayVote,
        happened: verb === 'happened',
        reason: 'to be given',
        others: '',
        at,
      }
    default:
      return undefined
  }
}
