import type { Inbound } from '../../src/kernel/messenger/inbound.ts'
import type { Budget, Need, Person, Policy, Rule } from '../../src/kernel/policy/policy.ts'
import { defaultGuesses } from '../../src/lib/services/endpoints/tables.ts'
import { pick } from '../random.ts'

type Random = () => number
export type Account = Pick<Inbound['from'], 'account' | 'workspace' | 'operator'> & {
  platform: 'slack' | 'discord' | 'console' | 'mcp' | 'terminal'
}

const roles = ['one', 'two', 'three'] as const
const groups = ['G1', 'G2', 'G3'] as const
const commands = [
  'pay',
  'repay',
  'note',
  'tie',
  'untie',
  'tag',
  'api *',
  'refund *',
  'subscriber *',
  'campaign *',
  'ticket *',
  '*',
] as const
const budgeted = ['pay', 'refund *', 'ticket *', 'api *', '*'] as const
const slackUsers = [1, 2, 3, 4, 5, 6]
const discordUsers = [1, 2, 5]
/** Ids as each messenger gives them; those of other histories are others. */
const slackId = (prefix: string, n: number): string => `${prefix.toUpperCase()}U${n}`
const discordId = (prefix: string, n: number): string => `${prefix.slice(1)}${n}`

/** Some are never listed, or only at times, and have what their groups give them. */
export const askersOf = (prefix: string): readonly Account[] => [
  ...slackUsers.map((n) => ({ platform: 'slack' as const, account: slackId(prefix, n) })),
  ...discordUsers.map((n) => ({ platform: 'discord' as const, account: discordId(prefix, n) })),
  ...[1, 4].map((n) => ({ platform: 'console' as const, account: `${prefix}p${n}` })),
  ...[1, 2].map((n) => ({ platform: 'mcp' as const, account: `${prefix}a${n}` })),
]

/** Everybody who ever decides, or tries: listed or not, wherever they are, a listed id from elsewhere, agents, the terminal. */
export const accountsOf = (prefix: string): readonly Account[] => [
  ...askersOf(prefix),
  { platform: 'slack', account: slackId(prefix, 2), workspace: 'T-other' },
  { platform: 'terminal', account: `${prefix}p3`, operator: 'root' },
]

/** What is so at this moment, whatever the bot has been told. */
export type World = {
  policy: Policy
  /** Who is in which groups of the messenger. */
  members: Map<string, readonly string[]>
  /** Whether the messengers answer. */
  isUp: boolean
  /** Whether Slack has said which workspace is ours: until then, nobody there can be told from a stranger. */
  isHomeKnown: boolean
  /** What there is to know of each customer that the address of the history could belong to. */
  links: Known[]
}

/** `word` is the last that somebody said and somebody else approved. */
export type Known = { word: 'on' | 'off' | undefined; billing: boolean; email: boolean; isWritten: boolean }
export const customers = [1, 2] as const

/** An account as it comes in: of a home that is not known, it is of nobody's workspace that is. */
export const arriving = ({ isHomeKnown }: Pick<World, 'isHomeKnown'>, by: Account): Account =>
  by.platform === 'slack' && !isHomeKnown ? { ...by, workspace: by.workspace ?? 'not known' } : by

/** Everybody has the history's own name in theirs: many histories share a database, and no two of them a person. */
export const randomWorld = (random: Random, prefix: string): World => ({
  policy: randomPolicy(random, prefix),
  members: new Map(
    [...slackUsers.map((n) => slackId(prefix, n)), ...discordUsers.map((n) => discordId(prefix, n))].map(
      (account) => [account, someGroups(random)],
    ),
  ),
  isUp: true,
  isHomeKnown: true,
  links: customers.map(() => ({ word: undefined, billing: false, email: false, isWritten: false })),
})

export const someGroups = (random: Random): string[] => some(random, groups, 0.5)

/** A file, or the same file after somebody edited it: people lose and gain roles, accounts are linked, rules change. */
export const randomPolicy = (random: Random, prefix: string): Policy => {
  const person = (at: number): Person => ({
    id: `${prefix}p${at}`,
    name: `Person ${at}`,
    accounts: {
      slack: slackId(prefix, at),
      terminal: `${prefix}p${at}`,
      console: `${prefix}p${at}`,
      ...(random() < 0.6 ? { discord: discordId(prefix, at) } : {}),
    },
    roles: some(random, roles, 0.2),
    ...(random() < 0.6 ? { manager: `${prefix}p${1 + (at % 5)}` } : {}),
  })
  const role = () => ({ run: some(random, commands, 0.4), approve: some(random, commands, 0.4) })
  const agent = (at: number): Policy['agents'][number] => ({
    ...{ id: `${prefix}a${at}`, name: `Agent ${at}`, owner: `${prefix}p${pick(random, [1, 2, 3])}` },
    ...{ roles: some(random, roles, 0.4), token: { env: 'AGENT' }, rate: 60, tools: 'all' },
    accounts: { mcp: `${prefix}a${at}` },
  })
  return {
    version: 1,
    digest: prefix,
    people: [1, 2, 3, 4, 5].filter(() => random() < 0.85).map(person),
    agents: [1, 2].filter(() => random() < 0.85).map(agent),
    emergency: null,
    groups: {
      slack: Object.fromEntries(groups.map((group) => [group, some(random, roles, 0.4)])),
      discord: Object.fromEntries(groups.map((group) => [group, some(random, roles, 0.4)])),
    },
    roles: Object.fromEntries(roles.map((name) => [name, role()])),
    everyone: { run: random() < 0.6 ? ['*'] : [] },
    workspaces: {},
    spaces: [undefined],
    approvals: [],
    administrators: [],
    policies: Array.from({ length: Math.floor(random() * 4) }, (_, at) => rule(random, at)),
    budgets: random() < 0.4 ? [] : [budget(random)],
    duplicates: random() < 0.4 ? null : { windowMs: dayMs },
    unseen: 'pass',
    reasons: [],
    zone: 'UTC',
    bulk: { chunk: 100, concurrency: 4, rate: 50 },
    links: {},
    customersWrite: [],
    guesses: defaultGuesses(),
    sections: {},
    seal: null,
    variables: [],
  }
}

const some = <T>(random: Random, items: readonly T[], share: number): T[] =>
  items.filter(() => random() < share)

const dayMs = 24 * 3_600_000

const rule = (random: Random, at: number): Rule => ({
  name: `rule ${at}`,
  commands: [pick(random, commands)],
  ...(random() < 0.3 ? { amount: { upTo: 50 } } : {}),
  require: needs(random, 0),
})

const budget = (random: Random): Budget => ({
  name: 'a day',
  commands: [pick(random, budgeted)],
  per: 'requester',
  windowMs: dayMs,
  limit: 60,
  // biome-ignore lint/suspicious/noThenProperty: it is the word of the file
  then: needs(random, 1),
})

const needs = (random: Random, least: number): Need[] =>
  random() < 0.25
    ? [1, 2].map((stage) => ({ ...approval(random, 0.8), stage }))
    : Array.from({ length: Math.max(least, Math.floor(random() * 3)) }, () =>
        random() < 0.25 ? { kind: 'confirm' } : approval(random, 0.5),
      )

const approval = (random: Random, shareOfOne: number): Extract<Need, { kind: 'approvals' }> => ({
  kind: 'approvals',
  count: random() < shareOfOne ? 1 : 2,
  from: [...some(random, roles, 0.4), ...(random() < 0.15 ? ['manager'] : [])],
})
