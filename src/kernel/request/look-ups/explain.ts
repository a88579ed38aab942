import { defined } from '../../../lib/defined.ts'
import { no, ok, type Result } from '../../../lib/result.ts'
import { asTyped } from '../../../lib/view/outside.ts'
import { noSuchChange, type Refusal, refusal } from '../../../lib/view/refusals.ts'
import type { View } from '../../../lib/view/view.ts'
import { refuseFrozen, refuseToRunNow, rolesOfOther } from '../../actors/authorization.ts'
import { changeFor, sightOf } from '../../actors/delegates.ts'
import { askGroups } from '../../actors/membership.ts'
import { natureOf } from '../../change/asking/demands.ts'
import { areaOf, intentOf, policyNamesOf, prepare } from '../../change/asking/prepare.ts'
import { judge, judgedAgain, type Past, pastIn } from '../../change/deciding/decide-clauses.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import { type Input, parseLine, wholeLine } from '../../command/line/parse.ts'
import { movesMoney } from '../../command/moves-money.ts'
import type { Core } from '../../core.ts'
import { isConfirmOnly } from '../../law/clauses.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { entryBy } from '../../model/audit-entry.ts'
import type { Area, Party } from '../../model/change.ts'
import { readButton } from '../../model/shown.ts'
import { warningsIn } from '../../model/warning.ts'
import type { ByNature } from '../../policy/emergency.ts'
import { explainDecision } from '../../policy/explain.ts'
import { type Explained, explanationView, type LookUp, lookUpView } from '../../policy/explain-view.ts'
import { refuseUndecidable, whoMayRun } from '../../policy/listed.ts'
import {
  approveNamesOf,
  mayApprove,
  mayRun,
  personNamed,
  personOf,
  rolesNow,
  spaceFrom,
} from '../../policy/people.ts'
import type { Demanded, Person, Policy } from '../../policy/policy.ts'
import { whoCanView } from '../../policy/who-can.ts'
import { allAccountsOf } from '../../policy/workspaces.ts'
import { detailsReply } from './show-all.ts'

/** What would happen to a line if somebody said it now, as people read it. */
export const explainLine: Core['explain'] = async (core, actor, line, as) => {
  const isTold = as === undefined && actor.known && actor.agent === undefined
  const named = isTold ? commandAlone(core, line) : undefined
  if (named !== undefined) return ok(whoCanView(core.policy, actor, named.name, named.names))
  const judged = await judgeLine(core, actor, line, as, await pastSeenBy(core, actor))
  return judged.ok ? ok(viewOf(judged.value)) : judged
}

/** A change by its name alone, which says nothing of what it would be about. */
const commandAlone = ({ registry }: Core, line: string): { name: string; names: string[] } | undefined => {
  const parsed = parseLine(registry, line)
  if (!parsed.ok || parsed.value.missing.length === 0 || Object.keys(parsed.value.given).length > 0)
    return undefined
  const { command } = parsed.value
  return command.kind === 'change' ? { name: command.name, names: policyNamesOf(command) } : undefined
}

/** Why a change on record needs what it needs, for whoever may see it: what was decided when it was asked for, by the rules of today. */
export const whyThisRule = async (core: Core, actor: Actor, button: string): Promise<Result<Reply>> => {
  const { id } = readButton(button)
  const change = await changeFor(core, actor, id)
  if (change === null || !(await sightOf(core, actor))(change)) return no(noSuchChange(id))
  const asked = judgedAgain(core, change)
  const today = await judge(core, pastIn(core.store), asked, 'ask')
  const decision = { ...today, rule: change.rule, clauses: change.clauses, warnings: warningsIn(change) }
  const explanation = explainDecision(
    core.policy,
    {
      ...asked,
      approveNames: approveNamesOf(change),
      requester: change.requester,
      rolesOf: await rolesToday(core),
    },
    decision,
    today.counted.spent,
  )
  const isOlder = change.policy !== undefined && change.policy !== core.policy.digest
  const notes = isOlder
    ? ['The policy was changed after this was asked for: these are the rules of today.']
    : []
  await core.store.audit.append(entryBy(actor, 'opened', change, { what: 'why this rule' }))
  const { requester, amount, currency } = change
  const title = `Why this needs ${isConfirmOnly(change.clauses) ? 'a confirmation' : 'approval'}: ${change.preview.title}`
  return ok(
    detailsReply(
      change.command,
      explanationView({ line: title, requester, amount, currency, decision, explanation, notes }),
    ),
  )
}

