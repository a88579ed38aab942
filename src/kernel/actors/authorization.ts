import { defined } from '../../lib/defined.ts'
import { verbs } from '../../lib/view/button-labels.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import type { Verb } from '../../lib/view/view.ts'
import type { Actor } from '../command/context.ts'
import type { ChangeCommand, Command, QueryCommand } from '../command/define.ts'
import { isConfirmOnly } from '../law/clauses.ts'
import type { Inbound } from '../messenger/inbound.ts'
import { type Area, type Change, isUnsettled, type Party } from '../model/change.ts'
import { freezeOn, frozenWords, unfreezeAction } from '../model/freeze.ts'
import { lossHolder } from '../model/store-loss.ts'
import { partiesBehind } from '../policy/behind-request.ts'
import { mayVote } from '../policy/evaluate.ts'
import { refuseUnlisted, whoMayRun } from '../policy/listed.ts'
import { isGrantRole, mayRun, personNow, personOf, spaceFrom } from '../policy/people.ts'
import type { Policy } from '../policy/policy.ts'
import { isOfAllWorkspaces, isOfWorkspace } from '../policy/workspaces.ts'
import type { Store } from '../store/store.ts'

export const actorOf = (policy: Policy, from: Inbound['from']): Actor => {
  const { operator, through } = from
  const person = personOf(policy, from)
  const said = operator === undefined ? '' : ` (said by ${operator} on the machine)`
  const by = through === undefined ? said : ` (through ${through})`
  return {
    ...person,
    // On cards and in the audit log, wherever the name stands.
    name: `${person.name}${by}`,
    agent: person.agent ?? from.agent ?? assistantOf(from),
    platform: from.platform,
    account: from.account,
    groups: [...from.groups, ...(person.within ?? [])],
    ...defined({ workspace: from.workspace, space: spaceFrom(policy, from), operator }),
  }
}

/** No agent of the file has such an id. */
const assistantOf = ({ platform, through }: Inbound['from']): string | undefined =>
  through === undefined ? undefined : `${platform}:${through.toLowerCase()}`

/** A decision is worth something only if it is known whose it is. */
export const refuseNonDecider = ({ operator, agent }: Actor, verb: Verb): Refusal | undefined => {
  // Whoever asks in somebody's name may also say in it what was asked back, and take it back.
  if (agent !== undefined) return verbs[verb].isFor === 'requester' ? undefined : noAgentDecides
  if (verbs[verb].does === 'talk' && verbs[verb].isFor === 'requester') return undefined
  return operator === undefined
    ? undefined
    : refusal('may_not_approve', 'Here nobody can tell who you are, so nothing is decided here.', {
        next: 'Decide in your messenger or in the console.',
      })
}

const noAgentDecides = refusal('may_not_approve', 'An agent asks; people decide.', {
  next: 'Wait for them: change_get tells how it stands.',
})

/** What no agent runs, whatever its roles: decisions, and what is about its owner in person. */
export const refuseToAgent = ({ agent }: Actor, command: Command | undefined): Refusal | undefined => {
  if (agent === undefined || command === undefined) return undefined
  if (command.kind === 'decision') return command.forAgents ? undefined : noAgentDecides
  return command.personal
    ? refusal('may_not_run', `${command.name} is for people, not for agents.`, {
        next: 'Ask the owner of this agent to run it.',
      })
    : undefined
}

export const partyOf = ({
  person,
  name,
  platform,
  account,
  workspace,
  space,
  agent,
  roles,
}: Actor): Party => ({
  person,
  name,
  platform,
  account,
  ...defined({ workspace, space, agent }),
  roles: [...roles],
})

/** Denies when no rule matches. Whoever reads it may be somebody else: then `whose` says so. */
export const refuseToRun = (
  policy: Policy,
  actor: Actor,
  names: readonly string[],
  whose = 'your roles',
): Refusal | undefined => {
  if (mayRun(policy, actor, names)) return undefined
  if (!actor.known && actor.roles.length === 0) {
    return refusal(
      'stranger',
      `Your ${actor.platform} account (${actor.account}) is not linked to anybody here.`,
    )
  }
  const roles = actor.roles.filter((role) => !isGrantRole(role))
  const message = `None of ${whose} (${roles.join(', ') || 'none'}) may run ${names[0]}.`
  return refusal('may_not_run', message, actor.known ? { next: whoMayRun(policy, actor, names) } : {})
}

