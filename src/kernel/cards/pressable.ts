import { defined } from '../../lib/defined.ts'
import { type Decision, isDecision, verbs } from '../../lib/view/button-labels.ts'
import { fewNames, when } from '../../lib/view/format.ts'
import { quoted } from '../../lib/view/outside.ts'
import type { Action, Request, Verb } from '../../lib/view/view.ts'
import { plainWords } from '../../lib/view/words.ts'
import { partyOf } from '../actors/authorization.ts'
import type { ReadContext } from '../command/context.ts'
import { isConfirmOnly, needsApproval } from '../law/clauses.ts'
import { type LawEvent, refuseAmendment, refuseSuggestion, step } from '../law/law.ts'
import { noteNeeds, talkOf } from '../law/notes.ts'
import type { Change, Party } from '../model/change.ts'
import { buttonIdOf, shownIn } from '../model/shown.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import { type Card, cardOf } from './card.ts'
import { type CardReader, isRisk, leadFacts, yourTurn } from './card-head.ts'

/**
 * Somebody who looks at a change, whether they may decide about it, and what they may ask for after it. `next` are those whose
 * turn it is.
 */
export type Viewer = {
  party: Party
  mayVote: boolean
  mayRun?: (command: string) => boolean
  next?: readonly string[]
}

/** Whoever reads, as a viewer of a change. */
export const viewerOf = async (
  { actor, records }: Pick<ReadContext, 'actor' | 'records'>,
  change: Change,
  decidersOf?: (change: Change) => readonly string[],
): Promise<Viewer> => ({
  party: partyOf(actor),
  mayVote: await records.mayDecide(change),
  mayRun: records.mayRun,
  ...defined({ next: decidersOf?.(change) }),
})

/** The card with the buttons that do something for this person now, and whose turn it is in their terms. */
export const cardFor = (change: Change, viewer: Viewer, now: number): Card => {
  const card = cardOf(change, now, [], readerOf(change, viewer, now)).view
  return { ...card, actions: pressableOf(card.actions, change, viewer, now) }
}

const readerOf = (change: Change, viewer: Viewer, now: number): CardReader | undefined => {
  if (change.state !== 'pending') return undefined
  if (isConfirmOnly(change.clauses))
    return isPressable(change, 'confirm', viewer, now) ? 'requester' : undefined
  const { person } = viewer.party
  if (isPressable(change, 'approve', viewer, now)) return 'decider'
  const next = oneOf(viewer.next ?? [])
  if (change.votes.some(({ by }) => by.person === person))
    return { line: `You approved${next === '' ? '' : `; ${next} is next`}` }
  return next === '' || change.frozen !== undefined ? undefined : { line: `Waits for ${next}` }
}

/** "Fay or Finn" */
const oneOf = (people: readonly string[]): string =>
  people.length <= 2 ? people.join(' or ') : `one of ${fewNames(people)}`

