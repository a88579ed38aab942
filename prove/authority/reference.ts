import type { Change } from '../../src/kernel/model/change.ts'
import type { Need, Policy, Rule } from '../../src/kernel/policy/policy.ts'
import type { Account, Known, World } from './world.ts'

/** A way to ask: all the names it is judged by, and of a call of an endpoint what it stands for. */
export type Way = {
  line(history: string, amount: number): string
  names: readonly string[]
  standsFor?: readonly string[]
  isMoney: boolean
  /** Requests of one history with the same words mean the same. */
  intent(amount: number): string
  /** Whose money it is, is read from links. */
  isSteered?: boolean
}

/** What was asked for, as the model remembers it; `person` is who asked, by the file of that time. */
export type Asked = {
  way: Way
  amount: number
  by: Account
  person: string
  /** Who has changed what was asked since. */
  changers: readonly Changer[]
}
/** Somebody who has changed it, and who that was by the file of that time. */
export type Changer = Account & { person: string }
/** A need with whom its words mean: the manager of whoever asked, `null` where there is none, or whom the requester named. */
export type Wanted = Need & { manager?: string | null; also?: string }
export type Press = { by: Account; digest: string }

/** The rights and rules of an endpoint are those of its commands and its noun: written here by hand, from the documents. */
export const ways: readonly Way[] = [
  ...['pay', 'repay'].map((name) => ({
    line: (history: string, amount: number) => `${name} ${history} ${amount}`,
    names: ['pay', 'repay'],
    isMoney: true,
    isSteered: true,
    intent: (amount: number) => `money ${amount}`,
  })),
  ...['tie', 'untie', 'tag'].map((name) => ({
    line: (history: string, amount: number) => `${name} ${history} ${customerFor(amount)}`,
    names: [name],
    isMoney: false,
    intent: (amount: number) => `${name} ${customerFor(amount)}`,
  })),
  {
    line: (history, amount) => `ticket voucher ${history} ${amount}`,
    names: ['ticket voucher'],
    isMoney: true,
    intent: (amount) => `voucher ${amount}`,
  },
  {
    line: (history, amount) =>
      `api call tickets POST /tickets/${history}/vouchers --body '{"amount": ${amount}}'`,
    names: ['api call', 'ticket voucher', 'ticket'],
    standsFor: ['ticket voucher', 'ticket'],
    isMoney: true,
    intent: (amount) => `voucher ${amount}`,
  },
  {
    line: (history) => `resend send-broadcast ${history}`,
    names: ['resend send-broadcast'],
    isMoney: false,
    intent: () => 'broadcast',
  },
  {
    line: (history) => `api call resend POST /send-broadcast --body '{"broadcastId": "${history}"}'`,
    names: ['api call', 'resend send-broadcast', 'resend'],
    standsFor: ['resend send-broadcast', 'resend'],
    isMoney: false,
    intent: () => 'api broadcast',
  },
  { line: (history) => `note ${history}`, names: ['note'], isMoney: false, intent: () => 'note' },
  {
    line: (history, amount) =>
      `api call billing POST /transaction/refund/${history} --body '{"amount": ${amount}}'`,
    names: ['api call', 'pay', 'repay', 'refund'],
    standsFor: ['pay', 'repay', 'refund'],
    isMoney: true,
    intent: (amount) => `money ${amount}`,
  },
  {
    line: (history) => `api call email DELETE /subscribers --body '{"of": "${history}"}'`,
    names: ['api call', 'note', 'subscriber'],
    standsFor: ['note', 'subscriber'],
    isMoney: false,
    intent: () => 'subscribers',
  },
  {
    line: (history) => `api call email POST /campaigns/send-to-list --body '{"of": "${history}"}'`,
    names: ['api call', 'campaign'],
    standsFor: ['campaign'],
    isMoney: false,
    intent: () => 'campaign',
  },
]

/** Which of the two a request about a link is about. */
export const customerFor = (amount: number): 1 | 2 => (amount > 50 ? 2 : 1)

