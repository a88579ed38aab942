import type { Area, AskedPerson, Change, Clause, Party } from '../model/change.ts'
import type { Space } from '../model/workspace.ts'
import { money } from '../view/format.ts'
import type { Words } from '../view/words.ts'
import { asksMore, clausesOf, combine, isConfirmOnly, isVoterFor, leastOf, needsApproval } from './clauses.ts'
import { printDuration } from './duration.ts'
import { whyNoEmergency } from './emergency.ts'
import { isAnyMatch } from './pattern.ts'
import { approveNamesOf, managersOf, mayApprove } from './people.ts'
import type { AmountRange, Budget, Policy, Rule } from './policy.ts'
import { type RuleTerms, termsOfRules } from './rule-terms.ts'
import { isOfWorkspace } from './workspaces.ts'

export type PolicyInput = {
  /** Every name the change goes by. */
  names: readonly string[]
  area: Area
  /** Somebody else approves what moves money, where no rule is about it. */
  movesMoney: boolean
  /** null: not known, which no rule about amounts matches and every budget counts as too much. */
  amount: number | null
  /** What a budget's window already holds; `budgetsFor` says which ones are asked. */
  spent: (budget: Budget) => number
  /** How many times the same intent was asked within the window. */
  duplicates: number
  /** Who asks, for what their manager approves. */
  requester?: string | undefined
  /** The workspace in which they ask: a manager who is not of it approves nothing there. */
  space?: Space
  /** The agent that asks, if one does. */
  agent?: string | undefined
  /** Where no rule is about it, somebody else approves it. */
  guarded?: boolean
  /** What it needs by its nature, whatever the rules say. */
  byNature?: ByNature
  /** Asked for as something that one person does alone, by somebody with these roles. */
  emergency?: { roles: readonly string[] } | undefined
}

/** Nothing, or at least the approval of somebody else. */
export type ByNature = 'nothing' | 'approval' | undefined

export type PolicyDecision = {
  /** The digest of the version that decided. */
  policy: string
  /** The names of the rules that decided, or of the default. */
  rule: string
  /** Which rule came first for which name; names that no rule is about are not here. */
  matched: { name: string; rule: Rule }[]
  /** All of them hold; an empty list, never for what moves money, means that nothing is needed. */
  clauses: Clause[]
  expiresInMs: number
  warnings: Words[]
  escalatedBy: ('budget' | 'duplicate')[]
} & RuleTerms

/** What the rules and the defaults ask for, budgets and repetitions aside. */
export const ruledFor = (policy: Policy, ask: Omit<PolicyInput, 'spent' | 'duplicates'>) => {
  const matched = matchesOf(policy, ask.names, ask.amount)
  const rules = rulesIn(matched)
  const managers = ask.requester === undefined ? undefined : managersOf(policy, ask.requester, ask.space)
  return { matched, rules, managers, terms: termsOfRules(rules), ...startOf(rules, ask, managers) }
}

/** What a change needs before it may run: of each of its names the first rule counts, and all of those hold. */
export function evaluate(policy: Policy, ask: PolicyInput): PolicyDecision {
  const amount = knownAmount(ask.amount)
  const { matched, rules, managers, ...start } = ruledFor(policy, ask)
  const over = budgetsFor(policy, ask.names).filter((budget) => isOver(budget, ask.spent(budget), amount))
  const afterBudgets = combine(
    start.clauses,
    ...over.map(({ name, then }) => clausesOf(then, `budget "${name}"`, undefined, managers)),
  )
  const isAlone =
    ask.emergency !== undefined &&
    whyNoEmergency(policy, { ...ask, amount, roles: ask.emergency.roles }) === undefined
  const isRepeated = policy.duplicates !== null && ask.duplicates > 0
  const afterAll = isRepeated ? oneStepUp(afterBudgets) : afterBudgets
  const clauses = natural(isConfirmOnly(afterAll) ? [leastOf(ask.agent)] : afterAll, ask)
  const { holdMs, ...terms } = start.terms
  return {
    policy: policy.digest,
    rule: isAlone ? 'emergency' : start.name,
    matched,
    clauses: isAlone ? [{ kind: 'confirm', sign: 'passkey' }] : clauses,
    expiresInMs:
      (isAlone ? policy.emergency?.forMs : shortestOf(rules)) ?? (needsApproval(clauses) ? dayMs : hourMs),
    ...terms,
    ...(isAlone || holdMs === undefined ? {} : { holdMs }),
    warnings: over.map((budget) => overspent(budget, ask.spent(budget), amount)),
    escalatedBy: [
      ...(asksMore(start.clauses, afterBudgets) ? (['budget'] as const) : []),
      ...(asksMore(afterBudgets, afterAll) ? (['duplicate'] as const) : []),
    ],
  }
}

/** The share of long work that runs first; long work has no amount. */
export const canaryFor = (policy: Policy, names: readonly string[]): number | undefined =>
  termsOfRules(rulesIn(matchesOf(policy, names, null))).canary

/** Why a rule does not decide about a change of this name and amount; undefined if it would. */
export const whyNotRule = (
  rule: Rule,
  name: string,
  amount: number | null,
): 'other commands' | 'other amounts' | undefined => {
  if (!isAnyMatch(rule.commands, [name])) return 'other commands'
  return rule.amount && !isWithin(rule.amount, knownAmount(amount)) ? 'other amounts' : undefined
}