/** What a switch chose takes the right to what it stands for, beside that to the switch. */
export const refuseRow = (
  policy: Policy,
  actor: Actor,
  target: Command | QueryCommand | ChangeCommand,
): Refusal | undefined => {
  const names = target.kind === 'change' || target.kind === 'query' ? (target.sameAs ?? []) : []
  return names.length === 0 ? undefined : refuseToRun(policy, actor, names)
}

/** The right to ask for a change that was asked for: through a switch it takes the switch, and what it stands for. */
export const refuseToRunNow = (
  policy: Policy,
  actor: Actor,
  { command, names, standsFor }: Pick<Change, 'command' | 'names' | 'standsFor'>,
  whose?: string,
): Refusal | undefined =>
  standsFor === undefined
    ? refuseToRun(policy, actor, names, whose)
    : (refuseToRun(policy, actor, [command], whose) ?? refuseToRun(policy, actor, standsFor, whose))

/** In words for others. */
export const rolesOfOther = ({ name }: Pick<Party, 'name'>): string => `the roles of ${name}`

export const refuseFrozen = async (
  { freezes: kept }: Pick<Store, 'freezes'>,
  area: Area,
  party: Pick<Party, 'agent'>,
): Promise<Refusal | undefined> => {
  const freezes = await kept.all()
  const frozen = freezeOn(freezes, area, party)
  if (frozen === undefined) return undefined
  const next = `Wait, or ask somebody who may run: unfreeze ${frozen.area}`
  const reason = frozen.reason ? `: ${frozen.reason}` : ''
  const said =
    frozen.by === lossHolder
      ? refusal('store_lost', `${frozen.reason}. Nothing is changed until people have looked.`, { next })
      : refusal('frozen', `${frozenWords(frozen.area)} frozen by ${frozen.name}${reason}.`, { next })
  return { ...said, actions: [unfreezeAction(frozen)] }
}

/** Whether their roles are those of somebody who decides about such a change. */
export const isDecider = (
  policy: Policy,
  actor: Pick<Actor, 'person' | 'platform' | 'space' | 'roles'>,
  change: Change,
): boolean => mayVote(policy, actor, change)

/** Whether a vote of theirs would count: by their roles, and as one of two people whom the file lists. */
export const mayDecide = (policy: Policy, actor: Actor, change: Change): boolean =>
  isDecider(policy, actor, change) && refuseUnlisted(policy, actor, change) === undefined

/** Whoever may run one of these is given the audit log of their workspaces. */
export const mayReadLog = (policy: Policy, actor: Pick<Actor, 'roles'>): boolean =>
  ['audit find', 'audit export', 'audit pack'].some((command) => mayRun(policy, actor, [command]))

/** Why somebody is not given what cannot be told apart by workspace; undefined where there is one, or they are of all. */
export const refusePartial = (policy: Policy, actor: Actor): Refusal | undefined =>
  isOfAllWorkspaces(policy, actor)
    ? undefined
    : refusal(
        'may_not_run',
        'This is of all workspaces together, and bellhop.yml does not list you in each of them.',
        {
          next: 'Look at your own with audit find, or ask somebody who is listed in all of them.',
        },
      )

/**
 * Who may know of a change: whoever asked for it, those who decide about it, and those who may list requests, as long as
 * they are of its workspace. What somebody confirms alone is theirs alone, until nobody knows what became of it. Whoever may read the audit log reads
 * all of it there, and whoever may look at jobs sees long work.
 */
export const maySee = (policy: Policy, actor: Actor, change: Change): boolean => {
  const may = (command: string) => mayRun(policy, actor, [command])
  const own = partiesBehind(change).map((party) => ({ ...party, person: personNow(policy, party) }))
  if (own.some((requester) => isOwn(actor, { requester }))) return true
  if (!isOfWorkspace(policy, actor, change)) return false
  if (mayReadLog(policy, actor) || (change.pinned !== undefined && may('job list'))) return true
  const isPrivate =
    isConfirmOnly(change.clauses) && !isUnsettled(change.state) && change.emergency === undefined
  return !isPrivate && (isDecider(policy, actor, change) || may('approval list'))
}

/** An agent asks in its owner's name, but what the owner asks for is not the agent's. */
export const isOwn = (
  actor: Pick<Actor, 'person' | 'agent'>,
  { requester }: Pick<Change, 'requester'>,
): boolean =>
  requester.person === actor.person && (actor.agent === undefined || actor.agent === requester.agent)