/** Whether money may go by a link: the word of two people, or what a service showed and nobody here wrote there. */
export const maySteer = ({ word, billing, email, isWritten }: Known): boolean =>
  word === undefined ? billing || (email && !isWritten) : word === 'on'

/** Who an account is by the file as it is now: written a second time here, so that no fault is shared. */
export const personIn = ({ policy }: Pick<World, 'policy'>, by: Account): string => {
  const { platform, account, workspace } = by
  const id = workspace === undefined ? (agentIn(policy, by)?.owner ?? listedIn(policy, by)?.id) : undefined
  return id ?? [platform, workspace, account].join(' ')
}

const agentIn = ({ agents }: Policy, { platform, account }: Account) =>
  agents.find(({ id }) => platform === 'mcp' && id === account)
const listedIn = ({ people }: Policy, { platform, account }: Account) =>
  people.find((one) => one.accounts[platform] === account)

/** Neither an agent nor whoever the machine names: nobody can tell who that is. */
export const decides = ({ operator, platform }: Account): boolean =>
  operator === undefined && platform !== 'mcp'

/** Whether the file says whose account it is: nobody else asks for or gives an approval. */
export const isListedIn = ({ policy }: Pick<World, 'policy'>, by: Account): boolean =>
  by.workspace === undefined &&
  policy.people.some(({ id }) => id === (agentIn(policy, by)?.owner ?? listedIn(policy, by)?.id))

const rolesIn = ({ policy, members }: World, by: Account): string[] => {
  if (by.workspace !== undefined || by.operator !== undefined) return []
  const agent = agentIn(policy, by)
  if (agent !== undefined) return [...agent.roles]
  const person = listedIn(policy, by)
  // In the console somebody has the roles of their groups elsewhere.
  const accounts = by.platform === 'console' ? (person?.accounts ?? {}) : { [by.platform]: by.account }
  const byGroup = Object.entries(accounts).flatMap(([platform, account]) =>
    (members.get(account) ?? []).flatMap((group) => policy.groups[platform]?.[group] ?? []),
  )
  return [...(person?.roles ?? []), ...byGroup]
}

const isAbout = (patterns: readonly string[], name: string): boolean =>
  patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === name ||
      (pattern.endsWith(' *') && `${name} `.startsWith(pattern.slice(0, -1))),
  )

export const mayAsk = (world: World, { way, by }: Pick<Asked, 'way' | 'by'>): boolean => {
  const mayRunOne = (names: readonly string[]) =>
    names.some(
      (name) =>
        isAbout(world.policy.everyone.run, name) ||
        rolesIn(world, by).some((role) => isAbout(world.policy.roles[role]?.run ?? [], name)),
    )
  return way.standsFor === undefined
    ? mayRunOne(way.names)
    : mayRunOne(['api call']) && mayRunOne(way.standsFor)
}

const mayApproveIn = (world: World, { way }: Pick<Asked, 'way'>, by: Account): boolean =>
  decides(by) &&
  (way.standsFor ?? way.names).some((name) =>
    rolesIn(world, by).some((role) => isAbout(world.policy.roles[role]?.approve ?? [], name)),
  )

/**
 * What a file asks for: of each name the first rule that matches, the budget that this would be past, and one step more
 * if the same was asked before.
 */
export const needsIn = (
  policy: Policy,
  { way, amount, person, by }: Pick<Asked, 'way' | 'amount' | 'person' | 'by'>,
  { spent, isRepeated }: { spent: number; isRepeated: boolean },
): Wanted[] => {
  const fits = (rule: Rule, name: string) =>
    isAbout(rule.commands, name) &&
    (rule.amount?.upTo === undefined || (way.isMoney && amount <= rule.amount.upTo))
  const rules = way.names.flatMap((name) => policy.policies.find((rule) => fits(rule, name)) ?? [])
  const byRules = rules.flatMap(({ require }) => require)
  const least: Need = way.isMoney ? oneApproval : { kind: 'confirm' }
  const start = rules.length === 0 || (way.isMoney && byRules.length === 0) ? [least] : byRules
  const [budget] = policy.budgets
  const isOver =
    budget !== undefined &&
    isCounted(budget.commands, way) &&
    !(way.isMoney && spent + amount <= budget.limit)
  // Nobody confirms what an agent asks.
  const isAgent = agentIn(policy, by) !== undefined
  const all = [...start, ...(isOver ? budget.then : [])].map((need) => withManager(policy, need, person))
  if (all.some(({ kind }) => kind === 'approvals')) return all
  const isStep = isRepeated && policy.duplicates !== null
  if (all.length === 0) return !isStep ? [] : isAgent ? [oneApproval] : [{ kind: 'confirm' }]
  return isStep || isAgent ? [oneApproval] : all
}

