import { defined } from '../../lib/defined.ts'
import { madeOnce } from '../../lib/made-once.ts'
import { theirs } from '../../lib/view/outside.ts'
import { managerWord } from '../law/clauses.ts'
import type { AskedPerson, Change, Party, Platform } from '../model/change.ts'
import { meantAmong } from '../model/meant.ts'
import { type Space, spaceOfId } from '../model/workspace.ts'
import { outsideGroupsIn } from './outside-groups.ts'
import { isAnyMatch } from './pattern.ts'
import type { Person, Policy, Role, RolesByGroup } from './policy.ts'
import { allAccountsOf, homeOf, isListedIn } from './workspaces.ts'

export type Account = {
  platform: Platform
  account: string
  /** Where the account is from, if the bot is not installed there. */
  workspace?: string | undefined
  /** The ids of the messenger's groups that the account is in; of another messenger with its name before them. */
  groups: readonly string[]
  /** What the platform calls them, for people whom the file does not list. */
  name?: string
}

export type PolicyPerson = {
  /** The id in the file, or `platform:account` for somebody it does not list; ids in the file hold no colon. */
  person: string
  name: string
  known: boolean
  roles: readonly string[]
  /** The groups outside of messengers that they are in now. */
  within?: readonly string[]
  /** The id of the agent that speaks in this person's name. */
  agent?: string | undefined
}

/** Who an account is to the policy: one person whichever messenger they use. */
export function personOf(
  policy: Policy,
  { platform, account, workspace, groups, name }: Account,
): PolicyPerson {
  if (workspace !== undefined) return strangerFrom(workspace, { platform, account, name })
  const agent = agentAt(policy, platform, account)
  if (agent !== undefined) return behindAgent(policy, agent)
  const person = listedAs(policy, platform, account)
  const byGroup = groups.flatMap((group) => rolesOfGroup(policy, platform, group))
  return {
    person: person?.id ?? `${platform}:${account}`,
    name: person?.name ?? unlistedName(name, account),
    known: person !== undefined,
    roles: withGrants(policy, person?.id, [...new Set([...(person?.roles ?? []), ...byGroup])]),
    ...defined({ within: person?.within }),
  }
}

const byAccount = new WeakMap<readonly Person[], Map<string, Person>>()

/** Somebody of the file; with hundreds of people, each look is as short as with few. */
const listedAs = ({ people }: Policy, platform: Platform, account: string): Person | undefined => {
  const pairs = (person: Person) =>
    allAccountsOf(person).map(({ platform: where, account: id }) => [`${where}:${id}`, person] as const)
  const known = madeOnce(byAccount, people, () => new Map(people.toReversed().flatMap(pairs)))
  return known.get(`${platform}:${account}`)
}

const agentAt = ({ agents }: Policy, platform: Platform, account: string) =>
  agents.find(
    ({ accounts, elsewhere }) =>
      own(accounts, platform) === account ||
      elsewhere?.some((one) => one.platform === platform && one.account === account),
  )

/** Which of the bot's workspaces somebody speaks in; where their messenger has none, the one that they are at home in. */
export const spaceFrom = (
  policy: Policy,
  { platform, account }: Pick<Party, 'platform' | 'account'>,
): Space => {
  const said = spaceOfId(platform, account)
  if (said !== undefined) return said
  const agent = agentAt(policy, platform, account)
  if (agent !== undefined)
    return isWorkflow(policy, platform, account) ? undefined : homeOf(policy, agent.owner)
  return listedAs(policy, platform, account)?.id === account ? homeOf(policy, account) : undefined
}

/** To budgets, to duplicates and to whoever decides, an agent is its owner; what it may run and see is its own. */
const behindAgent = (policy: Policy, { id, name, owner, roles }: Policy['agents'][number]): PolicyPerson => ({
  person: owner,
  name: `${name} (agent of ${policy.people.find((one) => one.id === owner)?.name ?? owner})`,
  known: policy.people.some((one) => one.id === owner),
  roles: withGrants(policy, id, roles),
  agent: id,
})

/**
 * A grant is a role that one person or agent has, of a name that no role of the file can have: whatever asks for the roles of
 * somebody knows what they were given, and here alone it comes in.
 */
