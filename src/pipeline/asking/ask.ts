import { cardReply } from '../../approvals/card.ts'
import { holdFrom } from '../../approvals/law.ts'
import { follow, putTasks } from '../../approvals/transition.ts'
import type { Asker } from '../../command/context.ts'
import type { ChangeCommand, Command } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import { commandLineOf } from '../../command/line/print.ts'
import { movesMoney } from '../../command/moves-money.ts'
import { atParam } from '../../command/params.ts'
import { readContext } from '../../core/context/command-context.ts'
import type { Core } from '../../core/core.ts'
import { partyOf, whyFrozen } from '../../core/people/authorization.ts'
import { isoTime, type ZonedTime } from '../../core/times/read-time.ts'
import { defined } from '../../defined.ts'
import type { Inbound, Reply } from '../../messenger/inbound.ts'
import { entryBy } from '../../model/audit-entry.ts'
import type { Change, Judged } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { whyNobody } from '../../policy/listed.ts'
import { groupsOn } from '../../policy/people.ts'
import { termsAmong } from '../../policy/rule-terms.ts'
import type { Store } from '../../storage/store.ts'
import { absolute } from '../../view/format.ts'
import { refusal } from '../../view/refusals.ts'
import { executeOrLeave } from '../applying/execute.ts'
import { decideClauses, type Judgement } from '../deciding/decide-clauses.ts'
import { isUrgentCommand } from '../way-in/urgent.ts'
import { broughtWith, whyUnmet } from './demands.ts'
import { pin } from './pin.ts'
import { areaOf, intentOf, policyNamesOf, prepare, termsOf } from './prepare.ts'
import { recipientName } from './recipient-name.ts'

type Asked = Pick<Inbound, 'place' | 'changeId'> & {
  /** Of a delivery that may come again: it asks for one change, however often. */
  delivery?: string | undefined
  /** When to carry it out, as it was written. */
  at?: string | undefined
  /** Asks back before anybody else is asked, where the plan leaves something open that the requester may know. */
  askBack?: (plan: unknown, isDemanded: boolean) => Promise<Reply | undefined>
}

/** What one person may have waiting; a freeze is never held back. */
const mostWaiting = 2_000
const tooManyWaiting = refusal(
  'too_many_requests',
  `You have ${mostWaiting.toLocaleString('en')} requests waiting, and nobody has more.`,
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
  if (reply.ok && reply.value !== undefined) return ok(reply.value)
  // What a copy has done meanwhile may itself be why this one is refused.
  const first = await found()
  if (first !== undefined) return ok(first)
  return reply.ok ? ok({ kind: 'repeated' }) : reply
}

/**
 * Prepare, preview, ask the policy what it requires, then post a card or, if nothing is required, apply it. Of a
 * request that somebody else was faster with comes nothing.
 */
