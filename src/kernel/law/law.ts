import { canonicalJson } from '../../lib/codecs/canonical-json.ts'
import { defined } from '../../lib/defined.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { verbs } from '../../lib/view/button-labels.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import type { Words } from '../../lib/view/words.ts'
import {
  type ApprovalClause,
  type AtService,
  type Change,
  type ChangeState,
  type Clause,
  type Drift,
  isAtService,
  isUnsettled,
  type Late,
  type Outcome,
  type Party,
  standbyOf,
  type UnsettledState,
} from '../model/change.ts'
import type { Signature } from '../model/passkey.ts'
import { editionOf, isAsShown, type Shown } from '../model/shown.ts'
import { partiesBehind, requestAuthors } from '../policy/behind-request.ts'
import {
  ballotOf,
  combine,
  fromWords,
  isConfirmOnly,
  isSatisfied,
  isVoterFor,
  openClausesOf,
  openStageOf,
  progressOf,
  rolesIn,
} from './clauses.ts'
import { type ReminderEvent, remind } from './remind.ts'

/**
 * The law of a change: which event may follow which state, and what becomes of the change. Pure: the time,
 * who may vote and what a fresh plan looks like come in with the event.
 */
export type LawEvent =
  | {
      kind: 'vote'
      by: Party
      /** Whom they vote for while that person is away. */
      for?: Party | undefined
      mayVote: boolean
      /** Their only right is that of the clauses that name them. */
      granted?: true | undefined
      shown: Shown
      /** That they signed it, and with which key: who says so has checked it. */
      signed?: Signature | undefined
      /** By which grant its author has given it, before there was the request. */
      inAdvance?: Change['votes'][number]['inAdvance']
      weighed: Weighed
      at: number
    }
  | {
      kind: 'reject'
      by: Party
      for?: Party | undefined
      mayVote: boolean
      shown: Shown
      reason: string
      at: number
    }
  /** Whoever asked may take it back unread. */
  | { kind: 'cancel'; by: Party; mayVote?: boolean; shown?: Shown | undefined; at: number }
  | NoteEvent
  | { kind: 'expire'; at: number }
  | ReminderEvent
  | { kind: 'void'; message: Words; at: number; withheld?: Change['withheld'] }
  | { kind: 'ask_again'; terms: Terms; drift: Drift; at: number }
  | { kind: 'amend'; by: Party; mayVote: boolean; terms: Amended; drift: Drift; at: number }
  | { kind: 'lapse'; weighed: Weighed; expiresAt: number; at: number }
  | { kind: 'wait'; message: string; at: number }
  | { kind: 'claim'; process: string; weighed: Weighed; clauses: readonly Clause[]; at: number }
  | {
      kind: 'finish'
      process: string
      state: 'applied' | 'failed' | UnsettledState
      outcome: Outcome
      atService?: AtService | undefined
    }
  /** The service that settles it later says how it stands: it was asked, or it called. */
  | {
      kind: 'service'
      says: ServiceSays
      outcome: Outcome
      atService: AtService
      told: 'asked' | 'called'
    }
  | { kind: 'lost'; message: string; at: number }
  | { kind: 'checked'; check: NonNullable<Change['checked']> }
  | { kind: 'late'; learned: Late['learned']; outcome: Outcome; atService?: AtService | undefined }
  /** The store has lost a claim that is remembered outside. */
  | { kind: 'recover'; sent: Change; outcome: Outcome }
  | { kind: 'recall'; terms: Recalled; message: string; at: number }
  | { kind: 'fail'; message: string; at: number }
  | { kind: 'reach'; reach: Change['reach'] }
  /** People have left, gone away or come back since, or something was frozen: how it stands is written with every step. */
  | { kind: 'stand'; about: 'stuck' | 'frozen'; members?: Change['members'] }
  | { kind: 'suggest'; by: Party; mayVote: boolean; suggestion: Omit<Suggestion, 'by' | 'at'>; at: number }
  | { kind: 'review'; by: Party; mayVote: boolean; shown: Shown; reason: string; others: string; at: number }
  | {
      kind: 'resolve'
      by: Party
      mayVote: boolean
      shown: Shown
      happened: boolean
      reason: string
      /** Who could say it, for its requester, who cannot. */
      others: string
      at: number
    }

