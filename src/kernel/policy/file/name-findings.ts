import { isDeepStrictEqual } from 'node:util'
import { didYouMean } from '../../../lib/view/did-you-mean.ts'
import { managerWord } from '../../law/clauses.ts'
import { workspaceIn } from '../../model/workspace.ts'
import { isAnyMatch, isMatch } from '../pattern.ts'
import type { AmountRange } from '../policy.ts'
import { asksManager, commandNamesOf, isMoney, type PolicyDraft } from './draft.ts'
import { type Finding, inWords, someOf } from './schema-findings.ts'
import type { Path } from './source.ts'
import { hasAccounts } from './values.ts'

/** Names that mean nothing, things said twice, and rules that contradict themselves. */
export const checkFindings = (draft: PolicyDraft): Finding[] => [
  ...roleNames(draft),
  ...commandPatterns(draft),
  ...identities(draft),
  ...unlistedWorkspaces(draft),
  ...agentFindings(draft),
  ...administratorFindings(draft),
  ...managerFindings(draft),
  ...uniqueNames(draft.policies, 'policies'),
  ...uniqueNames(draft.budgets, 'budgets'),
  ...amounts(draft),
  ...unguardedMoney(draft),
  ...emptyBudgets(draft),
  ...endlessSteps(draft),
]

function roleNames(draft: PolicyDraft): Finding[] {
  const known = Object.keys(draft.roles)
  const expected = known.length > 0 ? `Expected one of: ${known.join(', ')}.` : 'Expected it under roles.'
  const lists: [Path, readonly (string | undefined)[]][] = [
    ...draft.people.map((person, at): [Path, string[]] => [['people', at, 'roles'], person.roles ?? []]),
    ...draft.agents.map((agent, at): [Path, string[]] => [['agents', at, 'roles'], agent.roles ?? []]),
    ...Object.entries(draft.groups).flatMap(([platform, groups]) =>
      Object.entries(groups).map(([group, roles]): [Path, string[]] => [['groups', platform, group], roles]),
    ),
    ...draft.demands.map(({ path, need }): [Path, (string | undefined)[]] => [
      [...path, 'from'],
      need.from.map((role) => (asksManager(draft, [role]) ? undefined : role)),
    ]),
    ...draft.policies.map(({ escalate }, at): [Path, string[]] => [
      ['policies', at, 'escalate', 'to'],
      escalate?.to ?? [],
    ]),
    [['emergency', 'from'], draft.emergency.from ?? []],
    ...draft.named.flatMap(({ roles }) => roles),
  ]
  return lists.flatMap(([path, roles]) =>
    roles.flatMap((role, at) =>
      role === undefined || known.includes(role)
        ? []
        : [{ path: [...path, at], message: `unknown role "${role}" in ${inWords(path)}. ${expected}` }],
    ),
  )
}

