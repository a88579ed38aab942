import type { Area, Clause } from '../../kernel/model/change.ts'
import { ruledFor, whyNotRule } from '../../kernel/policy/evaluate.ts'
import { type CommandRef, commandNamesOf, isMoney } from '../../kernel/policy/file/draft.ts'
import type { Policy } from '../../kernel/policy/policy.ts'
import { rowNouns } from '../../lib/services/endpoints/tables.ts'

/** Which rule decides about a name at an amount; null is an amount that is not known. */
export type Cell = {
  name: string
  area: Area
  movesMoney: boolean
  /** Undefined for what only `api call` reaches. */
  command: CommandRef | undefined
  amount: number | null
  /** Its place among the rules; -1 where none decides. */
  rule: number
}

/**
 * What the rules say to every change. Between two ends of their ranges nothing can differ, so each end, one amount between
 * each two of them and one above all stand for all amounts.
 */
export const decisionTable = ({ policies }: Policy, commands: readonly CommandRef[]): Cell[] => {
  const ends = policies.flatMap(({ amount }) => (amount ? Object.values(amount) : []))
  const sorted = [...new Set([0, ...ends])].toSorted((one, other) => one - other)
  const amounts = sorted.flatMap((end, at) => [end, (end + (sorted[at + 1] ?? end + 2)) / 2])
  return namesOf(commands).flatMap(({ hasAmount, ...about }) =>
    [null, ...(hasAmount ? amounts : [])].map((amount) => ({
      ...about,
      amount,
      rule: policies.findIndex((rule) => whyNotRule(rule, about.name, amount) === undefined),
    })),
  )
}

/** What the rules and the defaults ask for, budgets and duplicates aside. */
export const askedOf = (
  policy: Policy,
  { name, area, movesMoney, amount }: Omit<Cell, 'rule'>,
): readonly Clause[] => ruledFor(policy, { names: [name], area, movesMoney, amount }).clauses

const namesOf = (
  commands: readonly CommandRef[],
): (Pick<Cell, 'name' | 'area' | 'movesMoney' | 'command'> & { hasAmount: boolean })[] => {
  const changes = commands.filter(({ kind = 'change' }) => kind === 'change')
  const own = changes.flatMap((command) =>
    commandNamesOf(command).map((name) => ({
      name,
      area: command.area ?? 'bellhop',
      movesMoney: isMoney(command),
      command,
      hasAmount: command.amountOf !== undefined,
    })),
  )
  // `api call` may move money, whatever it stands for; a noun is what its other endpoints go by.
  const reached = [
    ...commands
      .filter(({ kind }) => kind === 'switch')
      .map(({ name, movesMoney }) => ({
        name,
        hasAmount: movesMoney !== false,
        movesMoney: movesMoney !== false,
      })),
    ...rowNouns().map((name) => ({ name, hasAmount: false, movesMoney: true })),
  ]
  const all = [...own, ...reached.map((one) => ({ ...one, area: 'bellhop', command: undefined }))]
  return all.filter(({ name }, at) => all.findIndex((other) => other.name === name) === at)
}