/** What a feature notes beside the law, by a reducer of its own: it moves nothing, and no digest covers it. */
export type NoteEvent = {
  kind: 'note'
  /** The feature. */
  of: string
  /** What the audit log calls it. */
  as: string
  by: Party
  shown?: Shown | undefined
  text: string
  at: number
  /** The note as it is then, or why not. */
  noted: (change: Change) => Result<unknown>
  /** Who is told in person, and why. */
  news: (before: Change) => readonly { to: Party; why: string }[]
}

/** The votes that still count, each with the roles that its voter has now, and those that no longer do. */
export type Weighed = { votes: Change['votes']; lapsed: NonNullable<Change['lapsed']> }

/** What a change asks for anew when its plan, or what the policy demands of it, is no longer what people saw. */
export type Terms = Pick<
  Change,
  | 'plan'
  | 'bound'
  | 'policy'
  | 'digest'
  | 'preview'
  | 'amount'
  | 'currency'
  | 'rule'
  | 'clauses'
  | 'warnings'
  | 'expiresAt'
  | 'lookUps'
  | 'holdMs'
  | 'canary'
  | 'round'
  | 'notify'
  | 'remindMs'
>

/** What is asked for anew where the store has lost votes: the round is another, so that no older card counts. */
export type Recalled = Pick<Change, 'round' | 'clauses' | 'digest' | 'expiresAt'>

/** What somebody who may decide would change. */
export type Suggestion = NonNullable<Change['suggestion']>

/** All of a request that can be changed: a new plan of it, and what the policy says to that. */
export type Amended = Terms &
  Pick<Change, 'line' | 'input' | 'intent' | 'area' | 'askedAt' | 'pinned' | 'runAt' | 'also' | 'judged'>

const stepped = new WeakMap<LawEvent, { change: Change; next: Result<Change> }>()

/** What an event makes of a change; thought through once, however often it is asked. */
export const step = (change: Change, event: LawEvent): Result<Change> => {
  const known = stepped.get(event)
  if (known?.change === change) return known.next
  const made = follow(change, event)
  const next =
    made.ok && isOther(change, event, made.value)
      ? ok({ ...made.value, edition: Math.max(editionOf(change), made.value.edition ?? 0) + 1 })
      : made
  stepped.set(event, { change, next })
  return next
}

/** Whether people decide about something else from then on: what they were shown before counts for nothing. */
const isOther = (before: Change, event: LawEvent, after: Change): boolean =>
  before.digest !== after.digest ||
  isAnother.has(event.kind) ||
  (event.kind === 'checked' && event.check.happened !== (before.checked?.happened ?? null))

const isAnother: ReadonlySet<LawEvent['kind']> = new Set([
  'ask_again',
  'amend',
  'recall',
  'recover',
  'late',
  'service',
])

