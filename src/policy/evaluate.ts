import type { Area, Requirement } from '../model/change.ts'
import { printDuration } from './duration.ts'
import { isAnyMatch } from './pattern.ts'
import { mayApprove, type PolicyPerson } from './people.ts'
import type { AmountRange, Budget, Policy, Rule } from './policy.ts'
import { stricterOf } from './requirement.ts'

export type PolicyInput = {
  /** Every name the change goes by. */
  names: readonly string[]
  area: Area
  /** null: not known, which no rule about amounts matches and every budget counts as too much. */
  amount: number | null
  /** What a budget's window already holds; `budgetsFor` says which ones are asked. */
  spent: (budget: Budget) => number
  /** How many times the same intent was asked within the window. */
  duplicates: number
}

export type PolicyDecision = {
  /** The name of the rule that decided, or of the default. */
  rule: string
  requirement: Requirement
  expiresInMs: number
  warnings: string[]
  escalatedBy: ('budget' | 'duplicate')[]
  holdMs?: number
  canary?: number
}

/** What a change needs before it may run. */
export function evaluate(policy: Policy, ask: PolicyInput): PolicyDecision {
  const amount = knownAmount(ask.amount)
  const rule = ruleFor(policy, ask.names, amount)
  const start = startOf(rule, ask.area)
  const over = budgetsFor(policy, ask.names).filter((budget) => isOver(budget, ask.spent(budget), amount))
  const afterBudgets = over.reduce(
    (requirement, { then }) => stricterOf(requirement, then),
    start.requirement,
  )
  const isRepeated = policy.duplicates !== null && ask.duplicates > 0
  const requirement = isRepeated ? oneStepUp(afterBudgets) : afterBudgets
  return {
    rule: start.name,
    requirement,
    expiresInMs: rule?.expiresInMs ?? (requirement.kind === 'approvals' ? dayMs : hourMs),
    ...(rule?.holdMs === undefined ? {} : { holdMs: rule.holdMs }),
    ...(rule?.canary === undefined ? {} : { canary: rule.canary }),
    warnings: over.map((budget) => overspent(budget, ask.spent(budget), amount)),
    escalatedBy: [
      ...(afterBudgets === start.requirement ? [] : (['budget'] as const)),
      ...(requirement === afterBudgets ? [] : (['duplicate'] as const)),
    ],
  }
}

/** The share of long work that runs first; long work has no amount. */
export const canaryFor = (policy: Policy, names: readonly string[]): number | undefined =>
  ruleFor(policy, names, null)?.canary

/** The budgets that a change counts against. */
export const budgetsFor = (policy: Policy, names: readonly string[]): Budget[] =>
  policy.budgets.filter((budget) => isAnyMatch(budget.commands, names))

/** Whether somebody's vote counts, the requester's own aside, which never does. */
export const mayVote = (
  policy: Policy,
  voter: Pick<PolicyPerson, 'roles'>,
  requirement: Requirement,
  names: readonly string[],
): boolean => mayApprove(policy, voter, names) && isFromRoles(requirement, voter.roles)

export type Ballot = {
  requester: string
  votes: readonly { person: string; mayApprove: boolean; roles: readonly string[] }[]
}

export const isSatisfied = (requirement: Requirement, ballot: Ballot): boolean =>
  stillNeeded(requirement, ballot) === 0

/** How many more people must press the button. */
export function stillNeeded(requirement: Requirement, { requester, votes }: Ballot): number {
  if (requirement.kind === 'none') return 0
  if (requirement.kind === 'confirm') return votes.some((vote) => vote.person === requester) ? 0 : 1
  const counted = votes.filter(
    (vote) => vote.person !== requester && vote.mayApprove && isFromRoles(requirement, vote.roles),
  )
  return Math.max(0, requirement.count - new Set(counted.map((vote) => vote.person)).size)
}

/** `all` freezes the three services; the bot's own commands always work, or nobody could thaw it. */
export const isFrozen = (freezes: readonly { area: Area | 'all' }[], area: Area): boolean =>
  area !== 'bellhop' && freezes.some((freeze) => freeze.area === 'all' || freeze.area === area)

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const oneApproval: Requirement = { kind: 'approvals', count: 1, from: [] }

function startOf(rule: Rule | undefined, area: Area): { name: string; requirement: Requirement } {
  const billing = area === 'billing'
  if (!rule)
    return billing
      ? { name: 'default for billing changes', requirement: oneApproval }
      : { name: 'default for changes', requirement: { kind: 'confirm' } }
  // The loader refuses such a file; money never depends on that alone.
  if (billing && rule.require.kind === 'none') return { name: rule.name, requirement: oneApproval }
  return { name: rule.name, requirement: rule.require }
}

const ruleFor = (policy: Policy, names: readonly string[], amount: number | null): Rule | undefined =>
  policy.policies.find(
    (rule) => isAnyMatch(rule.commands, names) && (!rule.amount || isWithin(rule.amount, amount)),
  )

const isWithin = ({ from, over, upTo }: AmountRange, amount: number | null): boolean =>
  amount !== null &&
  (from === undefined || amount >= from) &&
  (over === undefined || amount > over) &&
  (upTo === undefined || amount <= upTo)

/** A negative or broken number is no amount: it must not slip under a limit. */
const knownAmount = (amount: number | null): number | null =>
  amount !== null && Number.isFinite(amount) && amount >= 0 ? amount : null

/** The exact limit is allowed. A sum that is no number is over, so that a fault never loosens a budget. */
const isOver = (budget: Budget, spent: number, amount: number | null): boolean =>
  amount === null || !(sumOf(spent, amount) <= budget.limit)

/** 0.1 + 0.2 is 0.3 in money. */
const sumOf = (one: number, other: number): number => Math.round((one + other) * 1e6) / 1e6

/** A second pair of eyes on what looks like a repetition. */
const oneStepUp = (requirement: Requirement): Requirement =>
  requirement.kind === 'none'
    ? { kind: 'confirm' }
    : requirement.kind === 'confirm'
      ? oneApproval
      : requirement

const isFromRoles = (requirement: Requirement, roles: readonly string[]): boolean =>
  requirement.kind !== 'approvals' ||
  requirement.from.length === 0 ||
  requirement.from.some((role) => roles.includes(role))

function overspent(budget: Budget, spent: number, amount: number | null): string {
  const name = budget.name.charAt(0).toUpperCase() + budget.name.slice(1)
  const used = `${name}: ${inFigures(spent)} of ${inFigures(budget.limit)} used in the last ${printDuration(budget.windowMs)}`
  return amount === null
    ? `${used}; the amount of this one is not known.`
    : `${used}; this would make ${inFigures(sumOf(spent, amount))}.`
}

const inFigures = (sum: number): string => (Number.isInteger(sum) ? String(sum) : sum.toFixed(2))
