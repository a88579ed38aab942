import { isDeepStrictEqual } from 'node:util'
import { after, type Tick } from '../../lib/clock.ts'
import { madeOnce } from '../../lib/made-once.ts'
import { ok } from '../../lib/result.ts'
import { membersTask } from '../actors/absence.ts'
import { askGroups } from '../actors/membership.ts'
import type { Core } from '../core.ts'
import { hopedFor, standing } from '../law/standing.ts'
import type { Change } from '../model/change.ts'
import { groupsOn, rolesOfGroup } from '../policy/people.ts'
import type { Person, Policy } from '../policy/policy.ts'
import { allAccountsOf } from '../policy/workspaces.ts'
import { type StepCore, transition } from './transition.ts'

type MembersCore = StepCore & Pick<Core, 'policy' | 'messengers' | 'log' | 'ticks'>

/** However many requests hang on somebody, and however often one is asked for: a vote needs the messenger's answer more. */
const knownMs = 60_000
type Known = Map<string, { until: Tick; roles: Promise<readonly string[] | undefined> }>
const known = new WeakMap<Core['messengers'], WeakMap<Policy, Known>>()

/** Beyond so many people, whoever could be in a group counts as in it: messengers limit how often they are asked. */
const maxAsked = 50

/**
 * Whether enough people are left can hang on the groups of a messenger, of which no step knows. Then the messengers are asked,
 * person by person, and the request says how it stands with what they answer.
 */
export const askMembers = async (
  core: MembersCore,
  change: Change,
): Promise<{ change: Change; hangsOnGroups: boolean }> => {
  const { policy, store } = core
  const absences = await store.absences.active()
  const inDoubt = hopedFor(policy, change, absences).slice(0, maxAsked)
  if (inDoubt.length === 0) return { change, hangsOnGroups: false }
  const answers = await Promise.all(inDoubt.map(async (one) => [one.id, await lately(core, one)] as const))
  const told = answers.flatMap(([id, roles]) => (roles === undefined ? [] : [[id, [...roles]]]))
  const members: Change['members'] = { ...change.members, ...Object.fromEntries(told) }
  if (isDeepStrictEqual(standing(policy, { ...change, members }, absences), change.stuck))
    return { change, hangsOnGroups: true }
  const stands = await transition(core, change.id, async () => ok({ kind: 'stand', about: 'stuck', members }))
  return { change: stands.ok ? stands.value.change : change, hangsOnGroups: true }
}

const lately = (core: MembersCore, person: Person): Promise<readonly string[] | undefined> => {
  const ofBot = madeOnce(known, core.messengers, () => new WeakMap<Policy, Known>())
  const people = madeOnce(ofBot, core.policy, (): Known => new Map())
  const last = people.get(person.id)
  if (last !== undefined && core.ticks() < last.until) return last.roles
  const roles = rolesByGroups(core, person)
  people.set(person.id, { until: after(core.ticks(), knownMs), roles })
  return roles
}

/** Undefined where one of their messengers cannot be asked. */
const rolesByGroups = async (core: MembersCore, person: Person): Promise<string[] | undefined> => {
  const { policy } = core
  const accounts = allAccountsOf(person).filter(({ platform }) => hasGroups(policy, platform))
  const groupsNow = await askGroups(core, accounts)
  const roles = accounts.map((one) =>
    groupsNow(one)?.flatMap((group) => rolesOfGroup(policy, one.platform, group)),
  )
  return roles.includes(undefined) ? undefined : roles.flatMap((those) => those ?? [])
}

const hasGroups = (policy: Policy, platform: string): boolean =>
  Object.keys(groupsOn(policy, platform)).length > 0

/** A request is looked at by itself after its own steps, and then with all others. */
export const beginAskingMembers = async (core: MembersCore, asked: Change): Promise<void> => {
  const { hangsOnGroups } = await askMembers(core, asked)
  if (hangsOnGroups) await core.store.tasks.put(membersTask(core.now()))
}
