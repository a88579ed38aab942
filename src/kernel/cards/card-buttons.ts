import { verbs } from '../../lib/view/button-labels.ts'
import { theirs } from '../../lib/view/outside.ts'
import type { Action, Verb } from '../../lib/view/view.ts'
import { shortTime } from '../../lib/view/zones.ts'
import { buttonsOfFeatures } from '../feature.ts'
import { needsApproval } from '../law/clauses.ts'
import { isEnded, isStoppable } from '../law/law.ts'
import { noteActions } from '../law/notes.ts'
import { canAskService } from '../model/at-service.ts'
import { type Change, type ChangeState, isUnsettled } from '../model/change.ts'
import { unfreezeAction } from '../model/freeze.ts'
import { buttonIdOf } from '../model/shown.ts'
import { amountWordsOf } from './card-head.ts'

/** What can be pressed on a card as it stands. */
export const actionsOf = (change: Change, now: number): Action[] => [
  ...ownActionsOf(change, now),
  ...buttonsOfFeatures(change),
]

const ownActionsOf = (change: Change, now: number): Action[] => {
  const id = buttonIdOf(change)
  if (change.state === 'pending' && now < change.expiresAt) {
    const yes = (verb: 'confirm' | 'approve', label: string): Action =>
      change.frozen === undefined
        ? { verb, id, ...(label !== verbs[verb].label && { label }) }
        : unfreezeAction(change.frozen)
    const [ofOthers, ofRequester] = ['others', 'requester'].map((one) =>
      noteActions(change).filter((verb) => verbs[verb].isFor === one),
    ) as [Verb[], Verb[]]
    return !needsApproval(change.clauses)
      ? [yes('confirm', confirmLabelOf(change)), { verb: 'cancel', id }, ...takingOf(change, id)]
      : [
          yes('approve', [verbs.approve.label, amountWordsOf(change) ?? ''].join(' ').trim()),
          ...ofOthers.map((verb) => ({ verb, id })),
          { verb: 'reject', id },
          ...ofRequester.map((verb) => ({ verb, id })),
          ...takingOf(change, id),
        ]
  }
  if (isStoppable(change, now)) {
    return [{ verb: 'cancel', id }, ...(change.runAt === undefined ? [] : [{ verb: 'retime' as const, id }])]
  }
  const review: Action[] = isUnreviewed(change) ? [{ verb: 'mark_reviewed', id }] : []
  if (!isUnsettled(change.state)) {
    return isEnded(change.state)
      ? [...review, ...askingAgainOf(change, id), { verb: 'receipt', id }, ...tellingOf(change, id)]
      : review
  }
  return [
    ...review,
    ...(change.lookUps.length > 0 || canAskService(change) ? [{ verb: 'look_up' as const, id }] : []),
    { verb: 'happened', id },
    { verb: 'did_not', id },
  ]
}

/** "Confirm 49 USD", or when it will run: "Schedule for 20 Nov 09:00", and "Move to 20 Nov 10:00" what is scheduled already. */
export const confirmLabelOf = (
  change: Pick<Change, 'amount' | 'currency' | 'runAt'> & { standby?: Change['standby'] },
): string => {
  const { runAt, standby } = change
  if (runAt === undefined) return [verbs.confirm.label, amountWordsOf(change) ?? ''].join(' ').trim()
  return `${standby?.runAt === undefined ? 'Schedule for' : 'Move to'} ${shortTime(runAt.at, runAt.zone)}`
}

/** Whoever wanted it may want it all the same. */
const askingAgainOf = ({ state }: Change, id: string): Action[] =>
  isWithoutEffect.has(state) ? [{ verb: 'again', id }] : []

/** What somebody suggested is taken with one press. */
const takingOf = ({ suggestion, frozen }: Change, id: string): Action[] =>
  suggestion === undefined || frozen !== undefined
    ? []
    : [{ verb: 'take', id: `${id}.${suggestedMark(suggestion)}`, label: takeLabelOf(suggestion) }]

/** Which suggestion a button takes. */
export const suggestedMark = ({ at }: NonNullable<Change['suggestion']>): string => `take${at}`

export const takeLabelOf = ({ sum }: Pick<NonNullable<Change['suggestion']>, 'sum'>): string =>
  sum === undefined ? verbs.take.label : `${verbs.change.label} to ${sum}`

/** What people do next: telling whom it was for. */
const tellingOf = ({ state, tell, recipient = '' }: Change, id: string): Action[] => {
  if (state !== 'applied' || tell === undefined) return []
  const [first = ''] = recipient.split(' ')
  return [
    {
      verb: 'tell',
      id,
      ...(first !== '' && !first.includes('@') && { label: `Tell ${theirs(first, 40)}` }),
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
      ? [
          { verb: 'change' as const, id, isMore: true as const },
          ...(waits && change.emergency === undefined
            ? [{ verb: 'suggest' as const, id, isMore: true as const }]
            : []),
        ]
      : []),
    ...(waits ? [{ verb: 'cancel' as const, id, isMore: true as const }] : []),
    ...(waits ? [{ verb: 'remind' as const, id, isMore: true as const }] : []),
    // A menu of five leaves it to the details.
    ...(change.state === 'pending' ? [{ verb: 'why' as const, id, isMore: true as const }] : []),
  ]
}
