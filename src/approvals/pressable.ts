import type { ReadContext } from '../command/context.ts'
import { partyOf } from '../core/people/authorization.ts'
import { defined } from '../defined.ts'
import type { Change, Party } from '../model/change.ts'
import { isConfirmOnly } from '../policy/clauses.ts'
import { type Decision, isDecision } from '../view/button-labels.ts'
import { when } from '../view/format.ts'
import type { Request, Verb } from '../view/view.ts'
import { type Card, cardOf } from './card.ts'
import { isRisk } from './card-head.ts'
import { type LawEvent, step, whyNoAmend } from './law.ts'

/** Somebody who looks at a change, whether they may decide about it, and what they may ask for after it. */
export type Viewer = { party: Party; mayVote: boolean; mayRun?: (command: string) => boolean }

/** Whoever reads, as a viewer of a change. */
export const viewerOf = async (
  { asker, records }: Pick<ReadContext, 'asker' | 'records'>,
  change: Change,
): Promise<Viewer> => ({
  party: partyOf(asker),
  mayVote: await records.mayDecide(change),
  mayRun: records.mayRun,
})

/** The card with the buttons that do something for this person now. */
export const cardFor = (change: Change, viewer: Viewer, now: number): Card => {
  const may = (verb: Verb) => isPressable(change, verb, viewer, now)
  const reader = isConfirmOnly(change.clauses)
    ? may('confirm') && ('requester' as const)
    : may('approve') && ('decider' as const)
  const card = cardOf(change, now, [], reader || undefined)
  return { ...card, actions: card.actions.filter(({ verb }) => may(verb)) }
}

/** The same as a line of a list, with everything that stands before the buttons of its card. `mark` says which list it is. */
export const requestFor = (change: Change, viewer: Viewer, now: number, mark: string): Request => {
  const { title, blocks, actions } = cardFor(change, viewer, now)
  const asked = when(change.createdAt)
  return {
    title,
    by: change.requester.name,
    asked: typeof asked === 'object' ? asked : { at: change.createdAt, text: '' },
    needs: blocks.flatMap((block) => (block.kind === 'turn' ? block.lines : [])),
    facts: blocks.flatMap((block) =>
      block.kind === 'facts' ? block.facts.map(({ label, value }) => ({ label, value })) : [],
    ),
    warnings: blocks.flatMap((block) => (block.kind === 'note' && isRisk(block.tone) ? block.text : [])),
    thing: { kind: 'change', id: change.id, name: change.preview.title },
    actions: actions.map((action) => ({ ...action, id: `${action.id}.${mark}` })),
  }
}

const isPressable = (
  change: Change,
  verb: Verb,
  { party: by, mayVote, mayRun }: Viewer,
  now: number,
): boolean => {
  if (verb === 'tell') return mayRun?.(change.tell?.command ?? '') ?? false
  if (verb === 'change' || verb === 'retime')
    return whyNoAmend(change, { by, mayVote, at: now }) === undefined
  if (!isDecision(verb)) return true
  const { digest, votes } = change
  const event = eventOf(verb, {
    by,
    mayVote,
    at: now,
    reason: 'to be given',
    others: () => '',
    vote: () => ({ digest, weighed: { votes, lapsed: [] } }),
  })
  const next = step(change, event)
  // It leads to where it is signed.
  return next.ok || next.refusal.code === 'needs_passkey'
}

type Pressing = Omit<Extract<LawEvent, { kind: 'resolve' }>, 'kind' | 'happened' | 'others'> & {
  /** Whom they vote for while that person is away. */
  for?: Party | undefined
  /** Who else could settle it. */
  others: () => string
  /** What a vote says, which only a vote needs to know. */
  vote: () => Pick<Extract<LawEvent, { kind: 'vote' }>, 'digest' | 'weighed' | 'granted' | 'signed'>
}

/** What pressing a button means to the law. */
export const eventOf = (
  verb: Decision,
  { by, for: away, mayVote, at, reason, others, vote }: Pressing,
): LawEvent => {
  const under = { by, ...defined({ for: away }), mayVote: mayVote || away !== undefined }
  switch (verb) {
    case 'confirm':
    case 'approve':
      return { kind: 'vote', ...under, at, ...vote() }
    case 'reject':
      return { kind: 'reject', ...under, reason, at }
    case 'ask':
      return { kind: 'question', by, mayVote: under.mayVote, text: reason, at }
    case 'answer':
      return { kind: 'answer', by, text: reason, at }
    case 'cancel':
      return { kind: 'cancel', by, mayVote, at }
    case 'remind':
      return { kind: 'nudge', by, mayVote, at }
    case 'mark_reviewed':
      return { kind: 'review', by, mayVote, reason, others: others(), at }
    case 'happened':
    case 'did_not':
      return { kind: 'resolve', by, mayVote, happened: verb === 'happened', reason, others: others(), at }
  }
}
