import type { Asker } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import { type Input, parseLine, wholeLine } from '../../command/line/parse.ts'
import { movesMoney } from '../../command/moves-money.ts'
import type { Core } from '../../core/core.ts'
import { rolesOfOther, whyFrozen, whyNotRunNow } from '../../core/people/authorization.ts'
import { changeFor, sightOf } from '../../core/people/delegates.ts'
import { askGroups } from '../../core/people/membership.ts'
import { defined } from '../../defined.ts'
import type { Reply } from '../../messenger/inbound.ts'
import { entryBy } from '../../model/audit-entry.ts'
import type { Area, Party } from '../../model/change.ts'
import { no, ok, type Result } from '../../model/result.ts'
import { isConfirmOnly } from '../../policy/clauses.ts'
import { explainDecision } from '../../policy/explain.ts'
import { type Explained, explanationView, type LookUp, lookUpView } from '../../policy/explain-view.ts'
import { whoMayRun, whyNobody } from '../../policy/listed.ts'
import {
  approveNamesOf,
  mayApprove,
  mayRun,
  personNamed,
  personOf,
  rolesNow,
  spaceFrom,
} from '../../policy/people.ts'
import type { Person, Policy } from '../../policy/policy.ts'
import { whoCanView } from '../../policy/who-can.ts'
import { allAccountsOf } from '../../policy/workspaces.ts'
import { noSuchChange, type Refusal, refusal } from '../../view/refusals.ts'
import type { View } from '../../view/view.ts'
import { areaOf, intentOf, policyNamesOf, prepare } from '../asking/prepare.ts'
import { judge, judgedAgain, type Past, pastIn } from '../deciding/decide-clauses.ts'