const askFirst = async (
  core: Core,
  asker: Asker,
  command: Command,
  definition: ChangeCommand,
  given: Input,
  { place, changeId, delivery, at, askBack }: Asked,
): Promise<Result<Reply | undefined>> => {
  const askedAt = core.now()
  const runAt = at === undefined ? ok(undefined) : await readContext(core, asker, askedAt).time(at)
  if (!runAt.ok) return runAt
  // Whatever looks up thousands looks at the freezes before it does; everything else together with what it stores.
  const early = definition.bulk && (await whyFrozen(core.store, definition.area, asker))
  if (early !== undefined) return no(early)
  const pinning = await pin(core, asker, definition, given)
  if (!pinning.ok) return pinning
  const { input, pinned } = pinning.value
  const prepared = await prepare(core, asker, definition, input, pinned, askedAt)
  if (!prepared.ok) return prepared
  const area = areaOf(definition, input)
  const unmet = whyUnmet(core.policy, definition, prepared.value, {
    names: policyNamesOf(definition),
    area,
    input,
  })
  const isDemanded = unmet?.code === 'needs_evidence'
  if (unmet === undefined || isDemanded) {
    const question = await askBack?.(prepared.value.plan, isDemanded)
    if (question !== undefined) return ok(question)
  }
  if (unmet !== undefined) return no(unmet)
  const named = { ...prepared.value, recipient: await recipientName(core, asker, definition, prepared.value) }
  const requester = partyOf(asker)
  const asking = await core.store.tx(async (store) => {
    const id = changeId ?? core.newId()
    const createdAt = core.now()
    const names = policyNamesOf(definition)
    const intent = intentOf(definition, input, pinned)
    const { amount } = prepared.value
    const [waiting, isFirst, earlier, frozen, decision] = await Promise.all([
      isUrgentCommand(definition) ? 0 : store.changes.countPending(requester.person),
      delivery === undefined || store.deliveries.first(delivery),
      changeId === undefined ? null : takeNamed(store, changeId),
      whyFrozen(store, area, asker),
      decideClauses(
        core,
        store,
        { id, names, area, movesMoney: movesMoney(definition, input), amount, intent, requester, createdAt },
        'ask',
      ),
    ])
    if (frozen !== undefined) return no(frozen)
    if (!isFirst || earlier !== null) return ok(undefined)
    if (waiting >= mostWaiting) return no(tooManyWaiting)
    const unlisted = whyNobody(core.policy, requester, decision.clauses)
    if (unlisted !== undefined) {
      await store.audit.append(
        entryBy(requester, 'refused', { command: command.name }, { code: unlisted.code }),
      )
      return no(unlisted)
    }
    const need = timed(termsOf(definition, named, decision, createdAt), runAt.value)
    const stored: Change = {
      id,
      version: 1,
      state: need.clauses.length === 0 ? 'approved' : 'pending',
      command: command.name,
      names,
      ...(command.kind === 'switch' ? { standsFor: [...(definition.sameAs ?? [])] } : {}),
      area,
      line: commandLineOf(command.name, command.params, { ...input, ...timeInput(runAt.value) }),
      input,
      intent,
      requester,
      origin: { platform: asker.platform, ...place },
      judged: {
        ...judgedOf(core, asker, amount, decision),
        had: broughtWith(definition, prepared.value.plan),
      },
      votes: [],
      createdAt,
      askedAt,
      updatedAt: createdAt,
      drift: null,
      claimedBy: null,
      ended: null,
      outcome: null,
      pinned,
      ...need,
      steps: [{ at: createdAt, state: need.clauses.length === 0 ? 'approved' : 'pending' }],
      ...(need.clauses.length === 0 ? holdFrom({ ...need, createdAt }, createdAt) : {}),
    }
    await store.changes.insert(stored)
    const { line, plan, digest, rule, clauses, currency, warnings } = stored
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
        ...defined({ runAt: stored.runAt }),
      }),
    )
    if (pinned !== undefined) await store.bulk.attach(pinned.set, id)
    const cardsAfterMs = isUrgentCommand(definition) ? 0 : core.admission.cardAfterMs(asker.person)
    return ok({ stored, held: await putTasks(core, store, stored, [], cardsAfterMs) })
  })
  if (!asking.ok) return asking
  if (asking.value === undefined) return ok(undefined)
  const { stored: change, held } = asking.value
  core.onStep('asked', change.id)
  await follow(core, change, held)
  const after = change.state === 'approved' ? await executeOrLeave(core, change) : change
  return ok(cardReply(after, core.now()))
}

/** Who is asked for a later time decides before it comes: after that, nobody would expect it any more. */
const timed = <T extends Pick<Change, 'expiresAt' | 'warnings'>>(terms: T, runAt: ZonedTime | undefined) => {
  if (runAt === undefined) return terms
  const { doubt, ...time } = runAt
  const early =
    terms.expiresAt < time.at
      ? `This request expires at ${absolute(terms.expiresAt)}, before its time comes: decide before that.`
      : undefined
  return {
    ...terms,
    runAt: time,
    expiresAt: Math.min(terms.expiresAt, time.at),
    warnings: [...terms.warnings, ...[early, doubt].flatMap((one) => one ?? [])],
  }
}

const timeInput = (runAt: ZonedTime | undefined) =>
  runAt === undefined ? {} : { [atParam.name]: isoTime(runAt) }

/** Of two copies of a named request, the second waits for the first and finds it. */
const takeNamed = async (store: Store, id: string): Promise<Change | null> => {
  await store.lock({ alone: [`request ${id}`] })
  return store.changes.get(id)
}

const judgedOf = (
  { policy }: Core,
  { platform, groups = [] }: Asker,
  amount: number | null,
  decision: Judgement,
): Judged => {
  const known = Object.keys(groupsOn(policy, platform))
  return {
    policy: decision.policy,
    rule: decision.rule,
    amount,
    clauses: decision.clauses,
    expiresInMs: decision.expiresInMs,
    terms: termsAmong(decision),
    groups: { known, in: known.filter((group) => groups.includes(group)) },
    ...decision.counted,
  }
}