const withGrants = (
  { granted = [] }: Policy,
  holder: string | undefined,
  roles: readonly string[],
): readonly string[] => {
  const own = granted.filter(
    (one) =>
      one.holder === holder &&
      one.run.length > 0 &&
      (one.to.length === 0 || one.to.some((role) => roles.includes(role))),
  )
  return own.length === 0 ? roles : [...new Set([...roles, ...own.map(grantRoleOf)])]
}

const grantRoleOf = ({ id }: { id: string }): string => `grant ${id}`
export const isGrantRole = (role: string): boolean => role.startsWith('grant ')

/** Whether this is where workflows ask: nobody can be told anything there. */
export const isWorkflow = (policy: Policy, platform: Platform, account: string): boolean =>
  'workflow' in (agentAt(policy, platform, account)?.token ?? {})

export const agentsWithOwners = ({ agents, people }: Policy): { name: string; owner: string }[] =>
  agents.map(({ name, owner }) => ({ name, owner: people.find(({ id }) => id === owner)?.name ?? owner }))

/** An account is a workspace and a user: the id of a listed person from elsewhere is somebody else. */
const strangerFrom = (
  workspace: string,
  { platform, account, name }: Omit<Account, 'groups' | 'name'> & { name: string | undefined },
): PolicyPerson => ({
  person: `${platform}:${workspace}:${account}`,
  name: unlistedName(name, `${account} of ${workspace}`),
  known: false,
  roles: [],
})

/** With the account beside it, so that nobody passes for a listed person by taking their name. */
const unlistedName = (name: string | undefined, account: string): string => {
  const own = name?.trim() ?? ''
  return own === '' || own === account ? account : `${theirs(own)} (${account})`
}

/** Who somebody is by today's file: accounts may have been linked since they asked or voted. */
export const personNow = (policy: Policy, party: Party): string =>
  personOf(policy, { ...party, groups: [] }).person

/**
 * The roles that somebody has now: those of the file, and those of the groups that they are in. Where nobody could say
 * which groups that is, the roles that they had and that some group still gives.
 */
export const rolesNow = (
  policy: Policy,
  party: Party,
  groups: readonly string[] | undefined,
): readonly string[] => {
  const { roles } = personOf(policy, { ...party, groups: groups ?? [] })
  if (groups !== undefined) return roles
  const platforms = accountsInGroups(policy, party).map(({ platform }) => platform)
  const byGroup = new Set(platforms.flatMap((platform) => Object.values(groupsOn(policy, platform)).flat()))
  const kept = party.roles.filter((role) => byGroup.has(role))
  const holder = agentAt(policy, party.platform, party.account)?.id ?? personNow(policy, party)
  return withGrants(policy, holder, [...new Set([...roles, ...kept])])
}

/** `platform:group`, for a group of another messenger than the one that somebody speaks through. */
export const groupOf = (platform: Platform, group: string): string => `${platform}:${group}`

export const rolesOfGroup = (policy: Policy, platform: Platform, group: string): readonly string[] => {
  const at = group.indexOf(':')
  const [where, id] = at === -1 ? [platform, group] : [group.slice(0, at), group.slice(at + 1)]
  return own(groupsOn(policy, where), id) ?? []
}

/**
 * The accounts whose groups give somebody roles: their own, or, where accounts are the ids of people and there are no
 * groups, those that the file lists for them.
 */
export const accountsInGroups = (
  policy: Policy,
  { platform, account, workspace }: Pick<Party, 'platform' | 'account' | 'workspace'>,
): { platform: Platform; account: string }[] => {
  if (workspace !== undefined) return []
  const person = listedAs(policy, platform, account)
  const isById = person !== undefined && person.id === account
  const all = isById ? allAccountsOf(person) : [{ platform, account }]
  return all.filter((one) => Object.keys(groupsOn(policy, one.platform)).length > 0)
}

/** Under which names somebody must be allowed to approve a change; one of them is enough. */
export const approveNamesOf = ({
  names,
  standsFor,
}: Pick<Change, 'names' | 'standsFor'>): readonly string[] => standsFor ?? names

