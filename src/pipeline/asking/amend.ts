import { cardReply } from '../../approvals/card.ts'
import { driftBetween } from '../../approvals/drift.ts'
import { type Amended, type LawEvent, step, whyNoAmend } from '../../approvals/law.ts'
import { transition } from '../../approvals/transition.ts'
import type { Asker } from '../../command/context.ts'
import type { ChangeCommand, Command } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import type { Core } from '../../core/core.ts'
import { mayDecide, partyOf, whyFrozen, whyNoDecider } from '../../core/people/authorization.ts'
import { delegatedVotes } from '../../core/people/delegates.ts'
import { askGroups } from '../../core/people/membership.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { canonicalJson } from '../../model/canonical-json.ts'
import type { Change } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { peopleBehind } from '../../policy/behind-request.ts'
import { isListed, whyNobody, whyNotTwo } from '../../policy/listed.ts'
import { personNow, rolesNow } from '../../policy/people.ts'
import { type Refusal, refusal } from '../../view/refusals.ts'
import { sentence } from '../../view/words.ts'
import { zonedMoment } from '../../view/zones.ts'
import { decideClauses } from '../deciding/decide-clauses.ts'
import { recordRefusal } from '../deciding/record-refusal.ts'
import { policyNamesOf } from './prepare.ts'
import { type Beside, clauseInputOf, judgedOf, planRequest, requestTerms, withAlso } from './requested.ts'

/** Why somebody may not change a request; undefined where they may. */
export const whyMayNotAmend = async (
  core: Core,
  asker: Asker,
  change: Change,
): Promise<Refusal | undefined> => {
  if (asker.agent !== undefined) {
    return refusal('may_not_approve', 'An agent does not change what was asked.', {
      next: 'Cancel it, and ask anew.',
    })
  }
  const isOwn = peopleBehind(change, core.policy).includes(asker.person)
  // To change what another asked takes the right to decide about it, and so that it is known who does.
  const unknown = isOwn ? undefined : whyNoDecider(asker, 'change')
  if (unknown !== undefined) return unknown
  const { by, mayVote } = await changerOf(core, asker, change)
  const refused = whyNoAmend(change, { by, mayVote, at: core.now() })
  if (refused !== undefined || isOwn) return refused
  return whyNotTwo(core.policy, asker, change)
}

const changerOf = async (core: Pick<Core, 'policy' | 'store'>, asker: Asker, change: Change) => ({
  by: partyOf(asker),
  mayVote: mayDecide(core.policy, asker, change) || (await delegatedVotes(core, asker))(change),
})

/** Puts a new plan in the place of what was asked: prepared for whoever asked, judged anew, and all votes void. */
export const amendRequest = async (
  core: Core,
  asker: Asker,
  before: Change,
  { command, definition }: { command: Command; definition: ChangeCommand },
  given: Input,
  { delivery, stored, ...beside }: Beside & { delivery: string; stored?: (() => void) | undefined },
): Promise<Result<Reply>> => {
  const refused = await whyMayNotAmend(core, asker, before)
  if (refused !== undefined) return no(await recordRefusal(core, asker, before, refused))
  if (policyNamesOf(definition).join() !== before.names.join()) return no(anotherThing)
  const isSameInput = canonicalJson(given) === canonicalJson(before.input)
  const requester = await askerNow(core, before)
  const planned = await planRequest(core, requester, definition, given, {
    ...beside,
    writer: asker,
    behind: [...peopleBehind(before, core.policy), asker.person],
    kept: isSameInput ? before.pinned : undefined,
  })
  if (!planned.ok) return planned
  const requested = planned.value
  const isSameTime = requested.runAt?.at === before.runAt?.at
  if (isSameInput && isSameTime && requested.also?.person === before.also?.person) return no(nothingNew)
  const done = await transition<boolean>(
    core,
    before.id,
    async (change, store, first) => {
      if (!first) return no(repeated)
      if (change.digest !== before.digest) return no(changedMeanwhile)
      const frozen = await whyFrozen(store, requested.area, change.requester)
      if (frozen !== undefined) return no(frozen)
      const { by, mayVote } = await changerOf({ ...core, store }, asker, change)
      const about = { id: change.id, requester: change.requester, createdAt: change.createdAt }
      const judged = await decideClauses(core, store, clauseInputOf(definition, requested, about), 'ask')
      const least = judged.clauses.length === 0 ? [{ kind: 'confirm' } as const] : judged.clauses
      const decision = withAlso({ ...judged, clauses: least }, requested, change.requester)
      const nobody = whyNobody(core.policy, change.requester, decision.clauses)
      if (nobody !== undefined) return no(nobody)
      const at = core.now()
      const terms: Amended = {
        ...requestTerms(command, definition, requested, decision, {
          now: at,
          round: (change.round ?? 0) + 1,
        }),
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
        drift: driftOf(change, terms, by.name),
        at,
      }
      const allowed = step(change, event)
      if (!allowed.ok) return allowed
      if (requested.pinned !== undefined) await store.bulk.attach(requested.pinned.set, change.id)
      return ok(event)
    },
    { ahead: (store) => store.deliveries.first(delivery) },
  )
  if (!done.ok)
    return done.refusal === repeated
      ? ok({ kind: 'repeated' })
      : no(await recordRefusal(core, asker, before, done.refusal))
  stored?.()
  core.onStep('changed', before.id)
  return ok(cardReply(done.value.change, core.now(), { isDecided: true }))
}

/** Whoever asked, with the roles that they have now: their right is what counts. */
const askerNow = async (core: Core, { requester }: Change): Promise<Asker> => {
  const groups = await askGroups(core, [requester])
  return {
    ...requester,
    person: personNow(core.policy, requester),
    known: isListed(core.policy, requester),
    roles: rolesNow(core.policy, requester, groups(requester)),
  }
}

const driftOf = (before: Change, after: Amended, name: string) => {
  const drift = driftBetween(
    before,
    after,
    `${name} changed what is asked. Votes so far are void; please look again.`,
  )
  const timeOf = ({ runAt }: Pick<Change, 'runAt'>) =>
    runAt === undefined ? 'when it is approved' : sentence`${zonedMoment(runAt.at, runAt.zone)}`
  const times = { label: 'Runs', before: timeOf(before), after: timeOf(after) }
  return before.runAt?.at === after.runAt?.at ? drift : { ...drift, changes: [...drift.changes, times] }
}

const repeated = refusal('nothing_to_change', 'This was changed by an earlier copy of the same delivery.')
const nothingNew = refusal('nothing_to_change', 'That is what is asked already.')
const changedMeanwhile = refusal('changed_since', 'The request changed while you changed it.')
const anotherThing = refusal('bad_value', 'That would call something else than what was asked for.', {
  next: 'Cancel this request, and ask for the other thing.',
})
