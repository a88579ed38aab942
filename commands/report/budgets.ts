import { z } from 'zod'
import type { CountedChange } from '../../src/features/reports/figures.ts'
import { reports } from '../../src/features/reports/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import type { BudgetRecord } from '../../src/kernel/command/context.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { effectiveStates, isUnsettled } from '../../src/kernel/model/change.ts'
import { type BudgetUse, usedWords, useOf } from '../../src/kernel/policy/budget.ts'
import { isAnyMatch } from '../../src/kernel/policy/pattern.ts'
import { csvLine } from '../../src/lib/codecs/csv.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { money } from '../../src/lib/view/format.ts'
import { chart, table, text } from '../../src/lib/view/view.ts'
import { grouped, sumOf } from './window.ts'

/** What counts against a budget, as when a change is asked for. */
const counted: ReadonlySet<string> = new Set(['approved', ...effectiveStates])

export const reportBudgets = defineQuery({
  name: 'report budgets',
  summary: 'Show how much of each budget is used now, and by whom',
  area: 'bellhop',
  input: z.object({}),
  examples: ['report budgets'],
  uses: [],
  async run(_, { records, of, now }) {
    const budgets = records.budgets()
    if (budgets.length === 0) {
      return answer({
        title: 'There are no budgets',
        tone: 'plain',
        blocks: [text('bellhop.yml can have some: see budgets in docs/policy.md.')],
      })
    }
    // What is not settled counts however old it is, so the whole log is read.
    const changes = await of(reports).changes(0)
    const rows = budgets.flatMap((budget) => usesOf(budget, changes, now))
    return answer(
      {
        kind: 'report',
        title: sentenceOf(rows),
        tone: rows.some(({ isOver }) => isOver) ? 'warn' : 'plain',
        blocks: [
          chart(
            'Used, in percent of the limit',
            'bar',
            Object.fromEntries(
              rows
                .slice(0, 12)
                .map((row) => [
                  `${row.budget.name}: ${row.who}${row.isOneOfSeveral ? `, ${row.currency ?? 'unknown currency'}` : ''}`,
                  row.budget.limit === 0 ? 100 : Math.round(100 * shareOf(row)),
                ]),
            ),
          ),
          table(
            ['Budget', 'Who', 'Used#', 'Left#'],
            rows.map((row) => [
              row.budget.name,
              row.who,
              usedWords(row),
              money(leftOf(row), { code: row.currency }),
            ]),
          ),
        ],
        footer: 'A limit holds in each currency by itself, unless bellhop.yml gives rates for its budget.',
      },
      {
        file: {
          name: 'budgets.csv',
          type: 'text/csv',
          content:
            csvLine(['budget', 'who', 'name', 'used', 'limit', 'window_seconds', 'currency']) +
            rows
              .map(({ budget, person, who, used, currency }) =>
                csvLine([
                  budget.name,
                  person,
                  who,
                  used,
                  budget.limit,
                  budget.windowMs / 1000,
                  currency ?? '',
                ]),
              )
              .join(''),
        },
      },
    )
  },
})

const leftOf = ({ used, budget: { limit } }: Use): number => Math.max(0, sumOf([limit, -used]))

/** "Used most: refunds a day, 180 of 200 USD used in the last 24 h by Sam Support" */
const sentenceOf = (rows: readonly Use[]): string => {
  const over = rows.filter(({ isOver }) => isOver)
  const [most] = rows.toSorted((one, other) => shareOf(other) - shareOf(one))
  const words = (row: Use) =>
    `${row.budget.name}, ${usedWords(row)}${row.who === 'nobody' || row.who === 'everyone' ? '' : ` by ${row.who}`}`
  if (over.length > 0) return `${plural(over.length, 'budget')} overdrawn: ${over.map(words).join('; ')}`
  return most === undefined || most.used === 0 ? 'No budget is used' : `Used most: ${words(most)}`
}

const shareOf = ({ used, budget: { limit } }: Use): number => (limit === 0 ? used : used / limit)

type Use = BudgetUse<BudgetRecord> & {
  person: string
  who: string
  isOneOfSeveral: boolean
}

const usesOf = (budget: BudgetRecord, changes: readonly CountedChange[], now: number): Use[] => {
  const spent = changes.filter(
    ({ names, state, changedAt, amount }) =>
      amount !== null &&
      counted.has(state) &&
      isAnyMatch(budget.commands, names) &&
      (changedAt >= now - budget.windowMs || state === 'applying' || isUnsettled(state)),
  )
  const used = (person: string, who: string, some: readonly CountedChange[]): Use[] => {
    const sums = some.map(({ currency, amount }) => ({ currency, sum: amount ?? 0 }))
    const known = [...new Set(sums.flatMap(({ currency }) => currency ?? []))]
    const currencies = budget.rates === undefined && known.length > 0 ? known : [null]
    return currencies.map((currency) => ({
      ...useOf(budget, sums, { amount: 0, currency }),
      person,
      who,
      isOneOfSeveral: currencies.length > 1,
    }))
  }
  if (budget.per === 'everyone') return used('everyone', 'everyone', spent)
  const people = grouped(spent, ({ requesterKey }) => String(requesterKey))
  // What somebody has left is told of all that they used, so they are named only to those who may see all of it.
  return people.length === 0
    ? used('', 'nobody', [])
    : people.flatMap(([, some]) => {
        const { requester } = some.find(({ isSeen }) => !isSeen) ?? (some[0] as CountedChange)
        return used(requester.person, requester.name, some)
      })
}