/** All groups that somebody who speaks there may be in, as they are asked for. */
export const groupsAsked = (policy: Policy, platform: Platform): string[] => [
  ...Object.keys(groupsOn(policy, platform)),
  ...outsideGroupsIn(policy),
]

/** The groups of a messenger that give roles. */
export const groupsOn = (policy: Policy, platform: Platform): RolesByGroup =>
  own(policy.groups, platform) ?? {}

/** Whether they may ask for it, under any of its names. */
export const mayRun = (policy: Policy, who: Pick<PolicyPerson, 'roles'>, names: readonly string[]): boolean =>
  isAnyMatch(policy.everyone.run, names) || rolesOf(policy, who).some((role) => isAnyMatch(role.run, names))

/** Whether they may approve or reject it when somebody else asks. */
export const mayApprove = (
  policy: Policy,
  who: Pick<PolicyPerson, 'roles'>,
  names: readonly string[],
): boolean => rolesOf(policy, who).some((role) => isAnyMatch(role.approve, names))

/** Whoever the file names or, if it names nobody, those of its people with a role that may take a changed file in. */
export const administratorsOf = (policy: Policy): Person[] =>
  policy.people.filter(({ id, roles }) => isAdministrator(policy, { person: id, known: true, roles }))

/** An agent is its owner to others, and no administrator. */
export const isAdministrator = (
  policy: Policy,
  { person, known, agent, roles }: Pick<PolicyPerson, 'person' | 'known' | 'roles' | 'agent'>,
): boolean => {
  if (!known || agent !== undefined) return false
  return policy.administrators.length > 0
    ? policy.administrators.includes(person)
    : rolesOf(policy, { roles }).some((role) => isAnyMatch(role.run, ['policy reload']))
}

/**
 * Whom `from: [manager]` asks about what somebody wants in a workspace: nobody, if the file names none who is listed there;
 * undefined where that is a role.
 */
export const managersOf = (policy: Policy, id: string, space: Space): AskedPerson[] | undefined => {
  const { people, roles } = policy
  if (Object.hasOwn(roles, managerWord)) return undefined
  const manager = people.find((one) => one.id === id)?.manager
  const found = people.find(
    (one) => one.id === manager && one.id !== id && isListedIn(policy, one.id, { requester: { space } }),
  )
  return found === undefined ? [] : [{ person: found.id, name: found.name, as: 'manager' }]
}

/** Asks once for each list of roles: those who have the same share one list. */
export const onceForRoles = (
  isTrue: (roles: readonly string[]) => boolean,
): ((roles: readonly string[]) => boolean) => {
  const known = new Map<readonly string[], boolean>()
  return (roles) => madeOnce(known, roles, () => isTrue(roles))
}

/** The roles of somebody that another person may vote with while they are away. */
export const delegatedRoles = (policy: Policy, roles: readonly string[]): string[] =>
  roles.filter((role) => own(policy.roles, role)?.delegate === true)

/** Who is meant by an id, a name, a first name that is one person's, or an account; what nobody here goes by stays as it is. */
export const personNamed = ({ people }: Policy, written: string): string => {
  const key = written.trim().toLowerCase()
  const isKey = (word: string) => word.toLowerCase() === key
  if (people.some(({ id }) => id === written)) return written
  const [known] = meantAmong(
    people,
    ({ id }) => isKey(id),
    (one) => allAccountsOf(one).some(({ account }) => isKey(account)),
    ({ name }) => isKey(name),
  )
  const [first, ...others] = people.filter(({ name }) => name.split(' ')[0]?.toLowerCase() === key)
  return known?.id ?? (others.length === 0 ? first?.id : undefined) ?? written.trim()
}

const rolesOf = (policy: Policy, who: Pick<PolicyPerson, 'roles'>): Role[] =>
  who.roles.flatMap((name) => own(policy.roles, name) ?? grantAsRole(policy, name) ?? [])

const grantAsRole = ({ granted = [] }: Policy, name: string): Role | undefined => {
  const grant = granted.find((one) => grantRoleOf(one) === name)
  return grant && { run: grant.run, approve: [] }
}

/** Names come from outside, and `constructor` is in every object's prototype. */
const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined
