import { canonicalJson } from '../../../lib/codecs/canonical-json.ts'
import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { fewNames } from '../../../lib/view/format.ts'
import { type Refusal, refusal } from '../../../lib/view/refusals.ts'
import { sentence } from '../../../lib/view/words.ts'
import { zonedMoment } from '../../../lib/view/zones.ts'
import { mayDecide, partyOf, refuseFrozen, refuseNonDecider } from '../../actors/authorization.ts'
import { delegatedVotes } from '../../actors/delegates.ts'
import { askGroups } from '../../actors/membership.ts'
import { peopleWhoseTurn } from '../../actors/turn.ts'
import { cardReply } from '../../cards/card.ts'
import { amountWordsOf } from '../../cards/card-head.ts'
import { isPressable } from '../../cards/pressable.ts'
import type { Actor } from '../../command/context.ts'
import type { Amends, ChangeCommand, Command } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import type { Core } from '../../core.ts'
import { driftBetween } from '../../law/drift.ts'
import { type Amended, type LawEvent, refuseAmendment, standbyFor, step } from '../../law/law.ts'
import { standing } from '../../law/standing.ts'
import type { Reply } from '../../messenger/inbound.ts'
import type { Change, Party } from '../../model/change.ts'
import { buttonIdOf } from '../../model/shown.ts'
import { requestAuthors } from '../../policy/behind-request.ts'
import { isListed, refuseUndecidable, refuseUnlisted } from '../../policy/listed.ts'
import { personNow, rolesNow } from '../../policy/people.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Absence } from '../../store/absences.ts'
import type { Store } from '../../store/store.ts'
import { decide } from '../deciding/decide.ts'
import { decideClauses } from '../deciding/decide-clauses.ts'
import { recordRefusal } from '../deciding/record-refusal.ts'
import { transition } from '../transition.ts'
import { policyNamesOf } from './prepare.ts'
import {
  type ChangeOptions,
  clauseInputOf,
  judgedOf,
  planRequest,
  type Requested,
  requestTerms,
  withAlso,
} from './requested.ts'

/** Why somebody may not change a request; undefined where they may. */
export const refuseToAmend = async (
  core: Core,
  actor: Actor,
  change: Change,
): Promise<Refusal | undefined> => {
  if (actor.agent !== undefined) {
    return refusal('may_not_approve', 'An agent does not change what was asked.', {
      next: 'Cancel it, and ask anew.',
    })
  }
  const isOwn = requestAuthors(change, core.policy).includes(actor.person)
  // To change what another asked takes the right to decide about it, and so that it is known who does.
  const unknown = isOwn ? undefined : refuseNonDecider(actor, 'change')
  if (unknown !== undefined) return unknown
  const { by, mayVote } = await changerOf(core, actor, change)
  const refused = refuseAmendment(change, { by, mayVote, at: core.now() })
  if (refused !== undefined || isOwn) return refused
  return refuseUnlisted(core.policy, actor, change)
}

const changerOf = async (core: Pick<Core, 'policy' | 'store'>, actor: Actor, change: Change) => ({
  by: partyOf(actor),
  mayVote: mayDecide(core.policy, actor, change) || (await delegatedVotes(core, actor))(change),
})

/** Puts a new plan in the place of what was asked: prepared for whoever asked, judged anew, and all votes void. */
export const amendRequest = async (
  core: Core,
  actor: Actor,
  before: Change,
  { command, definition }: { command: Command; definition: ChangeCommand },
  given: Input,
  { delivery, stored, as, values, ...beside }: ChangeOptions & Amending,
): Promise<Result<Reply | Costly>> => {
  const refused = await refuseToAmend(core, actor, before)
  if (refused !== undefined) return no(await recordRefusal(core, actor, before, refused))
  if (policyNamesOf(definition).join() !== before.names.join()) return no(anotherThing)
  const isSameInput = canonicalJson(given) === canonicalJson(before.input)
  const requester = await actorNow(core, before)
  const planned = await planRequest(core, requester, definition, given, {
    ...beside,
    writer: actor,
    behind: [...requestAuthors(before, core.policy), actor.person],
    kept: isSameInput ? before.pinned : undefined,
  })
  if (!planned.ok) return planned
  const requested = planned.value
  if (as === 'suggest')
    return suggestChange(core, actor, before, { command, definition, requested }, values, {
      delivery,
      stored,
    })
  let costly: Change | undefined
  const isSameTime = requested.runAt?.at === before.runAt?.at
  if (isSameInput && isSameTime && requested.also?.person === before.also?.person) return no(nothingNew)
  const done = await stepAsShown(
    core,
    actor,
    before,
    { delivery, stored },
    async (change, store, { by, mayVote }) => {
      const frozen = await refuseFrozen(store, requested.area, change.requester)
      if (frozen !== undefined) return no(frozen)
      const at = core.now()
      const planning = { command, definition, requested }
      const { decision, asked } = await termsAsked(core, store, change, planning, at)
      const nobody = refuseUndecidable(core.policy, change.requester, decision.clauses)
      if (nobody !== undefined) return no(nobody)
      const terms: Amended = {
        ...asked,
        also: requested.also,
        judged: {
          ...judgedOf(core, requester, definition, requested, decision),
          groups: change.judged?.groups ?? { known: [], in: [] },
        },
      }
      const event: LawEvent = {
        kind: 'amend',
        by,
        mayVote,
        terms,
        drift: driftOf(change, terms, by.name, standbyFor(change, terms) !== undefined),
        at,
      }
      const allowed = step(change, event)
      if (!allowed.ok) return allowed
      const absences = await store.absences.active()
      if (as !== 'insist' && costsTooMuch(core.policy, change, allowed.value, absences)) {
        costly = { ...allowed.value, stuck: standing(core.policy, allowed.value, absences) }
        return no(tooFewRemain)
      }
      if (requested.pinned !== undefined) await store.bulk.attach(requested.pinned.set, change.id)
      return ok(event)
    },
  )
  if (!done.ok && costly !== undefined) return ok({ kind: 'costly', after: costly })
  if (!done.ok || done.value.kind !== 'change') return done
  core.onStep('changed', before.id)
  const after = await withSuggestedVote(core, actor, before, done.value.change, delivery)
  return ok(cardReply(after, core.now(), { isDecided: true }))
}

/** A step of a request by somebody who saw it as it was before, once for each delivery. */
const stepAsShown = async (
  core: Core,
  actor: Actor,
  before: Change,
  { delivery, stored }: Pick<Amending, 'delivery' | 'stored'>,
  eventOf: (
    change: Change,
    store: Store,
    changer: Awaited<ReturnType<typeof changerOf>>,
  ) => Promise<Result<LawEvent>>,
): Promise<Result<Reply>> => {
  const done = await transition<boolean>(
    core,
    before.id,
    async (change, store, first) => {
      if (!first) return no(repeated)
      if (change.digest !== before.digest) return no(changedMeanwhile)
      return eventOf(change, store, await changerOf({ ...core, store }, actor, change))
    },
    { ahead: (store) => store.deliveries.first(delivery) },
  )
  if (!done.ok) {
    if (done.refusal === repeated) return ok({ kind: 'repeated' })
    return done.refusal === tooFewRemain ? done : no(await recordRefusal(core, actor, before, done.refusal))
  }
  stored?.()
  return ok(cardReply(done.value.change, core.now(), { isDecided: true }))
}

/** What is asked then, and what the policy asks of it. */
const termsAsked = async (
  core: Core,
  store: Store,
  change: Change,
  { command, definition, requested }: Asked,
  now: number,
) => {
  const about = { id: change.id, requester: change.requester, createdAt: change.createdAt }
  const judged = await decideClauses(core, store, clauseInputOf(definition, requested, about), 'ask')
  const least = judged.clauses.length === 0 ? [{ kind: 'confirm' } as const] : judged.clauses
  const decision = withAlso({ ...judged, clauses: least }, requested, change.requester)
  const round = (change.round ?? 0) + 1
  return { decision, asked: requestTerms(command, definition, requested, decision, { now, round }) }
}

type Asked = { command: Command; definition: ChangeCommand; requested: Requested }

/**
 * Whoever suggested what its requester takes has said yes to it: their vote is given, for the very requests, facts and demands that
 * they suggested, which the digest says. Where anything differs, or their vote would not count now, they look again.
 */
const withSuggestedVote = async (
  core: Core,
  actor: Actor,
  { suggestion, requester }: Change,
  taken: Change,
  delivery: string,
): Promise<Change> => {
  const isTaken =
    suggestion?.digest !== undefined &&
    suggestion.digest === taken.digest &&
    actor.agent === undefined &&
    personNow(core.policy, requester) === actor.person
  if (!isTaken) return taken
  const voter = await actorOfParty(core, suggestion.by)
  const mayVote = mayDecide(core.policy, voter, taken)
  if (!isPressable(taken, 'approve', { party: partyOf(voter), mayVote }, core.now())) return taken
  const press = { verb: 'approve' as const, id: buttonIdOf(taken) }
  const voted = await decide(core, voter, press, { delivery: `${delivery}:suggested` })
  return voted.ok && voted.value.kind === 'change' ? voted.value.change : taken
}