/** Of the buttons of a card those that do something; to the requester, who waits, those that are theirs stand first. */
export const pressableOf = (
  actions: readonly Action[],
  change: Change,
  viewer: Viewer,
  now: number,
): Action[] => {
  const pressable = actions.filter(({ verb }) => isPressable(change, verb, viewer, now))
  const isOwn = requestAuthors(change).includes(viewer.party.person)
  if (!isOwn || change.state !== 'pending' || !needsApproval(change.clauses)) return pressable
  const named = pressable.map(({ isMore, ...action }): Action => {
    const { own } = verbs[action.verb]
    const isFirst = !isMore || verbs[action.verb].ownPlace !== undefined
    return { ...action, ...(own && { label: own }), ...(isFirst ? {} : { isMore }) }
  })
  const placeOf = ({ verb }: Action) => verbs[verb].ownPlace ?? Number.MAX_SAFE_INTEGER
  return named.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** The same as a line of a list, with everything that stands before the buttons of its card. `mark` says which list it is. */
export const requestFor = (change: Change, viewer: Viewer, now: number, mark: string): Request => {
  const { title, blocks, actions } = cardFor(change, viewer, now)
  const asked = when(change.createdAt)
  const roles = new Map(leadFacts(change, title).map(({ label, role }) => [label, role]))
  const isPlain = [...roles.values()].every((role) => role === undefined || role === 'detail')
  const isDecided = (label: string) => isPlain || ![undefined, 'detail'].includes(roles.get(label))
  const isSigned = change.clauses.some(({ sign }) => sign !== undefined)
  const isMarked =
    !isSigned && needsApproval(change.clauses) && actions.some(({ verb }) => verb === 'approve')
  return {
    title,
    by: change.requester.name,
    asked: typeof asked === 'object' ? asked : { at: change.createdAt, text: '' },
    ...(change.preview.quote === undefined ? {} : { why: quoted(change.preview.quote, maxWhy) }),
    needs: [
      ...blocks.flatMap((block) =>
        block.kind === 'turn' ? block.lines.filter((line) => line !== yourTurn) : [],
      ),
      ...noteNeeds(change),
    ],
    // What is decided; what the sentence says is not said again.
    facts: blocks
      .flatMap((block) => (block.kind === 'facts' ? block.facts : []))
      .filter(({ label, value }) => isDecided(label) && !saysIt(title, plainWords(value)))
      .map(({ label, value }) => ({ label, value })),
    warnings: blocks.flatMap((block) => (block.kind === 'note' && isRisk(block.tone) ? block.text : [])),
    thing: { kind: 'change', id: change.id, name: change.preview.title },
    actions: besideRow(actions).map((action) => ({ ...action, id: `${action.id}.${mark}` })),
    ...(isMarked
      ? { mark: { id: `${buttonIdOf(change)}.${mark}`, amount: change.amount, currency: change.currency } }
      : {}),
  }
}

/** A reason beside what is asked for; all of it stands on the card. */
const maxWhy = 160

const saysIt = (title: string, value: string): boolean =>
  value.length > 2 && ` ${title} `.includes(` ${value} `)

/** One button beside a line, or those between which somebody chooses; the others behind it. */
const besideRow = (actions: readonly Action[]): Action[] => {
  const first = actions.findIndex(({ isMore }) => !isMore)
  return actions.map((action, at) =>
    at === first || verbs[action.verb].does === 'finding' ? action : { ...action, isMore: true as const },
  )
}

/** Whether a button does something for this person now. */
export const isPressable = (
  change: Change,
  verb: Verb,
  { party: by, mayVote, mayRun }: Viewer,
  now: number,
): boolean => {
  if (verb === 'tell') return mayRun?.(change.tell?.command ?? '') ?? false
  if (verb === 'change' || verb === 'retime')
    return refuseAmendment(change, { by, mayVote, at: now }) === undefined
  if (verb === 'suggest')
    return by.agent === undefined && refuseSuggestion(change, { by, mayVote, at: now }) === undefined
  if (verb === 'take') return requestAuthors(change).includes(by.person) && by.agent === undefined
  if (!isDecision(verb)) return true
  if (verbs[verb].does === 'vote' && change.frozen !== undefined) return false
  const event = eventOf(verb, {
    by,
    mayVote,
    at: now,
    reason: 'to be given',
    others: () => '',
    shown: shownIn(change),
    vote: () => ({ weighed: { votes: change.votes, lapsed: [] } }),
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
  vote: () => Pick<Extract<LawEvent, { kind: 'vote' }>, 'weighed' | 'granted' | 'signed'>
}

/** What pressing a button means to the law. */
export const eventOf = (
  verb: Decision,
  { by, for: away, mayVote, at, shown, reason, others, vote }: Pressing,
): LawEvent => {
  const under = { by, ...defined({ for: away }), mayVote: mayVote || away !== undefined, shown }
  const talk = talkOf(verb)
  if (talk !== undefined) return talk({ by, mayVote: under.mayVote, shown, text: reason, at })
  switch (verb) {
    case 'confirm':
    case 'approve':
      return { kind: 'vote', ...under, at, ...vote() }
    case 'reject':
      return { kind: 'reject', ...under, reason, at }
    case 'cancel':
      return { kind: 'cancel', by, mayVote, shown, at }
    case 'remind':
      return { kind: 'nudge', by, mayVote, at }
    case 'mark_reviewed':
      return { kind: 'review', by, mayVote, shown, reason, others: others(), at }
    case 'happened':
    case 'did_not':
      return {
        kind: 'resolve',
        by,
        mayVote,
        shown,
        happened: verb === 'happened',
        reason,
        others: others(),
        at,
      }
  }
}
