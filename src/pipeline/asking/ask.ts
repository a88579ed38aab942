import { cardReply } from '../../approvals/card.ts'
import { holdFrom } from '../../approvals/law.ts'
import { follow, putTasks } from '../../approvals/transition.ts'
import { oweWebhooks } from '../../approvals/webhook-events.ts'
import type { Asker } from '../../command/context.ts'
import type { ChangeCommand, Command } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import type { Core } from '../../core/core.ts'
import { partyOf, whyFrozen } from '../../core/people/authorization.ts'
import { defined } from '../../defined.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { entryBy } from '../../model/audit-entry.ts'
import type { Change } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { whyNobody } from '../../policy/listed.ts'
import type { Store } from '../../storage/store.ts'
import { formatNumber } from '../../view/format-number.ts'
import { refusal } from '../../view/refusals.ts'
import { executeOrLeave } from '../applying/execute.ts'
import { decideClauses } from '../deciding/decide-clauses.ts'
import { isUrgentCommand } from '../way-in/urgent.ts'
import { whyUnreviewed } from './alone.ts'
import { policyNamesOf } from './prepare.ts'
import {
  type AskBack,
  type Beside,
  clauseInputOf,
  judgedOf,
  planRequest,
  requestTerms,
  withAlso,
} from './requested.ts'

type Asked = Pick<Inbound, 'place' | 'changeId'> &
  Beside & {
    /** Of a delivery that may come again: it asks for one change, however often. */
    delivery?: string | undefined
    askBack?: AskBack | undefined
  }

/** What one person may have waiting; a freeze is never held back. */
const mostWaiting = 2_000
const tooManyWaiting = refusal(
  'too_many_requests',
  `You have ${formatNumber(mostWaiting)} requests waiting, and nobody has more.`,
)

/** Handles a request for a change; a named one that is asked again, or twice at once, is answered as the first is. */
export const ask = async (
  core: Core,
  asker: Asker,
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
  const reply = await askFirst(core, asker, command, definition, given, asked)
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
  asker: Asker,
  command: Command,
  definition: ChangeCommand,
  given: Input,
  { place, changeId, delivery, at, also, emergency, askBack }: Asked,
): Promise<Result<Reply>> => {
  const planned = await planRequest(core, asker, definition, given, { at, also, emergency, askBack })
  if (!planned.ok) return planned
  if ('kind' in planned.value) return ok(planned.value)
  const requested = planned.value
  const { pinned, area } = requested
  const requester = partyOf(asker)
  const trace = core.tracing.here()
  const asking = await core.store.tx(async (store) => {
    const id = changeId ?? core.newId()
    const createdAt = core.now()
    const [waiting, isFirst, earlier, frozen, judged] = await Promise.all([
      isUrgentCommand(definition) ? 0 : store.changes.countPending(requester.person),
      delivery === undefined || store.deliveries.first(delivery),
      changeId === undefined ? null : takeNamed(store, changeId),
      whyFrozen(store, area, asker),
      decideClauses(core, store, clauseInputOf(definition, requested, { id, requester, createdAt }), 'ask'),
    ])
    const decision = withAlso(judged, requested, requester)
    if (frozen !== undefined) return no(frozen)
    if (!isFirst || earlier !== null) return ok(undefined)
    if (waiting >= mostWaiting) return no(tooManyWaiting)
    const unreviewed = requested.emergency === undefined ? undefined : await whyUnreviewed(store, requester)
    if (unreviewed !== undefined) return no(unreviewed)
    const unlisted = whyNobody(core.policy, requester, decision.clauses)
    if (unlisted !== undefined) {
      await store.audit.append(
        entryBy(requester, 'refused', { command: command.name }, { code: unlisted.code }),
      )
      return no(unlisted)
    }
    const need = requestTerms(command, definition, requested, decision, { now: createdAt })
    const stored: Change = {
      id,
      version: 1,
      state: need.clauses.length === 0 ? 'approved' : 'pending',
      command: command.name,
      names: policyNamesOf(definition),
      ...(command.kind === 'switch' && definition.sameAs !== undefined
        ? { standsFor: [...definition.sameAs] }
        : {}),
      requester,
      origin: { platform: asker.platform, ...place },
      ...defined({ trace }),
      judged: judgedOf(core, asker, definition, requested, decision),
      votes: [],
      createdAt,
      updatedAt: createdAt,
      drift: null,
      claimedBy: null,
      ended: null,
      outcome: null,
      ...need,
      steps: [{ at: createdAt, state: need.clauses.length === 0 ? 'approved' : 'pending' }],
      ...(need.clauses.length === 0 ? holdFrom({ ...need, createdAt }, createdAt) : {}),
    }
    await store.changes.insert(stored)
    const { line, plan, digest, rule, clauses, names, amount, currency, warnings } = stored
    await store.audit.append(
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
        warnings,
        ...defined({ runAt: stored.runAt, emergency: stored.emergency?.why }),
      }),
    )
    await oweWebhooks(core.policy, store, stored)
    if (pinned !== undefined) await store.bulk.attach(pinned.set, id)
    const cardsAfterMs = isUrgentCommand(definition) ? 0 : core.admission.cardAfterMs(asker.person)
    return ok({ stored, held: await putTasks(core, store, stored, [], cardsAfterMs) })
  })
  if (!asking.ok) return asking
  if (asking.value === undefined) return ok({ kind: 'repeated' })
  const { stored: change, held } = asking.value
  core.onStep('asked', change.id)
  await follow(core, change, held)
  const after = change.state === 'approved' ? await executeOrLeave(core, change) : change
  return ok(cardReply(after, core.now()))
}

/** Of two copies of a named request, the second waits for the first and finds it. */
const takeNamed = async (store: Store, id: string): Promise<Change | null> => {
  await store.lock({ alone: [`request ${id}`] })
  return store.changes.get(id)
}