/** That the same was asked for before counts for everybody; by whom is for those who may see it. */
const pastSeenBy = async (core: Core, actor: Actor): Promise<Past> => {
  const [sees, past] = [await sightOf(core, actor), pastIn(core.store)]
  return {
    ...past,
    sameIntent: async (...about) =>
      (await core.store.changes.sameIntent(...about)).map((other) =>
        sees(other) ? other : { ...other, id: '', requester: { ...other.requester, name: 'Somebody' } },
      ),
  }
}

const viewOf = (judged: Explained | LookUp): View =>
  'decision' in judged ? explanationView(judged) : lookUpView(judged)

/** What a line asks for, as far as the policy looks at it. */
export type LineRequest = {
  requester: Actor
  target: ChangeCommand
  /** Every name it goes by, and those under which somebody must be allowed to approve it. */
  names: string[]
  approveNames: readonly string[]
  amount: number | null
  currency: string | null
  intent: string
  area: Area
  movesMoney: boolean
  byNature?: ByNature
  demands?: (policy: Policy) => Demanded | undefined
}

/** Goes the way of a request up to the policy's decision, by the same functions; a look-up has no target. */
export const readRequest = async (
  core: Core,
  actor: Actor,
  line: string,
  as?: string,
): Promise<Result<LineRequest | Pick<LineRequest, 'requester'>>> => {
  const { policy, registry } = core
  const subject = as === undefined ? ok(actor) : subjectOf(policy, actor, as)
  if (!subject.ok) return subject
  const requester = subject.value
  const complete = wholeLine(registry, line)
  if (!complete.ok) return complete
  const { command, target, input } = complete.value
  if (target.kind === 'decision') return ok({ requester })
  const names = target.kind === 'change' ? policyNamesOf(target) : [target.name]
  const about = {
    command: command.name,
    names,
    ...(command.kind === 'switch' && target.sameAs !== undefined ? { standsFor: [...target.sameAs] } : {}),
  }
  const whose = requester === actor ? undefined : rolesOfOther(requester)
  const refused =
    refuseFor(policy, actor, requester, names) ?? refuseToRunNow(policy, requester, about, whose)
  if (refused !== undefined) return no(refused)
  if (target.kind === 'query') return ok({ requester })
  const known = await knownOf(core, requester, target, input)
  if (!known.ok) return known
  return ok({
    requester,
    target,
    names,
    approveNames: approveNamesOf(about),
    ...known.value,
    intent: intentOf(target, input),
    area: areaOf(target, input),
    movesMoney: movesMoney(target, input),
  })
}

/** What the policy would say to a line, and why, given what was asked before. It stores nothing. */
export const judgeLine = async (
  core: Core,
  actor: Actor,
  line: string,
  as?: string,
  past: Past = pastIn(core.store),
): Promise<Result<Explained | LookUp>> => {
  const { policy, store } = core
  const read = await readRequest(core, actor, line, as)
  if (!read.ok) return read
  const { requester } = read.value
  if (!('target' in read.value)) return ok({ line, requester })
  const { target, names, approveNames, amount, currency, intent, area, byNature, demands } = read.value
  const decision = await judge(
    core,
    past,
    {
      ...{ id: '', names, area, movesMoney: read.value.movesMoney, amount, currency, intent, requester },
      byNature: past.isLookedUp && byNature === 'unseen' ? undefined : byNature,
      demands,
      createdAt: core.now(),
    },
    'ask',
  )
  const frozen = await refuseFrozen(store, area, requester)
  const explanation = explainDecision(
    policy,
    { names, approveNames, amount, currency, requester, rolesOf: await rolesToday(core) },
    decision,
    decision.counted.spent,
  )
  const unlisted = refuseUndecidable(policy, requester, decision.clauses)
  const notes = [
    ...[frozen, unlisted].flatMap((refused) => refused?.message ?? []),
    ...(target.bulk !== undefined && decision.counted.same !== null
      ? ['Whether the same was asked before can be told only when its items are collected.']
      : []),
  ]
  return ok({ line, requester, amount, currency, decision, explanation, notes })
}

