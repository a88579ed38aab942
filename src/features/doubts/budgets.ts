import { asksMore, clausesOf } from '../../kernel/law/clauses.ts'
import { type Finding, someOf } from '../../kernel/policy/file/schema-findings.ts'
import { isAnyMatch } from '../../kernel/policy/pattern.ts'
import type { Budget, Policy } from '../../kernel/policy/policy.ts'
import { money } from '../../lib/view/format.ts'
import { askedOf, type Cell } from './decision-table.ts'

/** Budgets that are wider than what the rules say, or that count what has no amount. */
export const wideBudgets = (policy: Policy, table: readonly Cell[]): Finding[] =>
  policy.budgets.flatMap((budget, at) => {
    const cells = table.filter(({ name }) => isAnyMatch(budget.commands, [name]))
    const counted = cells.filter(({ name }) =>
      cells.some((other) => other.name === name && other.amount !== null),
    )
    const called = `budgets[${at}] "${budget.name}"`
    return [
      ...withoutAmount(cells, counted).map((message) => ({
        path: ['budgets', at, 'commands'],
        message: `${called} ${message}`,
      })),
      ...(counted.length === 0 ? [] : tooWide(policy, budget, counted)).map((message) => ({
        path: ['budgets', at, 'limit'],
        message: `${called} ${message}`,
      })),
    ]
  })

const withoutAmount = (cells: readonly Cell[], counted: readonly Cell[]): string[] => {
  const names = cells.flatMap((cell) => (counted.includes(cell) || !cell.command ? [] : cell.name))
  return names.length === 0
    ? []
    : [
        `covers ${someOf(names)}, which never ${names.length > 1 ? 'have' : 'has'} an amount: what is not known is always too much, so each of them needs what it asks for. Name only commands that move money.`,
      ]
}

const tooWide = (policy: Policy, { limit, then }: Budget, cells: readonly Cell[]): string[] => {
  const needed = clausesOf(then, '')
  const less = cells.filter((cell) => asksMore(askedOf(policy, cell), needed))
  if (less.length === 0) return ['changes nothing: whatever it is about needs as much already. Remove it.']
  const ends = less.flatMap(({ rule }) =>
    rule === -1 ? [] : (policy.policies[rule]?.amount?.upTo ?? Infinity),
  )
  const most = Math.max(...ends)
  return ends.length === 0 || limit <= most
    ? []
    : [
        `is wider than every rule: its limit is ${money(limit)}, and no rule lets more than ${money(most)} pass with less than it asks for. Small ones would add up to more than a large one: lower the limit.`,
      ]
}
