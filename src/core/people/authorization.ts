import type { Asker } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import { defined } from '../../defined.ts'
import type { Inbound } from '../../messenger/inbound.ts'
import type { Area, Change, FreezeArea, Party } from '../../model/change.ts'
import { partiesBehind } from '../../policy/behind-request.ts'
import { isConfirmOnly } from '../../policy/clauses.ts'
import { isFrozen, mayVote } from '../../policy/evaluate.ts'
import { whoMayRun, whyNotTwo } from '../../policy/listed.ts'
import { mayRun, personNow, personOf, spaceFrom } from '../../policy/people.ts'
import type { Policy } from '../../policy/policy.ts'
import { isOfAllWorkspaces, isOfWorkspace } from '../../policy/workspaces.ts'
import type { Store } from '../../storage/store.ts'
import { type Refusal, refusal } from '../../view/refusals.ts'
import type { Verb } from '../../view/view.ts'

export const askerOf = (policy: Policy, from: Inbound['from']): Asker => {
  const { operator, through } = from
  const person = personOf(policy, from)
  const said = operator === undefined ? '' : ` (said by ${operator} on the machine)`
  const by = through === undefined ? said : ` (through ${through})`
  return {
    ...person,
    // On cards and in the audit log, wherever the name stands.
    name: `${person.name}${by}`,
    // No agent of the file has such an id.
    ...(through === undefined ? {} : { agent: `${from.platform}:${through.toLowerCase()}` }),
    platform: from.platform,
    account: from.account,
    groups: from.groups,
    ...defined({ workspace: from.workspace, space: spaceFrom(policy, from), operator }),
  }
}

/** Whoever asks in somebody's name may also say in it what was asked back, and take it back. */
const forAskers: ReadonlySet<Verb> = new Set(['answer', 'cancel'])

/** A decision is worth something only if it is known whose it is. */
export const whyNoDecider = ({ operator, agent }: Asker, verb: Verb): Refusal | undefined => {
  if (agent !== undefined) return forAskers.has(verb) ? undefined : noAgentDecides
  if (verb === 'answer') return undefined
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
export const whyNotForAgents = ({ agent }: Asker, command: Command | undefined): Refusal | undefined => {
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
}: Asker): Party => ({
  person,
  name,
  platform,
  account,
  ...defined({ workspace, space, agent }),
  roles: [...roles],
})

/** Denies when no rule matches. Whoever reads it may be somebody else: then `whose` says so. */
export const whyNotRun = (
  policy: Policy,
  asker: Asker,
  names: readonly string[],
  whose = 'your roles',
): Refusal | undefined => {
  if (mayRun(policy, asker, names)) return undefined
  if (!asker.known && asker.roles.length === 0) {
    return refusal(
      'stranger',
      `Your ${asker.platform} account (${asker.account}) is not linked to anybody here.`,
    )
  }
  const message = `None of ${whose} (${asker.roles.join(', ') || 'none'}) may run ${names[0]}.`
  return refusal('may_not_run', message, asker.known ? { next: whoMayRun(policy, asker, names) } : {})
}

/** The right to ask for a change that was asked for: through a switch it takes the switch, and what it stands for. */
export const whyNotRunNow = (
  policy: Policy,
  asker: Asker,
  { command, names, standsFor }: Pick<Change, 'command' | 'names' | 'standsFor'>,
  whose?: string,
): Refusal | undefined =>
  standsFor === undefined
    ? whyNotRun(policy, asker, names, whose)
    : (whyNotRun(policy, asker, [command], whose) ?? whyNotRun(policy, asker, standsFor, whose))

/** In words for others. */
export const rolesOfOther = ({ name }: Pick<Party, 'name'>): string => `the roles of ${name}`

export const whyFrozen = async (
  { freezes: kept }: Pick<Store, 'freezes'>,
  area: Area,
  { agent }: Pick<Party, 'agent'>,
): Promise<Refusal | undefined> => {
  const freezes = await kept.all()
  const frozen = freezes.find((freeze) =>
    freeze.area === 'agents' ? agent !== undefined : isFrozen([{ area: freeze.area }], area),
  )
  if (frozen === undefined) return undefined
  const reason = frozen.reason ? `: ${frozen.reason}` : ''
  return refusal('frozen', `${frozenWords(frozen.area)} frozen by ${frozen.name}${reason}.`, {
    next: `Wait, or ask somebody who may run: unfreeze ${frozen.area}`,
  })
}

const frozenWords = (area: FreezeArea): string =>
  area === 'agents' ? 'Agents are' : `${area === 'all' ? 'All' : `The ${area}`} changes are`

/** Whether their roles are those of somebody who decides about such a change. */
export const isDecider = (
  policy: Policy,
  asker: Pick<Asker, 'person' | 'platform' | 'space' | 'roles'>,
  change: Change,
): boolean => mayVote(policy, asker, change)

/** Whether a vote of theirs would count: by their roles, and as one of two people whom the file lists. */
export const mayDecide = (policy: Policy, asker: Asker, change: Change): boolean =>
  isDecider(policy, asker, change) && whyNotTwo(policy, asker, change) === undefined

/** Whoever may run one of these is given the audit log of their workspaces. */
export const mayReadLog = (policy: Policy, asker: Pick<Asker, 'roles'>): boolean =>
  ['audit find', 'audit export', 'audit pack'].some((command) => mayRun(policy, asker, [command]))

/** Why somebody is not given what cannot be told apart by workspace; undefined where there is one, or they are of all. */
export const whyNotWhole = (policy: Policy, asker: Asker): Refusal | undefined =>
  isOfAllWorkspaces(policy, asker)
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
export const maySee = (policy: Policy, asker: Asker, change: Change): boolean => {
  const may = (command: string) => mayRun(policy, asker, [command])
  const own = partiesBehind(change).map((party) => ({ ...party, person: personNow(policy, party) }))
  if (own.some((requester) => isOwn(asker, { requester }))) return true
  if (!isOfWorkspace(policy, asker, change)) return false
  if (mayReadLog(policy, asker) || (change.pinned !== undefined && may('job list'))) return true
  const isPrivate =
    isConfirmOnly(change.clauses) && change.state !== 'unknown' && change.emergency === undefined
  return !isPrivate && (isDecider(policy, asker, change) || may('approval list'))
}

/** An agent asks in its owner's name, but what the owner asks for is not the agent's. */
export const isOwn = (
  asker: Pick<Asker, 'person' | 'agent'>,
  { requester }: Pick<Change, 'requester'>,
): boolean =>
  requester.person === asker.person && (asker.agent === undefined || asker.agent === requester.agent)