const follow = (change: Change, event: LawEvent): Result<Change> => {
  switch (event.kind) {
    case 'vote':
      return vote(change, event)
    case 'reject': {
      if (change.state !== 'pending') return no(notPending(change))
      if (isOfActor(change, event)) {
        return no(
          refusal('own_request', 'This is your own request.', {
            next: `Press ${verbs.cancel.label} to take it back.`,
          }),
        )
      }
      if (!event.mayVote) return no(mayNot(change))
      if (isOlder(change, event)) return no(changedSince)
      if (event.reason.trim() === '') return no(refusal('needs_reason', 'A rejection needs a reason.'))
      return end(change, 'rejected', event.by, event.at, event.reason, event.for)
    }
    case 'cancel':
      if (change.state !== 'pending' && !isStoppable(change, event.at)) return no(notPending(change))
      if (!isActor(change, event.by) && !(isStoppable(change, event.at) && event.mayVote)) {
        return no(refusal('not_requester', `Only ${change.requester.name} can cancel this request.`))
      }
      if (isOlder(change, event)) return no(changedSince)
      return end(change, 'cancelled', event.by, event.at, null)
    case 'note': {
      const noted = event.noted(change)
      if (!noted.ok) return noted
      return to(change, change.state, event.at, { notes: { ...change.notes, [event.of]: noted.value } })
    }
    case 'expire':
      if (change.state !== 'pending' && !isWaiting(change)) return no(notPending(change))
      if (event.at < change.expiresAt) return no(notPending(change))
      return change.standby === undefined
        ? to(change, 'expired', event.at)
        : to({ ...change, suggestion: undefined }, 'approved', event.at, standbyOf(change.standby))
    case 'remind':
    case 'nudge':
    case 'escalate':
      return reminded(change, event)
    case 'void':
      if (change.state !== 'pending' && change.state !== 'approved') return no(notPending(change))
      return to(change, 'voided', event.at, {
        outcome: messageOutcome(event.at, event.message),
        ...defined({ withheld: event.withheld }),
      })
    case 'ask_again':
      if (change.state !== 'pending' && change.state !== 'approved') return no(notPending(change))
      return to(change, 'pending', event.at, {
        ...event.terms,
        votes: [],
        drift: event.drift,
        holdUntil: undefined,
      })
    case 'amend':
      return amend(change, event)
    case 'lapse': {
      if (change.state !== 'approved') return no(notPending(change))
      const { weighed, expiresAt, at } = event
      const kept = { expiresAt, holdUntil: undefined }
      return to(change, 'pending', at, { ...reweighed(change, weighed), ...kept })
    }
    case 'wait':
      if (change.state !== 'approved') return no(notPending(change))
      return to(change, 'approved', event.at, { waiting: event.message })
    // The clauses of the request and those of today's policy, by the people who may decide today.
    case 'claim': {
      const isEnough = isSatisfied(
        combine(change.clauses, event.clauses),
        ballotOf({ ...change, votes: event.weighed.votes }),
      )
      if (change.state !== 'approved' || !isEnough || isHeld(change, event.at)) return no(notPending(change))
      return to(change, 'applying', event.at, {
        ...reweighed(change, event.weighed),
        claimedBy: event.process,
      })
    }
    case 'finish':
      if (change.state !== 'applying' || change.claimedBy !== event.process) return no(notPending(change))
      return to(change, event.state, event.outcome.at, {
        outcome: event.outcome,
        claimedBy: null,
        ...defined({ atService: event.atService }),
      })
    case 'service':
      return serviceSays(change, event)
    case 'lost':
      if (change.state !== 'applying') return no(notPending(change))
      return to(change, 'unknown', event.at, {
        outcome: messageOutcome(event.at, event.message),
        claimedBy: null,
      })
    case 'checked':
      if (change.state !== 'unknown' || event.check.n !== (change.checked?.n ?? 0) + 1) {
        return no(notPending(change))
      }
      return to(change, 'unknown', event.check.at, { checked: event.check })
    case 'late':
      return learnLate(change, event)
    case 'recover':
      return hasClaim(change, event.sent) ? no(notPending(change)) : ok(recovered(change, event))
    case 'recall':
      if (change.state !== 'pending' && change.state !== 'approved') return no(notPending(change))
      return to(change, 'pending', event.at, {
        ...event.terms,
        votes: [],
        lapsed: undefined,
        standby: undefined,
        drift: { message: event.message, changes: [] },
        holdUntil: undefined,
      })
    case 'fail':
      if (change.state !== 'approved') return no(notPending(change))
      return to(change, 'failed', event.at, { outcome: messageOutcome(event.at, event.message) })
    // Whom its card reached is shown on the card; it moves nothing, and is no news of the change itself.
    case 'reach':
      if (isSettled(change.state)) return no(notPending(change))
      return ok({ ...change, reach: event.reach, version: change.version + 1 })
    case 'stand':
      return change.state === 'pending'
        ? ok({ ...change, ...defined({ members: event.members }), version: change.version + 1 })
        : no(notPending(change))
    case 'suggest': {
      const refused = refuseSuggestion(change, event)
      if (refused !== undefined) return no(refused)
      const { by, at, suggestion } = event
      return to(change, 'pending', at, { suggestion: { ...suggestion, by, at } })
    }
    case 'review':
      return review(change, event)
    case 'resolve':
      if (!isUnsettled(change.state)) return no(notPending(change))
      if (isOfActor(change, event)) {
        return no(
          refusal('own_request', 'You asked for this yourself, so you cannot say what came of it.', {
            next: event.others,
          }),
        )
      }
      if (!event.mayVote) return no(mayNot(change))
      if (isOlder(change, event)) return no(changedSince)
      if (event.reason.trim() === '') return no(refusal('needs_reason', 'Say how you know.'))
      return end(change, event.happened ? 'applied' : 'not_applied', event.by, event.at, event.reason)
  }
}

