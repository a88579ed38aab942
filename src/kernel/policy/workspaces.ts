import { madeOnce } from '../../lib/made-once.ts'
import type { Party, Platform } from '../model/change.ts'
import { type Space, spaceOfId } from '../model/workspace.ts'
import type { ByPlatform, Person, Policy } from './policy.ts'

type Requested = { requester: Pick<Party, 'space'> }

/** Somebody who speaks: that they have a platform tells them from a person of the file, who need not speak anywhere. */
type Speaker = Pick<Party, 'person' | 'platform' | 'space'>

/**
 * Whether somebody is of the workspace that a change was asked in: by speaking there, or because the file lists them there.
 * Nobody else sees it, is told of it or decides about it, whatever their roles.
 */
export const isOfWorkspace = (policy: Policy, { person, space }: Speaker, change: Requested): boolean =>
  space === change.requester.space || isListedIn(policy, person, change)

/** The same for somebody of the file who is to be told or asked. */
export const isListedIn = (policy: Policy, person: string, { requester }: Requested): boolean =>
  spacesOf(policy, person).has(requester.space)

const known = new WeakMap<readonly Person[], Map<string, ReadonlySet<Space>>>()

/** The workspaces that the file lists somebody in: those of their accounts, and the first for whoever has none. */
const spacesOf = ({ people }: Policy, id: string): ReadonlySet<Space> => {
  const byId = madeOnce(
    known,
    people,
    () => new Map(people.map((one) => [one.id, new Set(spacesIn(one)) as ReadonlySet<Space>])),
  )
  return byId.get(id) ?? nowhere
}
const nowhere: ReadonlySet<Space> = new Set()

/** The first one before all others, as somebody who is there is at home there. */
const spacesIn = (person: Pick<Person, 'id' | 'accounts' | 'elsewhere'>): Space[] => {
  const spaces = allAccountsOf(person)
    // Where accounts are people's ids, as in the console, they are of no workspace.
    .filter(({ account }) => account !== person.id)
    .map(({ platform, account }) => spaceOfId(platform, account))
  if (spaces.length === 0 || spaces.includes(undefined)) return [undefined, ...spaces]
  return spaces
}

/** All accounts of somebody, the first of each messenger first. */
export const allAccountsOf = ({
  accounts,
  elsewhere = [],
}: Pick<Person, 'accounts' | 'elsewhere'>): { platform: Platform; account: string }[] => [
  ...Object.entries(accounts).map(([platform, account]) => ({ platform, account })),
  ...elsewhere,
]

/** The accounts of somebody that are in a workspace, by messenger; those by people's ids are everywhere. */
export const accountsWithin = (
  person: Pick<Person, 'id' | 'accounts' | 'elsewhere'>,
  space: Space,
): ByPlatform<string> =>
  Object.fromEntries(
    allAccountsOf(person)
      .filter(({ platform, account }) => account === person.id || spaceOfId(platform, account) === space)
      .map(({ platform, account }) => [platform, account]),
  )

/** Where somebody is at home whose messenger does not say where they speak: the first workspace, if they are there at all. */
export const homeOf = ({ people }: Pick<Policy, 'people'>, id: string): Space => {
  const person = people.find((one) => one.id === id)
  return person === undefined ? undefined : spacesIn(person)[0]
}

/** The approvals channel of each messenger in a workspace. */
export const approvalsIn = ({ approvals }: Pick<Policy, 'approvals'>, space: Space): [Platform, string][] =>
  approvals.flatMap(({ platform, channel }): [Platform, string][] =>
    spaceOfId(platform, channel) === space ? [[platform, channel]] : [],
  )

/**
 * Whether somebody is listed in every workspace that the file speaks of: what cannot be told apart by workspace, such as the
 * audit log as a whole, is for nobody else.
 */
export const isOfAllWorkspaces = (policy: Policy, speaker: Speaker): boolean =>
  policy.spaces.every((space) => isOfWorkspace(policy, speaker, { requester: { space } }))
