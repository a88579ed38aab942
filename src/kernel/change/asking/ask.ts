import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { formatNumber } from '../../../lib/view/format-number.ts'
import { refusal } from '../../../lib/view/refusals.ts'
import { partyOf, refuseFrozen } from '../../actors/authorization.ts'
import { cardReply } from '../../cards/card.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand, Command } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import type { Core } from '../../core.ts'
import { followStep, votedInAdvance, withheldByFeatures } from '../../feature.ts'
import { holdFrom } from '../../law/law.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { entryBy } from '../../model/audit-entry.ts'
import type { Change } from '../../model/change.ts'
import { stepOf } from '../../model/stored-step.ts'
import { allWarnings } from '../../model/warning.ts'
import { refuseUndecidable } from '../../policy/listed.ts'
import { isUrgentCommand } from '../../request/urgent.ts'
import type { Store } from '../../store/store.ts'
import { executeOrLeave } from '../applying/execute.ts'
import { decideClauses, type Judgement, judge, pastIn } from '../deciding/decide-clauses.ts'
import { follow, membersTasks, putTasks, standingNow, stuckTasks } from '../transition.ts'
import { refuseUnreviewed } from './alone.ts'
import { policyNamesOf } from './prepare.ts'
import {
  type AskBack,
  type ChangeOptions,
  clauseInputOf,
  judgedOf,
  planRequest,
  type Requested,
  requestTerms,
  withAlso,
} from './requested.ts'

type Asked = Pick<Inbound, 'place' | 'changeId'> &
  ChangeOptions & {
    /**
     * Of a delivery that may come again: it asks for one change, however often, and that has the same id in a database that
     * has forgotten the first.
     */
    delivery?: string | undefined
    askBack?: AskBack | undefined
  }

/** What one person may have waiting; a freeze is never held back. */
const maxWaiting = 2_000
const tooManyWaiting = refusal(
  'too_many_requests',
  `You have ${formatNumber(maxWaiting)} requests waiting, and nobody has more.`,
)

/** Handles a request for a change; a named one that is asked again, or twice at once, is answered as the first is. */
export const ask = async (
  core: Core,
  actor: Actor,
  command: Command,
  definition: ChangeCommand,
  given: Input,
  asked: Asked,
): Promise<Result<Reply>> => {
  const { changeId } = asked
  const found = async (): Promise<Reply | undefined> => {
    const change = changeId === undefined ? null : await core.store.changes.get(changeId)
    return change === null ? undefined : cardReply(change, core.now())
  }
  const known = await found()
  if (known !== undefined) return ok(known)
  const reply = await askFirst(core, actor, command, definition, given, asked)
  if (reply.ok && reply.value.kind !== 'repeated') return reply
  // What a copy has done meanwhile may itself be why this one is refused.
  const first = await found()
  return first === undefined ? reply : ok(first)
}

/**
 * Prepare, preview, ask the policy what it requires, then post a card or, if nothing is required, apply it. Of a
 * request that a copy was faster with comes nothing more.
 */