export const isEnded = (state: ChangeState): boolean =>
  state !== 'pending' && state !== 'approved' && state !== 'applying'

/** Ended, and it is known how. */
export const isSettled = (state: ChangeState): boolean => isEnded(state) && !isUnsettled(state)

/** Approved, and waiting out its hold: it can still be cancelled. */
export const isHeld = ({ state, holdUntil }: Pick<Change, 'state' | 'holdUntil'>, now: number): boolean =>
  state === 'approved' && holdUntil !== undefined && now < holdUntil

/** Approved, and waiting for a messenger to say who is in its groups: until its time is over, or somebody cancels it. */
const isWaiting = ({ state, waiting }: Pick<Change, 'state' | 'waiting'>): boolean =>
  state === 'approved' && waiting !== undefined

/** Approved, but not yet about to run. */
export const isStoppable = (change: Pick<Change, 'state' | 'holdUntil' | 'waiting'>, now: number): boolean =>
  isHeld(change, now) || isWaiting(change)

/** Until when it waits once it is approved: for its hold, and for the time that it was asked for. */
export const holdFrom = (
  { holdMs, runAt, expiresAt, createdAt }: Pick<Change, 'holdMs' | 'runAt' | 'expiresAt' | 'createdAt'>,
  at: number,
): Pick<Change, 'holdUntil'> & Partial<Pick<Change, 'expiresAt'>> => {
  const waitsFor = Math.max(holdMs === undefined ? 0 : at + holdMs, runAt?.at ?? 0)
  if (waitsFor <= at) return {}
  // Should it have to wait for a messenger then, it has as long as people had to decide.
  return { holdUntil: waitsFor, expiresAt: Math.max(expiresAt, waitsFor + (expiresAt - createdAt)) }
}

/** Whether a change, as the store has it, knows of a claim of it. */
export const hasClaim = (change: Change, sent: Pick<Change, 'updatedAt' | 'version'>): boolean =>
  change.steps === undefined
    ? change.version >= sent.version
    : change.steps.some(({ state, at }) => state === 'applying' && at === sent.updatedAt)

/** As it was when it was claimed, and nobody knows what came of it: whatever was made of it since knew nothing of that. */
export const recovered = (
  { version }: Pick<Change, 'version'>,
  { sent, outcome }: Pick<Extract<LawEvent, { kind: 'recover' }>, 'sent' | 'outcome'>,
): Change => ({
  ...sent,
  ...(sent.steps === undefined ? {} : { steps: [...sent.steps, { at: outcome.at, state: 'unknown' }] }),
  version: version + 1,
  state: 'unknown',
  updatedAt: outcome.at,
  claimedBy: null,
  outcome,
})

