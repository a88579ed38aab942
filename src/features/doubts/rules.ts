import { asksMore, clausesOf } from '../../kernel/law/clauses.ts'
import { whyNotRule } from '../../kernel/policy/evaluate.ts'
import { type Finding, someOf } from '../../kernel/policy/file/schema-findings.ts'
import { isAnyMatch } from '../../kernel/policy/pattern.ts'
import type { Policy, Rule } from '../../kernel/policy/policy.ts'
import type { Cell } from './decision-table.ts'

/** Rules that never decide. */
export const idleRules = ({ policies }: Policy, table: readonly Cell[]): Finding[] =>
  policies.flatMap((rule, at) => {
    if (table.some((cell) => cell.rule === at)) return []
    const message = `policies[${at}] "${rule.name}" can never match: ${whyIdle(rule, policies, table)}`
    return { path: ['policies', at], message }
  })

const whyIdle = (rule: Rule, policies: readonly Rule[], table: readonly Cell[]): string => {
  const own = table.filter(({ name }) => isAnyMatch(rule.commands, [name]))
  if (own.length === 0)
    return 'it is only about look-ups and decisions, and rules are about changes. Remove it.'
  const wanted = own.filter(({ name, amount }) => whyNotRule(rule, name, amount) === undefined)
  if (wanted.length === 0) return 'none of its commands has an amount. Leave amount out.'
  const before = [...new Set(wanted.map((cell) => `"${policies[cell.rule]?.name}"`))]
  return `${before.join(' and ')} before it ${before.length > 1 ? 'take' : 'takes'} all it could. Move it up or remove it.`
}

/** Amounts between two ranges that neither takes: they fall to something that was hardly meant for them. */
export const holes = ({ policies }: Policy, table: readonly Cell[]): Finding[] => {
  const byName = Map.groupBy(
    table.filter(({ amount }) => amount !== null),
    ({ name }) => name,
  )
  const found = [...byName].flatMap(([name, cells]) =>
    holesIn(policies, cells).map((hole) => ({ ...hole, name })),
  )
  const byPlace = Map.groupBy(found, ({ above, words, takenBy }) => JSON.stringify([above, words, takenBy]))
  return [...byPlace.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const { above, words, takenBy } = first
    return {
      path: ['policies', above, 'amount'],
      message: `amounts ${words} of ${someOf(same.map(({ name }) => name))} are in no range: ${takenBy}. Let the ranges meet, or give these a rule.`,
    }
  })
}

const holesIn = (
  policies: readonly Rule[],
  cells: readonly Cell[],
): { above: number; words: string; takenBy: string }[] => {
  const isRanged = ({ rule }: Cell) => policies[rule]?.amount !== undefined
  return cells.flatMap((cell, at) => {
    const below = cells[at - 1]
    const above = cells.find((one, after) => after > at && isRanged(one))
    if (below === undefined || above === undefined || isRanged(cell)) return []
    const [low, high] = [endBelow(policies, below), endAbove(policies, above)]
    if (low === undefined || high === undefined) return []
    // Amounts are in cents: between 50 and 50.01 there is none.
    if (high - low < 0.0101 || isBetween(policies, below, cell, above)) return []
    const isOpen = policies[above.rule]?.amount?.over !== undefined
    return {
      above: above.rule,
      words: `over ${low} and ${isOpen ? 'up to' : 'below'} ${high}`,
      takenBy:
        cell.rule === -1
          ? 'no rule is about them, and the default holds'
          : `"${policies[cell.rule]?.name}" decides about them`,
    }
  })
}

const endBelow = (policies: readonly Rule[], { rule }: Cell): number | undefined =>
  policies[rule]?.amount?.upTo

const endAbove = (policies: readonly Rule[], { rule }: Cell): number | undefined =>
  policies[rule]?.amount?.over ?? policies[rule]?.amount?.from

/** A rule for the rest that asks for no less than what is below and no more than what is above is meant so. */
const isBetween = (policies: readonly Rule[], ...[below, inside, above]: [Cell, Cell, Cell]): boolean => {
  if (inside.rule === -1) return false
  const [low, own, high] = [below, inside, above].map(({ rule }) =>
    clausesOf(policies[rule]?.require ?? [], ''),
  )
  return !asksMore(own ?? [], low ?? []) && !asksMore(high ?? [], own ?? [])
}

/** What a rule demands of commands that can never have it: nobody could ask for them. */
export const unmetDemands = ({ policies }: Policy, table: readonly Cell[]): Finding[] =>
  policies.flatMap((rule, at) => {
    const commands = table.flatMap(({ rule: decides, command }) => (decides === at && command ? command : []))
    const stuck = (key: 'reason' | 'evidence', words: string): Finding[] => {
      const names = new Set(commands.filter((one) => one[`${key}Of`] === undefined).map(({ name }) => name))
      if (rule[key] === undefined || names.size === 0) return []
      return [
        {
          path: ['policies', at, key],
          on: 'key',
          message: `policies[${at}] "${rule.name}" could never be met for ${someOf([...names])}: ${words}. Leave ${names.size > 1 ? 'them' : 'it'} out of the rule, or ${key} out of it.`,
        },
      ]
    }
    return [
      ...stuck('reason', 'no reason can be given there'),
      ...stuck('evidence', 'nothing is looked up there'),
    ]
  })
