import type { Change, ChangeState } from '../model/change.ts'
import { needsApproval } from '../policy/clauses.ts'
import type { Action } from '../view/view.ts'
import { amountWordsOf } from './card-head.ts'
import { isEnded, isStoppable } from './law.ts'

/** A button carries the start of the digest that its card showed. */
export const buttonIdOf = ({ id, digest }: Change): string => `${id}.${digest.slice(0, 10)}`

/** What can be pressed on a card as it stands. */
export const actionsOf = (change: Change, now: number): Action[] => {
  const id = buttonIdOf(change)
  const sum = amountWordsOf(change)
  if (change.state === 'pending' && now < change.expiresAt) {
    return !needsApproval(change.clauses)
      ? [
          { verb: 'confirm', id, ...(sum && { label: `Confirm ${sum}` }) },
          { verb: 'cancel', id },
        ]
      : [
          { verb: 'approve', id, ...(sum && { label: `Approve ${sum}` }) },
          { verb: 'ask', id },
          { verb: 'reject', id },
          ...(isQuestionOpen(change) ? [{ verb: 'answer' as const, id }] : []),
        ]
  }
  if (isStoppable(change, now)) {
    return [{ verb: 'cancel', id }, ...(change.runAt === undefined ? [] : [{ verb: 'retime' as const, id }])]
  }
  const review: Action[] = isUnreviewed(change) ? [{ verb: 'mark_reviewed', id }] : []
  if (change.state !== 'unknown') {
    return isEnded(change.state) ? [...review, { verb: 'receipt', id }, ...tellingOf(change, id)] : review
  }
  return [
    ...review,
    ...(change.lookUps.length > 0 ? [{ verb: 'look_up' as const, id }] : []),
    { verb: 'happened', id },
    { verb: 'did_not', id },
  ]
}

/** What people do next: telling whom it was for. */
const tellingOf = ({ state, tell, recipient = '' }: Change, id: string): Action[] => {
  if (state !== 'applied' || tell === undefined) return []
  const [first = ''] = recipient.split(' ')
  return [
    {
      verb: 'tell',
      id,
      ...(first !== '' && !first.includes('@') && { label: `Tell ${first.slice(0, 40)}` }),
    },
  ]
}

/** What ended so that nothing was done, and may be wanted all the same. */
const isWithoutEffect: ReadonlySet<ChangeState> = new Set([
  'cancelled',
  'rejected',
  'expired',
  'failed',
  'voided',
])

/** One person has done it alone, and nobody has looked at it. */
const isUnreviewed = ({ emergency }: Change): boolean =>
  emergency?.usedAt !== undefined && emergency.reviewed === undefined

const isQuestionOpen = ({ questions = [] }: Change): boolean =>
  questions.some(({ answer }) => answer === undefined)

/** The same without the details, for a place that shows those and has no menu. */
export const behindDetails = (change: Change, now: number): Action[] =>
  moreActionsOf(change, now).flatMap(({ verb, id }) => (verb === 'show_all' ? [] : { verb, id }))

/** What is behind the menu of a card. */
export const moreActionsOf = (change: Change, now: number): Action[] => {
  const id = buttonIdOf(change)
  const waits = change.state === 'pending' && now < change.expiresAt && needsApproval(change.clauses)
  return [
    { verb: 'show_all', id, isMore: true },
    ...(change.state === 'pending' && now < change.expiresAt
      ? [{ verb: 'change' as const, id, isMore: true as const }]
      : []),
    ...(waits ? [{ verb: 'cancel' as const, id, isMore: true as const }] : []),
    ...(change.state === 'pending' ? [{ verb: 'why' as const, id, isMore: true as const }] : []),
    ...(isWithoutEffect.has(change.state) ? [{ verb: 'again' as const, id, isMore: true as const }] : []),
    ...(waits ? [{ verb: 'remind' as const, id, isMore: true as const }] : []),
  ]
}