/** Somebody else has looked at what one person did alone. It changes nothing of that. */
const review = (change: Change, event: Extract<LawEvent, { kind: 'review' }>): Result<Change> => {
  const { emergency, version } = change
  if (emergency?.usedAt === undefined || emergency.reviewed !== undefined) {
    return no(refusal('not_pending', 'There is no emergency here that waits for a review.'))
  }
  if (isOfActor(change, event)) {
    return no(
      refusal('own_request', 'You did this alone yourself, so you cannot review it.', { next: event.others }),
    )
  }
  if (!event.mayVote) return no(mayNot(change))
  if (isOlder(change, event)) return no(changedSince)
  const { by, at, reason } = event
  if (reason.trim() === '') return no(refusal('needs_reason', 'Say what you found.'))
  return ok({ ...change, emergency: { ...emergency, reviewed: { by, at, reason } }, version: version + 1 })
}

/** Where it is said what was shown: whether that is no longer what is decided about. */
export const isOlder = (change: Change, { shown }: { shown?: Shown | undefined }): boolean =>
  shown !== undefined && !isAsShown(change, shown)

export const changedSince = refusal('changed_since', 'The request changed since you saw it.')

/** Nobody is reminded of what has ended or is about to. */
const reminded = (change: Change, event: ReminderEvent): Result<Change> => {
  if (change.state !== 'pending' || event.at >= change.expiresAt) return no(notPending(change))
  const next = remind(change, event)
  if (next === undefined) return no(notPending(change))
  return next.ok ? to(change, 'pending', event.at, next.value) : next
}

/**
 * What a process that was given up learned after all. It settles nothing: it helps whoever is about to say what
 * happened, and where somebody has said otherwise, the question is open again.
 */
const learnLate = (change: Change, event: Omit<Extract<LawEvent, { kind: 'late' }>, 'kind'>) => {
  const { learned, outcome } = event
  const { state, ended } = change
  const isResolved = (state === 'applied' || state === 'not_applied') && ended !== null
  if (state !== 'unknown' && !isResolved) return no(notPending(change))
  const isContradicted =
    (state === 'not_applied' && learned !== 'failed') || (state === 'applied' && learned === 'failed')
  const contradicts =
    isContradicted && ended !== null ? { by: ended.by, happened: state === 'applied' } : null
  const late = { at: outcome.at, learned, message: outcome.message, contradicts }
  const known = defined({ atService: event.atService })
  if (state === 'unknown' && isAtService(learned) && event.atService !== undefined)
    return to(change, learned, outcome.at, { late, outcome, ...known })
  return contradicts === null
    ? to(change, state, outcome.at, { late, ...(state === 'unknown' ? { outcome } : {}) })
    : to(change, 'unknown', outcome.at, { late, outcome, ended: null })
}

/** How a service says that a change stands which it settles later. */
export type ServiceSays = 'held' | 'accepted' | 'applied' | 'failed'

/**
 * What a service says about its own word is the end of it, and it may take back what it said: that is told to everybody
 * who had a part in it. What it says against a person, or once more after it took it back, opens the question again. What
 * is older than what is known, or no news, moves nothing.
 */
const serviceSays = (
  change: Change,
  { says, outcome, atService }: Extract<LawEvent, { kind: 'service' }>,
): Result<Change> => {
  const { state, atService: known } = change
  if (known === undefined || known.service !== atService.service) return no(notPending(change))
  if (known.saidAt !== undefined && atService.saidAt !== undefined && atService.saidAt < known.saidAt)
    return no(notPending(change))
  const late = { at: outcome.at, learned: says, message: outcome.message, contradicts: null }
  const next = { atService: { ...atService, since: known.since }, outcome }
  if (isAtService(state)) {
    const isNews = says !== state || atService.said !== known.said
    if (!isNews || (state === 'accepted' && says === 'held')) return no(notPending(change))
    const isReversed = state === 'accepted' && says === 'failed'
    return to(change, says, outcome.at, isReversed ? { ...next, late: { ...late, reversed: true } } : next)
  }
  if (change.ended !== null) {
    if (state !== 'applied' && state !== 'not_applied') return no(notPending(change))
    const isSame = (state === 'applied') === (says === 'applied')
    return isAtService(says) || isSame
      ? no(notPending(change))
      : learnLate(change, { learned: says, outcome })
  }
  if (state === 'applied' && says === 'failed')
    return to(change, 'failed', outcome.at, { ...next, late: { ...late, reversed: true } })
  if (state === 'failed' && says === 'applied') return to(change, 'unknown', outcome.at, { ...next, late })
  return no(notPending(change))
}