function commandPatterns(draft: PolicyDraft): Finding[] {
  const names = draft.commands.map(({ name }) => name)
  const known = [...new Set(names.flatMap((name) => [`${name.split(' ')[0]} *`, name]))]
  const lists: [Path, readonly string[]][] = [
    ...Object.entries(draft.roles).flatMap(([role, may]): [Path, string[]][] => [
      [['roles', role, 'run'], may.run ?? []],
      [['roles', role, 'approve'], may.approve ?? []],
    ]),
    [['everyone', 'run'], draft.everyone.run ?? []],
    ...draft.policies.map((rule, at): [Path, string[]] => [
      ['policies', at, 'commands'],
      rule.commands ?? [],
    ]),
    ...draft.budgets.map((one, at): [Path, string[]] => [['budgets', at, 'commands'], one.commands ?? []]),
    [['emergency', 'commands'], draft.emergency.commands ?? []],
    ...draft.named.flatMap(({ commands }) => commands),
  ]
  return lists.flatMap(([path, patterns]) =>
    patterns.flatMap((pattern, at) => {
      if (names.some((name) => isMatch(pattern, name))) return []
      const guess = didYouMean(pattern.replace(/^\//, ''), known)
      const hint = guess
        ? `Did you mean "${guess}"?`
        : 'Expected a command such as "campaign send", all of a noun such as "campaign *", or "*".'
      return [{ path: [...path, at], message: `unknown command "${pattern}" in ${inWords(path)}. ${hint}` }]
    }),
  )
}

/** Four eyes mean nothing if one account could be two people, or one person two. */
function identities(draft: PolicyDraft): Finding[] {
  const keys = [
    { name: 'id', title: '' },
    { name: 'email', title: 'address' },
    ...draft.platforms.filter(hasAccounts).map(({ name, title }) => ({ name, title: `${title} account` })),
  ]
  return keys.flatMap(({ name: key, title }) => {
    const owners = new Map<string, string>()
    return draft.people.flatMap((person: Record<string, unknown>, at) => {
      const here = typeof person.id === 'string' ? person.id : `people[${at}]`
      return [person[key]].flat().flatMap((account): Finding[] => {
        if (typeof account !== 'string') return []
        const owner = owners.get(account)
        if (owner === undefined) {
          owners.set(account, here)
          return []
        }
        return [
          {
            path: ['people', at, key],
            message:
              key === 'id'
                ? `two people have the id "${account}". Expected each id once, with all accounts of that person.`
                : `the ${title} "${account}" belongs to both ${owner} and ${here}. Expected each ${key === 'email' ? 'address' : 'account'} on one person.`,
          },
        ]
      })
    })
  })
}

/** An id of a workspace that the bot does not work in is a slip, or gives somebody rights that nobody looks at. */
function unlistedWorkspaces({ platforms, people, groups, approvals, workspaces }: PolicyDraft): Finding[] {
  return platforms.filter(hasAccounts).flatMap(({ name, title, accounts }) => {
    const listed = workspaces[name] ?? []
    const isOpen = listed.some((id) => accounts.workspace?.isOrganization?.(id))
    const written: [Path, string][] = [
      ...people.flatMap((person: Record<string, unknown>, at) =>
        [person[name]]
          .flat()
          .filter((id) => typeof id === 'string')
          .map((id): [Path, string] => [['people', at, name], id]),
      ),
      ...Object.keys(groups[name] ?? {}).map((id): [Path, string] => [['groups', name, id], id]),
      ...(approvals[name] ?? []).map((id): [Path, string] => [['approvals', name], id]),
    ]
    return written.flatMap(([path, id]): Finding[] => {
      const workspace = workspaceIn(id)
      if (workspace === undefined || isOpen || listed.includes(workspace)) return []
      const expected = `Expected ${workspace} in the list workspaces.${name}: ${listed.join(', ') || 'there is none'}`
      return [{ path, message: `"${id}" is of a ${title} workspace that is not listed. ${expected}.` }]
    })
  })
}

/** Somebody answers for every agent, and no two of them, nor a person and an agent, can be taken for each other. */
const unknownPerson = (id: string, where: string, ids: readonly string[]): string =>
  `unknown person "${id}" in ${where}. Expected the id of somebody under people: ${ids.join(', ') || 'there is nobody'}.`

function administratorFindings({ administrators, people }: PolicyDraft): Finding[] {
  const ids = people.flatMap(({ id }) => id ?? [])
  return administrators.flatMap((id, at): Finding[] =>
    ids.includes(id)
      ? []
      : [{ path: ['administrators', at], message: unknownPerson(id, `administrators[${at}]`, ids) }],
  )
}

function managerFindings({ people, roles }: PolicyDraft): Finding[] {
  const ids = people.flatMap(({ id }) => id ?? [])
  return people.flatMap(({ id, manager }, at): Finding[] => {
    const path = ['people', at, 'manager']
    if (manager === undefined) return []
    if (!ids.includes(manager))
      return [{ path, message: unknownPerson(manager, `people[${at}].manager`, ids) }]
    if (manager === id) return [{ path, message: `"${id}" is their own manager. Expected somebody else.` }]
    return Object.hasOwn(roles, managerWord)
      ? [
          {
            path,
            message:
              'there is a role "manager" too, so nobody could tell whom from: [manager] asks. Expected another name for the role.',
          },
        ]
      : []
  })
}

function agentFindings({ agents, people }: PolicyDraft): Finding[] {
  const ids = people.flatMap(({ id }) => id ?? [])
  return agents.flatMap(({ id, owner, token }, at): Finding[] => {
    const before = agents.slice(0, at)
    const twice = (key: string, message: string): Finding => ({ path: ['agents', at, key], message })
    return [
      ...(id === undefined || !(ids.includes(id) || before.some((other) => other.id === id))
        ? []
        : [
            twice(
              'id',
              `"${id}" is the id of ${ids.includes(id) ? 'a person' : 'another agent'}. Expected each id once.`,
            ),
          ]),
      ...(owner === undefined || ids.includes(owner)
        ? []
        : [twice('owner', unknownPerson(owner, `agents[${at}].owner`, ids))]),
      ...(token === undefined || !before.some((other) => isDeepStrictEqual(other.token, token))
        ? []
        : [twice('token', 'two agents have the same token. Expected one for each: it says who asks.')]),
    ]
  })
}

function uniqueNames(list: readonly { name?: string }[], section: string): Finding[] {
  const seen = new Set<string>()
  return list.flatMap((one, at) => {
    if (one.name === undefined) return []
    if (seen.has(one.name))
      return {
        path: [section, at, 'name'],
        message: `two ${section} have the name "${one.name}". Expected each name once: the audit log tells them apart by it.`,
      }
    seen.add(one.name)
    return []
  })
}

const amounts = (draft: PolicyDraft): Finding[] =>
  draft.policies.flatMap((rule, at) => {
    const [wrong, expected] = rule.amount ? mistakeIn(rule.amount) : []
    const message = `${wrong} in policies[${at}].amount. Expected ${expected}.`
    return wrong ? { path: ['policies', at, 'amount'], message } : []
  })

function mistakeIn({ from, over, upTo }: AmountRange): [string, string] | [] {
  if (from === undefined && over === undefined && upTo === undefined)
    return ['nothing is said', 'upTo, over or from']
  if (from !== undefined && over !== undefined) return ['both from and over are said', 'one lower end']
  if (upTo !== undefined && from !== undefined && upTo < from)
    return [`no amount is from ${from} and up to ${upTo}`, 'an upTo that is not below from']
  if (upTo !== undefined && over !== undefined && upTo <= over)
    return [`no amount is over ${over} and up to ${upTo}`, 'an upTo above over']
  return []
}

function unguardedMoney(draft: PolicyDraft): Finding[] {
  return draft.policies.flatMap((rule, at) => {
    if (rule.require?.length !== 0) return []
    const money = draft.commands.filter(
      (command) => isMoney(command) && isAnyMatch(rule.commands ?? [], commandNamesOf(command)),
    )
    if (money.length === 0) return []
    const some = someOf(money.map(({ name }) => name))
    return {
      path: ['policies', at, 'require'],
      message: `"none" in policies[${at}].require covers commands that move money: ${some}. Expected confirm or { approvals: 1, from: [role] } for them.`,
    }
  })
}

const emptyBudgets = (draft: PolicyDraft): Finding[] =>
  draft.budgets.flatMap((budget, at) =>
    budget.then?.length === 0
      ? {
          path: ['budgets', at, 'then'],
          message: `"none" in budgets[${at}].then makes the budget mean nothing. Expected confirm or { approvals: 1, from: [role] }.`,
        }
      : [],
  )

/** Reminders and escalation are about people who are asked to approve. */
const endlessSteps = (draft: PolicyDraft): Finding[] =>
  draft.policies.flatMap((rule, at) =>
    rule.require === undefined || rule.require.some(({ kind }) => kind === 'approvals')
      ? []
      : (['notify', 'remind', 'escalate'] as const)
          .filter((key) => rule[key] !== undefined)
          .map((key) => ({
            path: ['policies', at, key],
            on: 'key' as const,
            message: `${key} in policies[${at}] means nothing, because nobody is asked to approve. Expected it beside { approvals: 1, from: [role] }.`,
          })),
  )
