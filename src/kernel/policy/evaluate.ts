import {
  asksMore,
  clausesOf,
  combine,
  isConfirmOnly,
  isVoterFor,
  leastClause,
  needsApproval,
} from '../law/clauses.ts'
import type { Area, AskedPerson, Change, Clause, Party } from '../model/change.ts'
import { untilSent, type Warning, warning } from '../model/warning.ts'
import type { Space } from '../model/workspace.ts'
import { afterWords, type BudgetUse, knownAmount, type Spent, usedWords, useOf } from './budget.ts'
import { type ByNature, refuseEmergency } from './emergency.ts'
import { isAnyMatch } from './pattern.ts'
import { approveNamesOf, managersOf, mayApprove } from './people.ts'
import type { AmountRange, Budget, Demanded, Policy, Rule } from './policy.ts'
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
  /** null: not known. */
  currency: string | null
  /** What a budget's window already holds; `budgetsFor` says which ones are asked. */
  spent: (budget: Budget) => Spent
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
  /** What another part of the file asks for it, whatever the rules say; `because` says which. */
  demanded?: Demanded | undefined
  /** Asked for as something that one person does alone, by somebody with these roles. */
  emergency?: { roles: readonly string[] } | undefined
}

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
  warnings: Warning[]
  escalatedBy: ('budget' | 'duplicate')[]
  /** In words, what it is that rules alone do not speak of, whether more is needed for it or not. */
  beyond: string[]
} & RuleTerms

/** What the rules and the defaults ask for, budgets and repetitions aside. */
export const ruledFor = (policy: Policy, ask: Omit<PolicyInput, 'spent' | 'duplicates' | 'currency'>) => {
  const matched = matchesOf(policy, ask.names, ask.amount)
  const rules = rulesIn(matched)
  const managers = ask.requester === undefined ? undefined : managersOf(policy, ask.requester, ask.space)
  return { matched, rules, managers, terms: termsOfRules(rules), ...startOf(rules, ask, managers) }
}

/** What a change needs before it may run: of each of its names the first rule counts, and all of those hold. */
export function evaluate(policy: Policy, ask: PolicyInput): PolicyDecision {
  const amount = knownAmount(ask.amount)
  const { matched, rules, managers, ...start } = ruledFor(policy, ask)
  const over = usesOf(policy, ask).filter(({ isOver }) => isOver)
  const afterBudgets = combine(
    start.clauses,
    ...over.map(({ budget: { name, then } }) => clausesOf(then, `budget "${name}"`, undefined, managers)),
  )
  const isAlone =
    ask.emergency !== undefined &&
    refuseEmergency(policy, { ...ask, amount, roles: ask.emergency.roles }) === undefined
  const isRepeated = policy.duplicates !== null && ask.duplicates > 0
  const afterAll = isRepeated ? oneStepUp(afterBudgets) : afterBudgets
  const clauses = natural(isConfirmOnly(afterAll) ? [leastClause(ask.agent)] : afterAll, ask)
  const isAtOnce = ask.byNature === 'nothing' && clauses.length === 0
  const { holdMs, ...terms } = start.terms
  return {
    policy: policy.digest,
    rule: isAlone ? 'emergency' : start.name,
    matched,
    clauses: isAlone ? [{ kind: 'confirm', sign: 'passkey' }] : clauses,
    expiresInMs:
      (isAlone ? policy.emergency?.forMs : shortestOf(rules)) ?? (needsApproval(clauses) ? dayMs : hourMs),
    ...terms,
    ...(isAlone || isAtOnce || holdMs === undefined ? {} : { holdMs }),
    warnings: over.map((use) => warning(overspent(use, ask), untilSent)),
    beyond: [
      ...(over.length > 0 ? ['past a budget'] : []),
      ...(isRepeated ? ['a repetition'] : []),
      ...(ask.byNature === 'unseen' ? ['about what nobody has looked at'] : []),
    ],
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

/** What the budgets that a change counts against hold, and would with it. */
export const usesOf = (
  policy: Policy,
  ask: Pick<PolicyInput, 'names' | 'amount' | 'currency' | 'spent'>,
): BudgetUse[] => budgetsFor(policy, ask.names).map((budget) => useOf(budget, ask.spent(budget), ask))

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

/** What needs nothing when a person asks for it still needs somebody when an agent does. */
const natural = (
  clauses: Clause[],
  { byNature, agent }: Pick<PolicyInput, 'byNature' | 'agent'>,
): Clause[] => {
  if (byNature === 'nothing') return agent === undefined ? [] : clauses
  return byNature !== undefined && !needsApproval(clauses) ? [oneApproval(natures[byNature])] : clauses
}

const natures = { approval: 'four eyes', unseen: 'nobody has looked at it' }

const hourMs = 3_600_000
const dayMs = 24 * hourMs

const oneApproval = (because: string): Clause => ({ kind: 'approvals', count: 1, from: [], because })

type Start = { name: string; clauses: Clause[] }
type Nature = Pick<PolicyInput, 'area' | 'movesMoney' | 'guarded'>
type Asked = Nature & Pick<PolicyInput, 'demanded'>

/** What is asked for where no rule is about a change. */
export const defaultFor = ({ area, movesMoney, guarded = false }: Nature): Start => {
  const kind = movesMoney ? `${area} changes` : guarded ? 'changes of the rules' : 'changes'
  const name = `default for ${kind}`
  return { name, clauses: [movesMoney || guarded ? oneApproval(name) : { kind: 'confirm' }] }
}

function startOf(
  rules: readonly Rule[],
  { demanded, ...nature }: Asked,
  managers: readonly AskedPerson[] | undefined,
): Start {
  if (rules.length === 0 && demanded === undefined) return defaultFor(nature)
  const name = [
    ...(demanded === undefined ? [] : [demanded.because]),
    ...rules.map((rule) => rule.name),
  ].join(' and ')
  const clauses = combine(
    ...rules.map((rule) => clausesOf(rule.require, `rule "${rule.name}"`, rule.escalate, managers)),
    ...(demanded === undefined ? [] : [clausesOf(demanded.needs, demanded.because, undefined, managers)]),
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

/** A second pair of eyes on what looks like a repetition. */
const oneStepUp = (clauses: readonly Clause[]): Clause[] =>
  clauses.length === 0
    ? [{ kind: 'confirm' }]
    : needsApproval(clauses)
      ? [...clauses]
      : [oneApproval('the same was asked before')]

const overspent = (use: BudgetUse, asked: Pick<PolicyInput, 'amount' | 'currency'>): string => {
  const name = use.budget.name.charAt(0).toUpperCase() + use.budget.name.slice(1)
  return `${name}: ${usedWords(use)}; ${afterWords(use, asked)}.`
}