const vote = (stored: Change, event: Extract<LawEvent, { kind: 'vote' }>): Result<Change> => {
  if (stored.state !== 'pending') return no(notPending(stored))
  if (event.at >= stored.expiresAt) return no(refusal('not_pending', 'This request has expired.'))
  const change = { ...stored, ...reweighed(stored, event.weighed) }
  const refused = refuseVote(change, event)
  if (refused !== undefined) return no(refused)
  const { by, for: away, at, shown, granted, signed, inAdvance } = event
  const { digest } = change
  const stage = openStageOf(change)
  const votes = [
    ...change.votes,
    { by, at, digest, shown, ...defined({ for: away, stage, granted, signed, inAdvance }) },
  ]
  const lapsed = change.lapsed?.filter(({ person }) => person !== event.by.person)
  const { emergency } = change
  const voted = { ...change, votes, lapsed, ...(emergency && { emergency: { ...emergency, usedAt: at } }) }
  return isSatisfied(change.clauses, ballotOf(voted))
    ? to(voted, 'approved', event.at, holdFrom(change, event.at))
    : to(voted, 'pending', event.at, openStageOf(voted) === stage ? {} : nextStage(voted))
}

/** Those of the next stage hear of it now, and not before. */
const nextStage = (change: Change): Pick<Change, 'reminder'> => {
  const [next] = openClausesOf(change).filter(({ stage }) => stage !== undefined)
  if (next === undefined) return {}
  return { reminder: { n: (change.reminder?.n ?? 0) + 1, why: `Stage ${next.stage}` } }
}

/** What was said of votes before stays on the card; a change whose votes never lapsed says nothing of it. */
const reweighed = (change: Change, { votes, lapsed }: Weighed): Pick<Change, 'votes' | 'lapsed'> =>
  lapsed.length === 0 ? { votes } : { votes, lapsed: [...(change.lapsed ?? []), ...lapsed] }

const refuseVote = (change: Change, event: Extract<LawEvent, { kind: 'vote' }>): Refusal | undefined => {
  const { person, agent, name } = change.requester
  if (isConfirmOnly(change.clauses)) {
    // Nobody confirms in another's place, nor what an agent asks, its owner least of all.
    if (event.by.person !== person || event.for !== undefined || agent !== undefined)
      return refusal('not_requester', `Only ${name} can confirm this request.`)
  } else if (isOfActor(change, event))
    return refusal(
      'own_request',
      isBehind(person, event)
        ? 'You asked for this yourself, so you cannot approve it.'
        : 'You changed this yourself, so you cannot approve it.',
    )
  else if (!event.mayVote) return mayNot(change)
  if (isOlder(change, event)) return changedSince
  if (change.votes.some((one) => isBehind(event.by.person, one))) {
    return refusal('already_voted', 'Your vote is counted already.')
  }
  const away = event.for
  if (away !== undefined && change.votes.some((one) => isBehind(away.person, one))) {
    return refusal('already_voted', `The vote of ${away.name} is counted already.`)
  }
  return refuseNow(change, event) ?? refuseUnsigned(change, event)
}

