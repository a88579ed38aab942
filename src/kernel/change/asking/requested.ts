import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { due } from '../../../lib/view/format.ts'
import { sentence } from '../../../lib/view/words.ts'
import { refuseFrozen } from '../../actors/authorization.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand, Command } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import { commandLineOf } from '../../command/line/print.ts'
import { movesMoney } from '../../command/moves-money.ts'
import { alsoParam, atParam, emergencyParam } from '../../command/params.ts'
import { readContext } from '../../context/command-context.ts'
import type { Core } from '../../core.ts'
import { combine } from '../../law/clauses.ts'
import type { Reply } from '../../messenger/inbound.ts'
import type { Area, AskedPerson, Change, Clause, Judged, Party, Pinned } from '../../model/change.ts'
import { untilSent, warning } from '../../model/warning.ts'
import { groupsAsked } from '../../policy/people.ts'
import { termsAmong } from '../../policy/rule-terms.ts'
import { isoTime, type ZonedTime } from '../../times/read-time.ts'
import type { ClauseInput, Judgement } from '../deciding/decide-clauses.ts'
import { refuseAlone } from './alone.ts'
import { alsoAsked } from './also-asked.ts'
import { broughtWith, natureOf, refuseUnmet } from './demands.ts'
import { pin } from './pin.ts'
import { areaOf, intentOf, type Prepared, policyNamesOf, prepare, termsOf } from './prepare.ts'
import { namedRecipient } from './recipient.ts'

/** What was written besides the command's own values. */
export type ChangeOptions = {
  at?: string | undefined
  also?: string | undefined
  /** Why it is to be done alone. */
  emergency?: string | undefined
}

/** Asks back before anybody else is asked, where the plan leaves something open that the requester may know. */
export type AskBack<Question extends Reply = Reply> = (
  plan: unknown,
  isDemanded: boolean,
) => Promise<Question | undefined>

/** What somebody wants, looked at and planned; the policy has not been asked yet. */
export type Requested = {
  askedAt: number
  runAt: ZonedTime | undefined
  input: Input
  pinned: Pinned | undefined
  prepared: Prepared
  area: Area
  also: AskedPerson | undefined
  emergency: { why: string } | undefined
}

/**
 * For whoever asks; times are read as whoever writes them means them. `kept` is a set that stays as it was pinned, and
 * `behind` are those who ask for it or have changed it. Comes to a question only where it may ask back.
 */