/** What would happen to a line if somebody said it now, as people read it. */
export const explainLine: Core['explain'] = async (core, asker, line, as) => {
  const isTold = as === undefined && asker.known && asker.agent === undefined
  const named = isTold ? commandAlone(core, line) : undefined
  if (named !== undefined) return ok(whoCanView(core.policy, asker, named.name, named.names))
  const judged = await judgeLine(core, asker, line, as, await pastSeenBy(core, asker))
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
export const whyThisRule = async (core: Core, asker: Asker, button: string): Promise<Result<Reply>> => {
  const id = button.split('.')[0] ?? ''
  const change = await changeFor(core, asker, id)
  if (change === null || !(await sightOf(core, asker))(change)) return no(noSuchChange(id))
  const asked = judgedAgain(core, change)
  const today = await judge(core, pastIn(core.store), asked, 'ask')
  const decision = { ...today, rule: change.rule, clauses: change.clauses, warnings: change.warnings }
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
  await core.store.audit.append(entryBy(asker, 'ran', change, { line: `why this rule of ${change.id}` }))
  const { requester, amount } = change
  const title = `Why this needs ${isConfirmOnly(change.clauses) ? 'a confirmation' : 'approval'}: ${change.preview.title}`
  return ok({
    kind: 'answer',
    command: change.command,
    isDetails: true,
    view: explanationView({ line: title, requester, amount, decision, explanation, notes }),
  })
}

/** That the same was asked for before counts for everybody; by whom is for those who may see it. */
const pastSeenBy = async (core: Core, asker: Asker): Promise<Past> => {
  const [sees, past] = [await sightOf(core, asker), pastIn(core.store)]
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
  requester: Asker
  target: ChangeCommand
  /** Every name it goes by, and those under which somebody must be allowed to approve it. */
  names: string[]
  approveNames: readonly string[]
  amount: number | null
  intent: string
  area: Area
  movesMoney: boolean
}

/** Goes the way of a request up to the policy's decision, by the same functions; a look-up has no target. */
export const readRequest = async (
  core: Core,
  asker: Asker,
  line: string,
  as?: string,
): Promise<Result<LineRequest | Pick<LineRequest, 'requester'>>> => {
  const { policy, registry } = core
  const subject = as === undefined ? ok(asker) : subjectOf(policy, asker, as)
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
  const whose = requester === asker ? undefined : rolesOfOther(requester)
  const refused = whyNotFor(policy, asker, requester, names) ?? whyNotRunNow(policy, requester, about, whose)
  if (refused !== undefined) return no(refused)
  if (target.kind === 'query') return ok({ requester })
  const amount = await amountOf(core, requester, target, input)
  if (!amount.ok) return amount
  return ok({
    requester,
    target,
    names,
    approveNames: approveNamesOf(about),
    amount: amount.value,
    intent: intentOf(target, input),
    area: areaOf(target, input),
    movesMoney: movesMoney(target, input),
  })
}

/** What the policy would say to a line, and why, given what was asked before. It stores nothing. */
export const judgeLine = async (
  core: Core,
  asker: Asker,
  line: string,
  as?: string,
  past: Past = pastIn(core.store),
): Promise<Result<Explained | LookUp>> => {
  const { policy, store } = core
  const read = await readRequest(core, asker, line, as)
  if (!read.ok) return read
  const { requester } = read.value
  if (!('target' in read.value)) return ok({ line, requester })
  const { target, names, approveNames, amount, intent, area, movesMoney: isMoney } = read.value
  const decision = await judge(
    core,
    past,
    { id: '', names, area, movesMoney: isMoney, amount, intent, requester, createdAt: core.now() },
    'ask',
  )
  const frozen = await whyFrozen(store, area, requester)
  const explanation = explainDecision(
    policy,
    { names, approveNames, amount, requester, rolesOf: await rolesToday(core) },
    decision,
    decision.counted.spent,
  )
  const unlisted = whyNobody(policy, requester, decision.clauses)
  const notes = [
    ...[frozen, unlisted].flatMap((refused) => refused?.message ?? []),
    ...(target.bulk !== undefined && decision.counted.same !== null
      ? ['Whether the same was asked before can be told only when its items are collected.']
      : []),
  ]
  return ok({ line, requester, amount, decision, explanation, notes })
}

/** Somebody else's request is explained to whoever could run or approve it, and to whoever sits at the machine. */
const whyNotFor = (
  policy: Policy,
  asker: Asker,
  requester: Asker,
  names: readonly string[],
): Refusal | undefined =>
  requester.person === asker.person ||
  asker.operator !== undefined ||
  mayRun(policy, asker, names) ||
  mayApprove(policy, asker, names)
    ? undefined
    : refusal('may_not_run', `You may neither run nor approve ${names[0]}, whoever asks for it.`, {
        next: asker.known ? whoMayRun(policy, asker, names) : 'Ask an administrator for the role.',
      })

/** Only what moves money is prepared: nothing else of a plan is asked about by the policy. */
const amountOf = async (
  core: Core,
  asker: Asker,
  definition: ChangeCommand,
  input: Input,
): Promise<Result<number | null>> => {
  if (definition.amountOf === undefined) return ok(null)
  const prepared = await prepare(core, asker, definition, input)
  return prepared.ok ? ok(prepared.value.amount) : prepared
}

/** Somebody of the file, as if they asked from the terminal, or one of its agents. */
const subjectOf = (policy: Policy, asker: Asker, as: string): Result<Asker> => {
  const id = personNamed(policy, as)
  if (id === asker.person) return ok(asker)
  const agent = policy.agents.find((one) => [one.id, one.name].includes(as.trim()))
  const [platform, account] = Object.entries(agent?.accounts ?? { terminal: id })[0] ?? ['terminal', id]
  const person = personOf(policy, { platform, account, groups: [] })
  return person.known
    ? ok({ ...person, platform, account, ...defined({ space: spaceFrom(policy, { platform, account }) }) })
    : no(
        refusal('bad_value', `as: nobody in the policy file goes by "${as.slice(0, 40)}".`, {
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