/** A click is no signature: whoever is asked for one gives it, or does not vote. One that they give is for exactly this. */
const refuseUnsigned = (
  change: Change,
  { by, for: away, granted, signed }: Extract<LawEvent, { kind: 'vote' }>,
): Refusal | undefined => {
  if (signed !== undefined) {
    const purpose = isConfirmOnly(change.clauses) ? 'emergency' : 'approve'
    return signed.person === by.person && signed.digest === change.digest && signed.purpose === purpose
      ? undefined
      : refusal('bad_signature', 'This signature is for something else.')
  }
  const voter = { roles: (away ?? by).roles, mayApprove: granted !== true }
  const person = away === undefined ? by.person : undefined
  const isAsked = progressOf(change.clauses, ballotOf(change)).some(
    ({ clause, isOpen }) =>
      isOpen &&
      clause.sign !== undefined &&
      (clause.kind === 'confirm' || isVoterFor(clause, { ...voter, person })),
  )
  return isAsked
    ? refusal('needs_passkey', 'This is decided with a passkey: a press alone counts for nothing.')
    : undefined
}

/** In stages, nobody votes before their turn, nor in a stage that is complete. */
const refuseNow = (
  change: Change,
  { by, for: away, granted }: Extract<LawEvent, { kind: 'vote' }>,
): Refusal | undefined => {
  const voter = { roles: (away ?? by).roles, mayApprove: granted !== true }
  const own = change.clauses.filter(
    (clause) =>
      clause.kind === 'approvals' &&
      isVoterFor(clause, away === undefined ? { ...voter, person: by.person } : voter),
  ) as ApprovalClause[]
  const open = openClausesOf(change)
  const now = openStageOf(change)
  const isLater = own.some(({ stage = 0 }) => now !== undefined && stage > now)
  if (own.some(({ stage }) => stage === now || (stage === undefined && !isLater))) return undefined
  if (own.length === 0) return undefined
  const first = open.find(({ stage }) => stage === now)
  return isLater && first !== undefined
    ? refusal('not_your_turn', `Stage ${now} comes first: it needs approval${fromWords(first)}.`)
    : refusal('not_your_turn', 'The stage that you are asked in is complete.', {
        next: 'There is nothing to do: the others decide now.',
      })
}

/** Why somebody may not change what was asked: whoever asked may, and who decides about it, before it is about to run. */
export const refuseAmendment = (
  change: Change,
  { by, mayVote, at }: { by: Party; mayVote: boolean; at: number },
): Refusal | undefined => {
  if (change.state === 'pending' ? at >= change.expiresAt : !isStoppable(change, at))
    return notPending(change)
  if (change.emergency !== undefined)
    return refusal('no_emergency', 'What somebody does alone is not changed.', {
      next: 'Cancel it, and ask anew.',
    })
  return isActor(change, by) || mayVote ? undefined : mayNot(change)
}

/** Why somebody may not suggest another amount: who decides may, and what others changed is changed by them. */
export const refuseSuggestion = (
  change: Change,
  event: Pick<Extract<LawEvent, { kind: 'suggest' }>, 'by' | 'mayVote' | 'at'>,
): Refusal | undefined => {
  if (change.state !== 'pending' || event.at >= change.expiresAt) return notPending(change)
  if (isOfActor(change, event)) {
    return refusal('own_request', 'This is your own request, so there is nobody to suggest it to.', {
      next: 'Change it instead.',
    })
  }
  return event.mayVote ? undefined : mayNot(change)
}

/** A new plan of the same request: all votes are void, and who changed it stands behind it from then on. */
const amend = (change: Change, event: Extract<LawEvent, { kind: 'amend' }>): Result<Change> => {
  const refused = refuseAmendment(change, event)
  if (refused !== undefined) return no(refused)
  const { by, terms, drift, at } = event
  const { changedBy = [], reminder } = change
  const standby = standbyFor(change, terms)
  return to(change, 'pending', at, {
    // Of whom it was for before, nothing stays.
    recipient: undefined,
    tell: undefined,
    ...terms,
    votes: [],
    lapsed: undefined,
    suggestion: undefined,
    standby,
    drift,
    holdUntil: undefined,
    ...(standby?.holdUntil === undefined ? {} : { expiresAt: Math.min(terms.expiresAt, standby.holdUntil) }),
    ...(requestAuthors(change).includes(by.person) ? {} : { changedBy: [...changedBy, by] }),
    reminder: { n: (reminder?.n ?? 0) + 1, why: `${by.name} changed it` },
  })
}