/** The budgets that a change counts against. */
export const budgetsFor = (policy: Policy, names: readonly string[]): Budget[] =>
  policy.budgets.filter((budget) => isAnyMatch(budget.commands, names))

/** Whether somebody's vote counts for one of the clauses, the requester's own aside, which never does. */
export const mayVote = (
  policy: Policy,
  voter: Pick<Party, 'person' | 'platform' | 'space'> & { roles: readonly string[] },
  change: Pick<Change, 'clauses' | 'names' | 'standsFor' | 'requester'>,
): boolean =>
  isOfWorkspace(policy, voter, change) && countsByRoles(policy, voter, change.clauses, approveNamesOf(change))

/** The same by roles alone, for whoever is known to be of the workspace of the change. */
export const countsByRoles = (
  policy: Policy,
  { person, roles }: { person?: string | undefined; roles: readonly string[] },
  clauses: readonly Clause[],
  names: readonly string[],
): boolean => {
  const voter = { person, roles, mayApprove: mayApprove(policy, { roles }, names) }
  return needsApproval(clauses)
    ? clauses.some((clause) => clause.kind === 'approvals' && isVoterFor(clause, voter))
    : voter.mayApprove
}

/** `all` freezes every service; the bot's own commands always work, or nobody could thaw it. */
export const isFrozen = (freezes: readonly { area: Area | 'all' }[], area: Area): boolean =>
  area !== 'bellhop' && freezes.some((freeze) => freeze.area === 'all' || freeze.area === area)

const natural = (clauses: Clause[], { byNature }: Pick<PolicyInput, 'byNature'>): Clause[] => {
  if (byNature === 'nothing') return []
  return byNature === 'approval' && !needsApproval(clauses) ? [oneApproval('four eyes')] : clauses
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const oneApproval = (because: string): Clause => ({ kind: 'approvals', count: 1, from: [], because })

type Start = { name: string; clauses: Clause[] }
type Nature = Pick<PolicyInput, 'area' | 'movesMoney' | 'guarded'>

/** What is asked for where no rule is about a change. */
export const defaultFor = ({ area, movesMoney, guarded = false }: Nature): Start => {
  const kind = movesMoney ? `${area} changes` : guarded ? 'changes of the rules' : 'changes'
  const name = `default for ${kind}`
  return { name, clauses: [movesMoney || guarded ? oneApproval(name) : { kind: 'confirm' }] }
}

function startOf(
  rules: readonly Rule[],
  nature: Nature,
  managers: readonly AskedPerson[] | undefined,
): Start {
  if (rules.length === 0) return defaultFor(nature)
  const name = rules.map((rule) => rule.name).join(' and ')
  const clauses = combine(
    ...rules.map((rule) => clausesOf(rule.require, `rule "${rule.name}"`, rule.escalate, managers)),
  )
  // The loader refuses such a file; money never depends on that alone.
  const isUnguarded = nature.movesMoney && clauses.length === 0
  return { name, clauses: isUnguarded ? defaultFor(nature).clauses : clauses }
}

const shortestOf = (rules: readonly Rule[]): number | undefined => {
  const times = rules.flatMap(({ expiresInMs }) => expiresInMs ?? [])
  return times.length === 0 ? undefined : Math.min(...times)
}

/** One request, one policy, whichever way it is typed: a rule for one of its names never hides that for another. */
const matchesOf = (
  policy: Policy,
  names: readonly string[],
  amount: number | null,
): { name: string; rule: Rule }[] =>
  names.flatMap((name) => {
    const rule = policy.policies.find((one) => whyNotRule(one, name, amount) === undefined)
    return rule === undefined ? [] : [{ name, rule }]
  })

const rulesIn = (matched: readonly { rule: Rule }[]): Rule[] => [...new Set(matched.map(({ rule }) => rule))]

const isWithin = ({ from, over, upTo }: AmountRange, amount: number | null): boolean =>
  amount !== null &&
  (from === undefined || amount >= from) &&
  (over === undefined || amount > over) &&
  (upTo === undefined || amount <= upTo)

/** A negative or broken number is no amount: it must not slip under a limit. */
const knownAmount = (amount: number | null): number | null =>
  amount !== null && Number.isFinite(amount) && amount >= 0 ? amount : null

/** The exact limit is allowed. A sum that is no number is over, so that a fault never loosens a budget. */
export const isOver = (budget: Budget, spent: number, given: number | null): boolean => {
  const amount = knownAmount(given)
  return amount === null || !(sumOf(spent, amount) <= budget.limit)
}

/** 0.1 + 0.2 is 0.3 in money. */
const sumOf = (one: number, other: number): number => Math.round((one + other) * 1e6) / 1e6

/** A second pair of eyes on what looks like a repetition. */
const oneStepUp = (clauses: readonly Clause[]): Clause[] =>
  clauses.length === 0
    ? [{ kind: 'confirm' }]
    : needsApproval(clauses)
      ? [...clauses]
      : [oneApproval('the same was asked before')]

function overspent(budget: Budget, spent: number, amount: number | null): string {
  const name = budget.name.charAt(0).toUpperCase() + budget.name.slice(1)
  const used = `${name}: ${money(spent)} of ${money(budget.limit)} used in the last ${printDuration(budget.windowMs)}`
  return amount === null
    ? `${used}; the amount of this one is not known.`
    : `${used}; this would make ${money(sumOf(spent, amount))}.`
}