export const planRequest = async <Question extends Reply = never>(
  core: Core,
  actor: Actor,
  definition: ChangeCommand,
  given: Input,
  {
    at,
    also: written,
    emergency,
    writer = actor,
    behind = [actor.person],
    kept,
    askBack,
  }: ChangeOptions & {
    writer?: Actor
    behind?: readonly string[]
    kept?: Pinned | undefined
    askBack?: AskBack<Question> | undefined
  },
): Promise<Result<Requested | Question>> => {
  const askedAt = core.now()
  const runAt = at === undefined ? ok(undefined) : await readContext(core, writer, askedAt).time(at)
  if (!runAt.ok) return runAt
  const also = await alsoAsked(core, actor, policyNamesOf(definition), written, behind)
  if (!also.ok) return also
  // Whatever looks up thousands looks at the freezes before it does; everything else together with what it stores.
  const early = definition.bulk && (await refuseFrozen(core.store, definition.area, actor))
  if (early !== undefined) return no(early)
  const pinning =
    kept === undefined ? await pin(core, actor, definition, given) : ok({ input: given, pinned: kept })
  if (!pinning.ok) return pinning
  const { input, pinned } = pinning.value
  const prepared = await prepare(core, actor, definition, input, pinned, askedAt)
  if (!prepared.ok) return prepared
  const area = areaOf(definition, input)
  const unmet = refuseUnmet(core.policy, definition, prepared.value, {
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
  const refused =
    emergency === undefined
      ? undefined
      : await refuseAlone(core, actor, emergency, {
          names: policyNamesOf(definition),
          movesMoney: movesMoney(definition, input),
          amount: prepared.value.amount,
          byNature: natureOf(definition, { plan: prepared.value.plan, input, requester: actor.person }),
          isPlain: at === undefined && written === undefined,
        })
  if (refused !== undefined) return no(refused)
  const recipient = await namedRecipient(core, actor, definition, prepared.value)
  return ok({
    askedAt,
    runAt: runAt.value,
    input,
    pinned,
    prepared: { ...prepared.value, ...recipient },
    area,
    also: also.value,
    emergency: emergency === undefined ? undefined : { why: emergency.trim() },
  })
}

/** As the policy is asked about it. */
export const clauseInputOf = (
  definition: ChangeCommand,
  { input, pinned, prepared, area, emergency }: Requested,
  about: Pick<ClauseInput, 'id' | 'requester' | 'createdAt'>,
): ClauseInput => ({
  ...about,
  names: policyNamesOf(definition),
  area,
  movesMoney: movesMoney(definition, input),
  amount: prepared.amount,
  currency: prepared.currency,
  intent: intentOf(definition, input, pinned),
  emergency,
  byNature: natureOf(definition, { plan: prepared.plan, input, requester: about.requester.person }),
  demands: (policy) => definition.demands?.(prepared.plan, policy),
})

/** With the clause of whom the requester asks besides: it takes the place of none. */
export const withAlso = (
  decision: Judgement,
  { also }: Requested,
  { name }: Pick<Party, 'name'>,
): Judgement => {
  if (also === undefined) return decision
  const clause: Clause = {
    kind: 'approvals',
    count: 1,
    from: [],
    people: [also],
    because: `${name} asks for them`,
  }
  return { ...decision, clauses: combine(decision.clauses, [clause]) }
}

/** What people are asked to decide on, and everything of a request that follows from what was written. */
export const requestTerms = (
  command: Command,
  definition: ChangeCommand,
  requested: Requested,
  decision: Judgement,
  { now, round }: { now: number; round?: number },
) => {
  const { askedAt, runAt, input, pinned, prepared, area, also, emergency } = requested
  const beside = {
    ...(runAt === undefined ? {} : { [atParam.name]: isoTime(runAt) }),
    ...(also === undefined ? {} : { [alsoParam.name]: also.person }),
    ...(emergency === undefined ? {} : { [emergencyParam.name]: emergency.why }),
  }
  return {
    ...timed(termsOf(definition, prepared, decision, now, round), runAt),
    area,
    input,
    line: commandLineOf(command.name, [...command.params, emergencyParam], { ...input, ...beside }),
    intent: intentOf(definition, input, pinned),
    pinned,
    askedAt,
    ...defined({ also, emergency }),
  }
}

/** Who is asked for a later time decides before it comes: after that, nobody would expect it any more. */
const timed = <T extends Pick<Change, 'expiresAt'> & Pick<Judgement, 'warnings'>>(
  terms: T,
  runAt: ZonedTime | undefined,
): T & Pick<Change, 'runAt'> => {
  if (runAt === undefined) return { ...terms, runAt: undefined }
  const { doubt, ...time } = runAt
  const early =
    terms.expiresAt < time.at
      ? [
          warning(
            sentence`This request expires at ${due(terms.expiresAt)}, before its time comes: decide before that.`,
            ['pending'],
          ),
        ]
      : []
  return {
    ...terms,
    runAt: time,
    expiresAt: Math.min(terms.expiresAt, time.at),
    warnings: [...terms.warnings, ...early, ...(doubt === undefined ? [] : [warning(doubt, untilSent)])],
  }
}

/** From what the policy decided, for whoever judges it again. */
export const judgedOf = (
  { policy }: Pick<Core, 'policy'>,
  { platform, person, groups = [] }: Pick<Actor, 'platform' | 'person' | 'groups'>,
  definition: ChangeCommand,
  { input, prepared: { amount, plan } }: Requested,
  decision: Judgement,
): Judged => {
  const known = groupsAsked(policy, platform)
  return {
    policy: decision.policy,
    rule: decision.rule,
    amount,
    clauses: decision.clauses,
    expiresInMs: decision.expiresInMs,
    terms: termsAmong(decision),
    groups: { known, in: known.filter((group) => groups.includes(group)) },
    ...decision.counted,
    had: broughtWith(definition, plan),
    ...defined({
      byNature: natureOf(definition, { plan, input, requester: person }),
      demanded: definition.demands?.(plan, policy) as Judged['demanded'],
    }),
  }
}