/** Somebody else's request is explained to whoever could run or approve it, and to whoever sits at the machine. */
const refuseFor = (
  policy: Policy,
  actor: Actor,
  requester: Actor,
  names: readonly string[],
): Refusal | undefined =>
  requester.person === actor.person ||
  actor.operator !== undefined ||
  mayRun(policy, actor, names) ||
  mayApprove(policy, actor, names)
    ? undefined
    : refusal('may_not_run', `You may neither run nor approve ${names[0]}, whoever asks for it.`, {
        next: actor.known ? whoMayRun(policy, actor, names) : 'Ask an administrator for the role.',
      })

/** Only what moves money, or needs something by its nature, is prepared: nothing else of a plan is asked about by the policy. */
const knownOf = async (
  core: Core,
  actor: Actor,
  definition: ChangeCommand,
  input: Input,
): Promise<Result<Pick<LineRequest, 'amount' | 'currency' | 'byNature' | 'demands'>>> => {
  const { amountOf, evidenceOf, needs, demands } = definition
  if ([amountOf, evidenceOf, needs, demands].every((part) => part === undefined))
    return ok({ amount: null, currency: null })
  const prepared = await prepare(core, actor, definition, input)
  if (!prepared.ok) return prepared
  const { amount, currency, plan } = prepared.value
  return ok({
    amount,
    currency,
    byNature: natureOf(definition, { plan, input, requester: actor.person }),
    demands: (policy) => demands?.(plan, policy),
  })
}

/** Somebody of the file, as if they asked from the terminal, or one of its agents. */
const subjectOf = (policy: Policy, actor: Actor, as: string): Result<Actor> => {
  const id = personNamed(policy, as)
  if (id === actor.person) return ok(actor)
  const agent = policy.agents.find((one) => [one.id, one.name].includes(as.trim()))
  const [platform, account] = Object.entries(agent?.accounts ?? { terminal: id })[0] ?? ['terminal', id]
  const person = personOf(policy, { platform, account, groups: [] })
  return person.known
    ? ok({ ...person, platform, account, ...defined({ space: spaceFrom(policy, { platform, account }) }) })
    : no(
        refusal('bad_value', `as: nobody in the policy file goes by ${asTyped(as.slice(0, 40))}.`, {
          next: `Write the id, the name or an account of somebody there, such as ${policy.people[0]?.id ?? 'sam'}.`,
        }),
      )
}

/** The roles of the file and of the groups, as far as the messengers can say who is in them. */
const rolesToday = async (core: Core): Promise<(person: Person) => readonly string[]> => {
  const { policy } = core
  const platforms = Object.keys(policy.groups)
  const parties = policy.people.flatMap((person) =>
    allAccountsOf(person)
      .filter(({ platform }) => platforms.includes(platform))
      .map((at): Party => ({ person: person.id, name: person.name, ...at, roles: [] })),
  )
  const groups = await askGroups(core, parties)
  const partiesOf = Map.groupBy(parties, ({ person }) => person)
  // Whoever is in no group has the very list of the file: what is asked of it is asked once.
  return ({ id, roles }) => {
    const given = partiesOf.get(id)?.flatMap((one) => rolesNow(policy, one, groups(one))) ?? []
    return given.length === 0 ? roles : [...new Set([...roles, ...given])]
  }
}