const askFirst = async (
  core: Core,
  actor: Actor,
  command: Command,
  definition: ChangeCommand,
  given: Input,
  { place, changeId, delivery, at, also, emergency, askBack }: Asked,
): Promise<Result<Reply>> => {
  const planned = await planRequest(core, actor, definition, given, { at, also, emergency, askBack })
  if (!planned.ok) return planned
  if ('kind' in planned.value) return ok(planned.value)
  const requested = planned.value
  const { pinned, area } = requested
  const requester = partyOf(actor)
  const trace = core.tracing.here()
  const asking = await core.store.tx(async (store) => {
    const id = changeId ?? (delivery === undefined ? core.newId() : core.changeIdOf(delivery))
    const createdAt = core.now()
    const [waiting, isFirst, earlier, frozen, judged, absences] = await Promise.all([
      isUrgentCommand(definition) ? 0 : store.changes.countPending(requester.person),
      delivery === undefined || store.deliveries.first(delivery),
      changeId !== undefined
        ? takeNamed(store, changeId)
        : delivery === undefined
          ? null
          : store.changes.get(id),
      refuseFrozen(store, area, actor),
      decideClauses(core, store, clauseInputOf(definition, requested, { id, requester, createdAt }), 'ask'),
      store.absences.active(),
    ])
    const decision = withAlso(judged, requested, requester)
    if (frozen !== undefined) return no(frozen)
    if (!isFirst || earlier !== null) return ok(undefined)
    if (waiting >= maxWaiting) return no(tooManyWaiting)
    const unreviewed =
      requested.emergency === undefined ? undefined : await refuseUnreviewed(store, requester)
    if (unreviewed !== undefined) return no(unreviewed)
    const unlisted = refuseUndecidable(core.policy, requester, decision.clauses)
    if (unlisted !== undefined) {
      await store.audit.append(
        entryBy(requester, 'refused', { command: command.name }, { code: unlisted.code }),
      )
      return no(unlisted)
    }
    const asked: Change = {
      ...changeOf(core, actor, command, definition, requested, decision, { id, createdAt, place }),
      ...defined({ trace }),
    }
    const stored = standingNow(core.policy, asked, absences, [])
    await store.changes.insert(stored)
    const { line, plan, digest, rule, clauses, names, amount, currency } = stored
    const entry = await store.audit.append(
      entryBy(requester, 'asked', stored, {
        line,
        channel: place.channel,
        plan,
        digest,
        rule,
        policy: stored.policy,
        clauses,
        names,
        area,
        amount,
        currency,
        roles: requester.roles,
        warnings: allWarnings(stored),
        ...defined({ runAt: stored.runAt, emergency: stored.emergency?.why, withheld: stored.withheld?.why }),
      }),
    )
    await followStep(store, { before: undefined, after: stored, policy: core.policy })
    if (pinned !== undefined) await store.bulk.attach(pinned.set, id)
    const cardsAfterMs = isUrgentCommand(definition) ? 0 : core.admission.cardAfterMs(actor.person)
    return ok({
      stored,
      entry,
      held: await putTasks(
        core,
        store,
        stored,
        [...stuckTasks(core, stored), ...membersTasks(core, stored, absences)],
        cardsAfterMs,
      ),
    })
  })
  if (!asking.ok) return asking
  if (asking.value === undefined) return ok({ kind: 'repeated' })
  const { stored: change, entry, held } = asking.value
  core.newest.entry = stepOf(entry, change)
  core.onStep('asked', change.id)
  await follow(core, change, held)
  const voted = change.state === 'pending' ? await votedInAdvance(core, change) : change
  const after = voted.state === 'approved' ? await executeOrLeave(core, voted) : voted
  return ok(cardReply(after, core.now()))
}

/** The change as it is asked for. */
const changeOf = (
  core: Core,
  actor: Actor,
  command: Command,
  definition: ChangeCommand,
  requested: Requested,
  decision: Judgement,
  { id, createdAt, place }: Pick<Change, 'id' | 'createdAt'> & Pick<Inbound, 'place'>,
): Change => {
  const need = requestTerms(command, definition, requested, decision, { now: createdAt })
  const state = need.clauses.length === 0 ? 'approved' : 'pending'
  return {
    id,
    version: 1,
    state,
    command: command.name,
    names: policyNamesOf(definition),
    ...(command.kind === 'switch' && definition.sameAs !== undefined
      ? { standsFor: [...definition.sameAs] }
      : {}),
    requester: partyOf(actor),
    origin: { platform: actor.platform, ...place },
    judged: judgedOf(core, actor, definition, requested, decision),
    votes: [],
    createdAt,
    updatedAt: createdAt,
    drift: null,
    ...defined({
      withheld: withheldByFeatures(core.policy, { names: policyNamesOf(definition), area: requested.area }),
    }),
    claimedBy: null,
    ended: null,
    outcome: null,
    ...need,
    steps: [{ at: createdAt, state }],
    ...(need.clauses.length === 0 ? holdFrom({ ...need, createdAt }, createdAt) : {}),
  }
}

/** The change that would be asked for now, or what is asked back before: it is stored nowhere, and nobody is asked. */
export const draftChange = async (
  core: Core,
  actor: Actor,
  command: Command,
  definition: ChangeCommand,
  given: Input,
  { place, ...beside }: Pick<Inbound, 'place'> & ChangeOptions & { askBack: AskBack },
): Promise<Result<{ change: Change } | { question: Reply }>> => {
  const planned = await planRequest(core, actor, definition, given, beside)
  if (!planned.ok) return planned
  if ('kind' in planned.value) return ok({ question: planned.value })
  const requested = planned.value
  const requester = partyOf(actor)
  const about = { id: core.newId(), requester, createdAt: core.now() }
  const frozen = await refuseFrozen(core.store, requested.area, actor)
  if (frozen !== undefined) return no(frozen)
  const [judged, absences] = await Promise.all([
    judge(core, pastIn(core.store), clauseInputOf(definition, requested, about), 'ask'),
    core.store.absences.active(),
  ])
  const decision = withAlso(judged, requested, requester)
  const unlisted = refuseUndecidable(core.policy, requester, decision.clauses)
  if (unlisted !== undefined) return no(unlisted)
  const change = changeOf(core, actor, command, definition, requested, decision, { ...about, place })
  return ok({ change: standingNow(core.policy, { ...change, state: 'pending' }, absences, []) })
}

/** Of two copies of a named request, the second waits for the first and finds it. */
const takeNamed = async (store: Store, id: string): Promise<Change | null> => {
  await store.lock({ alone: [`request ${id}`] })
  return store.changes.get(id)
}