const withManager = ({ people }: Policy, need: Need, person: string): Wanted => {
  if (need.kind === 'confirm' || !need.from.includes('manager')) return need
  const named = people.find(({ id }) => id === person)?.manager
  const isThere = named !== person && people.some(({ id }) => id === named)
  return { ...need, manager: isThere && named !== undefined ? named : null }
}

const oneApproval: Need = { kind: 'approvals', count: 1, from: [] }

/** Whether a budget or a pattern is about this way of asking. */
export const isCounted = (patterns: readonly string[], { names }: Pick<Way, 'names'>): boolean =>
  names.some((name) => isAbout(patterns, name))

/** Whether somebody stands behind a request: who asked, or has changed it since; whoever they were then, and are today. */
export const isBehind = (
  world: World,
  { by, person, changers }: Pick<Asked, 'by' | 'person' | 'changers'>,
  one: Account,
): boolean =>
  [{ ...by, person }, ...changers].some((behind) =>
    [behind.person, personIn(world, behind)].includes(personIn(world, one)),
  )

/** Whether somebody may say yes to what another asks: by their roles, or as the manager that a need names. */
export const mayDecideIn = (
  world: World,
  asked: Asked & { needs: readonly Wanted[] },
  by: Account,
): boolean =>
  mayApproveIn(world, asked, by) ||
  (decides(by) && asked.needs.some(({ manager }) => manager === personIn(world, by)))

/** Everybody else who has said yes to this and may do so now. */
export const approversOf = (
  world: World,
  asked: Asked & { needs: readonly Wanted[] },
  presses: readonly Press[],
  digest: string,
): Account[] =>
  presses
    .filter((press) => press.digest === digest && decides(press.by))
    .map(({ by }) => by)
    .filter((by) => isListedIn(world, asked.by) && isListedIn(world, by))
    .filter((by) => !isBehind(world, asked, by) && mayDecideIn(world, asked, by))

/**
 * The needs that nobody has met who may do so now; none, if the change may run. In which stage somebody voted is as it was
 * written down: whether that was its turn is looked at when they vote.
 */
export const unmet = (
  world: World,
  asked: Asked & { needs: readonly Wanted[] },
  presses: readonly Press[],
  { digest, votes }: Pick<Change, 'digest' | 'votes'>,
  needs: readonly Wanted[] = asked.needs,
): Wanted[] => {
  const requester = personIn(world, asked.by)
  const current = presses.filter((press) => press.digest === digest && decides(press.by))
  const approvers = approversOf(world, { ...asked, needs }, presses, digest)
  const isConfirmed = current.some(({ by }) => personIn(world, by) === requester)
  const stageOf = ({ platform, account }: Account) =>
    votes.find(({ by }) => by.platform === platform && by.account === account)?.stage
  return needs.filter((need) => {
    // An approval says more than a confirmation.
    if (need.kind === 'confirm') return !isConfirmed && approvers.length === 0
    const people = approvers
      .filter((by) => need.stage === undefined || stageOf(by) === need.stage)
      .filter((by) => isWanted(world, asked, need, by))
      .map((by) => personIn(world, by))
    return new Set(people).size < need.count
  })
}

const isWanted = (
  world: World,
  asked: Asked,
  { from, manager, also }: Wanted & { kind: 'approvals' },
  by: Account,
): boolean => {
  const person = personIn(world, by)
  if (manager === person) return true
  if (!mayApproveIn(world, asked, by)) return false
  if (also !== undefined) return also === person
  return from.length === 0 || rolesIn(world, by).some((role) => from.includes(role))
}