/** Another time alone leaves what was approved as it is, until the new time is approved or its own has come. */
export const standbyFor = (
  change: Change,
  { input, also }: Pick<Amended, 'input' | 'also'>,
): Change['standby'] => {
  const kept = change.state === 'approved' ? standbyOf(change) : change.standby
  if (kept?.holdUntil === undefined) return undefined
  const isSame = canonicalJson([kept.input, kept.also?.person]) === canonicalJson([input, also?.person])
  return isSame ? kept : undefined
}

/** Whether somebody asked for it, or has changed it since. An agent speaks for its own requests alone. */
export const isActor = (change: Change, by: Party): boolean =>
  partiesBehind(change).some(
    ({ person, agent }) => person === by.person && (by.agent === undefined || by.agent === agent),
  )

export const isOfActor = (change: Change, event: { by: Party; for?: Party | undefined }): boolean =>
  requestAuthors(change).some((person) => isBehind(person, event))

/** Whether a person stands behind a vote, under their own name or as the one who is away. */
const isBehind = (person: string, vote: { by: Party; for?: Party | undefined }): boolean =>
  vote.by.person === person || vote.for?.person === person

const to = (change: Change, state: ChangeState, at: number, more: Partial<Change> = {}): Result<Change> =>
  ok({
    ...change,
    waiting: undefined,
    ...(state === 'pending' || change.standby === undefined ? {} : { standby: undefined }),
    ...more,
    ...(change.steps === undefined ? {} : { steps: [...change.steps, stepTo(change, state, at, more)] }),
    state,
    updatedAt: at,
    version: change.version + 1,
  })

/** For budgets that look back: they count a change by its state and amount of that time. */
const stepTo = (before: Change, state: ChangeState, at: number, { amount }: Partial<Change>) => ({
  at,
  state,
  ...(amount === undefined || amount === before.amount ? {} : { amount }),
})

const end = (
  change: Change,
  state: ChangeState,
  by: Party,
  at: number,
  reason: string | null,
  away?: Party,
): Result<Change> =>
  to(change, state, at, { ended: { by, ...(away === undefined ? {} : { for: away }), at, reason } })

const messageOutcome = (at: number, message: Words): Outcome => ({ at, message, warning: null, view: null })

export const notPending = (change: Change): Refusal =>
  refusal('not_pending', `This change ${stateWords[change.state]}.`)

export const mayNot = ({ clauses }: Pick<Change, 'clauses'>): Refusal => {
  const approvals = clauses.filter((clause) => clause.kind === 'approvals')
  const named = approvals.flatMap(({ people = [] }) => people.map(({ name }) => name))
  const who = [
    ...new Set([...named, ...approvals.flatMap((one) => (one.from.length > 0 ? rolesIn(one) : []))]),
  ]
  return refusal(
    'may_not_approve',
    who.length > 0 && approvals.every(({ from, people }) => from.length > 0 || people !== undefined)
      ? `Only ${who.join(' or ')} can decide about this.`
      : 'You may not decide about this.',
  )
}

/** The state as the end of a sentence that starts with "This change". */
export const stateWords: Record<ChangeState, string> = {
  pending: 'is still waiting',
  approved: 'is approved and about to run',
  applying: 'is running right now',
  applied: 'has been done',
  failed: 'has failed; nothing was done',
  unknown: 'has an unknown outcome',
  rejected: 'was rejected',
  expired: 'has expired',
  cancelled: 'was cancelled',
  voided: 'is void',
  not_applied: 'did not happen',
  held: 'is held by its service',
  accepted: 'was accepted, and is not settled yet',
}