/** How a request is to be changed, with what was written as the form takes it. */
type Amending = {
  delivery: string
  stored?: (() => void) | undefined
  as?: Amends['as']
  values: NonNullable<Change['suggestion']>['values']
}

/** Nothing was changed, because too few would be left who could approve it: it would be `after`. */
type Costly = { kind: 'costly'; after: Change }

/** What it costs somebody who decides to change a request instead of asking for that, before they do. */
export const costWords = async (
  core: Pick<Core, 'policy' | 'store'>,
  actor: Actor,
  change: Change,
): Promise<string | undefined> => {
  if (change.state !== 'pending' || requestAuthors(change, core.policy).includes(actor.person))
    return undefined
  const absences = await core.store.absences.active()
  const { changedBy = [], requester } = change
  const after = { ...change, votes: [], changedBy: [...changedBy, partyOf(actor)] }
  if (costsTooMuch(core.policy, change, after, absences)) {
    return `If you change it, you cannot approve it, and too few others could. You can suggest it to ${requester.name} instead: nothing is changed before you have chosen.`
  }
  const others = peopleWhoseTurn(core.policy, after, absences).map(({ name }) => name)
  return `If you change it, all votes are void and you cannot approve it${others.length === 0 ? '' : `: ${fewNames(others)} can`}.`
}

/** Whether others than whoever changes it remain: only what nobody could approve before is worth no question. */
const costsTooMuch = (policy: Policy, before: Change, after: Change, absences: readonly Absence[]): boolean =>
  requestAuthors(after).length > requestAuthors(before).length &&
  standing(policy, { ...after, votes: [], changedBy: before.changedBy }, absences) === undefined &&
  standing(policy, after, absences) !== undefined

const titled = (definition: ChangeCommand, { prepared }: Requested) => ({
  ...prepared,
  title: definition.preview(prepared.plan, prepared.recipient).title,
})

/** What an approver would rather have, left to the requester: it moves no vote, and takes none. */
const suggestChange = async (
  core: Core,
  actor: Actor,
  before: Change,
  planned: Asked,
  values: Amending['values'],
  beside: Pick<Amending, 'delivery' | 'stored'>,
): Promise<Result<Reply>> => {
  const { title, amount, currency } = titled(planned.definition, planned.requested)
  const sum = amount === before.amount ? undefined : amountWordsOf({ amount, currency })
  return stepAsShown(core, actor, before, beside, async (change, store, { by, mayVote }) => {
    const at = core.now()
    const { asked } = await termsAsked(core, store, change, planned, at)
    const suggestion = { values, title, digest: asked.digest, ...defined({ sum }) }
    return ok({ kind: 'suggest', by, mayVote, suggestion, at })
  })
}

/** Whoever asked, with the roles that they have now: their right is what counts. */
const actorNow = (core: Core, { requester }: Change): Promise<Actor> => actorOfParty(core, requester)

const actorOfParty = async (core: Core, party: Party): Promise<Actor> => {
  const groups = await askGroups(core, [party])
  return {
    ...party,
    person: personNow(core.policy, party),
    known: isListed(core.policy, party),
    roles: rolesNow(core.policy, party, groups(party)),
  }
}

const driftOf = (before: Change, after: Amended, name: string, isKept: boolean) => {
  const drift = driftBetween(
    before,
    after,
    isKept
      ? `${name} asks for another time. Votes so far are for the time before; please look again.`
      : `${name} changed what is asked. Votes so far are void; please look again.`,
  )
  const timeOf = ({ runAt }: Pick<Change, 'runAt'>) =>
    runAt === undefined ? 'when it is approved' : sentence`${zonedMoment(runAt.at, runAt.zone)}`
  const times = { label: 'Runs', before: timeOf(before), after: timeOf(after) }
  return before.runAt?.at === after.runAt?.at ? drift : { ...drift, changes: [...drift.changes, times] }
}

const tooFewRemain = refusal('not_allowed_now', 'Too few people would be left who could approve it.')
const repeated = refusal('nothing_to_change', 'This was changed by an earlier copy of the same delivery.')
const nothingNew = refusal('nothing_to_change', 'That is what is asked already.')
const changedMeanwhile = refusal('changed_since', 'The request changed while you changed it.')
const anotherThing = refusal('bad_value', 'That would call something else than what was asked for.', {
  next: 'Cancel this request, and ask for the other thing.',
})
