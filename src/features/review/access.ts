import { askGroups } from '../../kernel/actors/membership.ts'
import type { Core } from '../../kernel/core.ts'
import type { Party } from '../../kernel/model/change.ts'
import { outsideGroupsIn } from '../../kernel/policy/outside-groups.ts'
import { isAnyMatch } from '../../kernel/policy/pattern.ts'
import { groupsOn } from '../../kernel/policy/people.ts'
import type { Person, Policy } from '../../kernel/policy/policy.ts'
import { allAccountsOf } from '../../kernel/policy/workspaces.ts'
import type { DeedCount } from '../../kernel/store/audit.ts'
import { orAfter } from '../../lib/retry.ts'

/** How often a right was used, and when last. */
export type Use = { times: number; last: number | undefined }

/** What one person may do through one role, and what they did of it. */
export type AccessRow = {
  person: string
  name: string
  /** The messengers that they are gone from. */
  gone: string[]
  role: string
  /** How they have the role: by the file, or by a group. */
  through: string
  run: readonly string[]
  ran: Use
  approve: readonly string[]
  decided: Use
  /** The rules that ask this role. */
  rules: string[]
}

export type Access = {
  rows: AccessRow[]
  /** How many accounts could not be asked about. */
  unasked: number
}

const askWithinMs = 20_000
const atOnce = 8

/** Who may run and approve what, through which role, and how often they did since then. Those who are gone come first, then what was never used. */
export const accessSince = async (core: Core, since: number): Promise<Access> => {
  const { policy, store } = core
  const [counts, { gone, unasked }, groupsOf] = await Promise.all([
    store.audit.counts(since),
    goneFrom(core),
    groupsOfPeople(core),
  ])
  const byPerson = Map.groupBy(counts, ({ who }) => who)
  const rows = policy.people.flatMap((person) =>
    sourcesOf(policy, person, groupsOf(person)).map(({ role, through }): AccessRow => {
      const { run = [], approve = [] } = Object.hasOwn(policy.roles, role) ? (policy.roles[role] ?? {}) : {}
      const did = byPerson.get(person.id) ?? []
      return {
        person: person.id,
        name: person.name,
        gone: gone.get(person.id) ?? [],
        role,
        through,
        run,
        ran: useOf(did, run, requests),
        approve,
        decided: useOf(did, approve, decisions),
        rules: policy.policies.filter((rule) => asks(rule, role)).map(({ name }) => name),
      }
    }),
  )
  return { rows: rows.toSorted((one, other) => rankOf(one) - rankOf(other)), unasked }
}

const requests: ReadonlySet<string> = new Set(['asked', 'ran'])
const decisions: ReadonlySet<string> = new Set(['approved', 'rejected'])

const useOf = (did: readonly DeedCount[], patterns: readonly string[], kinds: ReadonlySet<string>): Use => {
  const used = did.filter(({ kind, command }) => kinds.has(kind) && isAnyMatch(patterns, [command]))
  return {
    times: used.reduce((sum, { n }) => sum + n, 0),
    last: used.length === 0 ? undefined : Math.max(...used.map(({ last }) => last)),
  }
}

export const isUnused = ({ ran, decided }: Pick<AccessRow, 'ran' | 'decided'>): boolean =>
  ran.times + decided.times === 0

const rankOf = (row: AccessRow): number => (row.gone.length > 0 ? 0 : isUnused(row) ? 1 : 2)

const asks = ({ require, escalate }: Policy['policies'][number], role: string): boolean =>
  (escalate?.to.includes(role) ?? false) ||
  require.some((need) => need.kind === 'approvals' && need.from.includes(role))

type Source = { role: string; through: string }

const sourcesOf = (policy: Policy, person: Person, groups: readonly string[]): Source[] => {
  const outside = outsideGroupsIn(policy)
  const ofGroups = groups.flatMap((group): Source[] => {
    const at = group.indexOf(':')
    const [platform, id] = [group.slice(0, at), group.slice(at + 1)]
    const through = outside.includes(group) ? `on duty in ${platform} ${id}` : `group ${platform} ${id}`
    return (groupsOn(policy, platform)[id] ?? []).map((role) => ({ role, through }))
  })
  const byGroup = new Set(
    ofGroups.flatMap(({ role, through }) => (through.startsWith('on duty') ? role : [])),
  )
  // Whoever is on duty has the role among theirs for as long as that is.
  const own = person.roles.filter((role) => person.within === undefined || !byGroup.has(role))
  return [...own.map((role) => ({ role, through: 'the file' })), ...ofGroups]
}

/** As `platform:group`, as far as the messengers say. */
const groupsOfPeople = async (core: Core): Promise<(person: Person) => string[]> => {
  const { policy } = core
  const parties = policy.people.flatMap((person) =>
    allAccountsOf(person)
      .filter(({ platform }) => Object.keys(groupsOn(policy, platform)).length > 0)
      .map((at): Party => ({ person: person.id, name: person.name, ...at, roles: [] })),
  )
  const groups = await askGroups(core, parties)
  const ofPerson = Map.groupBy(parties, ({ person }) => person)
  return ({ id, within = [] }) => [
    ...(ofPerson.get(id) ?? []).flatMap((party) =>
      (groups(party) ?? []).map((one) => `${party.platform}:${one}`),
    ),
    ...within,
  ]
}

/** By the ids of people, the messengers that they are gone from. */
const goneFrom = async ({
  policy,
  messengers,
  log,
}: Pick<Core, 'policy' | 'messengers' | 'log'>): Promise<{
  gone: Map<string, string[]>
  unasked: number
}> => {
  const gone = new Map<string, string[]>()
  const accounts = policy.people.flatMap((person) =>
    allAccountsOf(person).flatMap(({ platform, account }) => {
      const isGone = messengers.get(platform)?.isGone
      return isGone === undefined ? [] : [{ id: person.id, platform, ask: () => isGone(account) }]
    }),
  )
  let [next, asked] = [0, 0]
  const work = async (): Promise<void> => {
    for (let one = accounts[next++]; one !== undefined; one = accounts[next++]) {
      const { id, platform, ask } = one
      try {
        if (await ask()) gone.set(id, [...(gone.get(id) ?? []), platform])
        asked += 1
      } catch (error) {
        log.warn({ err: error, platform }, 'a messenger could not say whether an account is still there')
      }
    }
  }
  await orAfter(askWithinMs, undefined, Promise.all(Array.from({ length: atOnce }, work)))
  next = accounts.length
  return { gone, unasked: accounts.length - asked }
}
