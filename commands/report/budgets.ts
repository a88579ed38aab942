import { z } from 'zod'
import type { CountedChange } from '../../src/audit/figures.ts'
import { csvLine } from '../../src/bulk/csv.ts'
import { answer } from '../../src/command/answer.ts'
import type { BudgetRecord } from '../../src/command/context.ts'
import { defineQuery } from '../../src/command/define.ts'
import { printDuration } from '../../src/policy/duration.ts'
import { isAnyMatch } from '../../src/policy/pattern.ts'
import { plural } from '../../src/view/button-labels.ts'
import { money } from '../../src/view/format.ts'
import { chart, table, text } from '../../src/view/view.ts'
import { grouped, sumOf } from './window.ts'

/** What counts against a budget, as when a change is asked for. */
const counted: ReadonlySet<string> = new Set(['approved', 'applying', 'applied', 'unknown'])

export const reportBudgets = defineQuery({
  name: 'report budgets',
  summary: 'Show how much of each budget is used now, and by whom',
  area: 'bellhop',
  input: z.object({}),
  examples: ['report budgets'],
  uses: [],
  async run(_, { records, now }) {
    const budgets = records.budgets()
    if (budgets.length === 0) {
      return answer({
        title: 'There are no budgets',
        tone: 'plain',
        blocks: [text('bellhop.yml can have some: see budgets in docs/policy.md.')],
      })
    }
    // What is not settled counts however old it is, so the whole log is read.
    const changes = await records.audit.changes(0)
    const rows = budgets.flatMap((budget) => usesOf(budget, changes, now))
    return answer(
      {
        kind: 'report',
        title: sentenceOf(rows),
        tone: rows.some(({ used, limit }) => used > limit) ? 'warn' : 'plain',
        blocks: [
          chart(
            'Used, in percent of the limit',
            'bar',
            Object.fromEntries(
              rows
                .slice(0, 12)
                .map(({ budget, who, used, limit }) => [
                  `${budget}: ${who}`,
                  limit === 0 ? 100 : Math.round((100 * used) / limit),
                ]),
            ),
          ),
          table(
            ['Budget', 'Who', 'Used#', 'Left#'],
            rows.map(({ budget, who, used, limit, windowMs }) => [
              budget,
              who,
              `${money(used)} of ${money(limit)} in ${printDuration(windowMs)}`,
              money(leftOf({ used, limit })),
            ]),
          ),
        ],
        footer: 'Amounts are plain numbers: a budget does not convert currencies.',
      },
      {
        file: {
          name: 'budgets.csv',
          type: 'text/csv',
          content:
            csvLine(['budget', 'who', 'name', 'used', 'limit', 'window_seconds']) +
            rows
              .map(({ budget, person, who, used, limit, windowMs }) =>
                csvLine([budget, person, who, used, limit, windowMs / 1000]),
              )
              .join(''),
        },
      },
    )
  },
})

const leftOf = ({ used, limit }: Pick<Use, 'used' | 'limit'>): number => Math.max(0, sumOf([limit, -used]))

/** "Most of refunds a day is used by Sam Support: 180 of 200" */
const sentenceOf = (rows: readonly Use[]): string => {
  const over = rows.filter(({ used, limit }) => used > limit)
  const [most] = rows.toSorted((one, other) => shareOf(other) - shareOf(one))
  const words = ({ budget, who, used, limit }: Use) =>
    `${budget}, ${money(used)} of ${money(limit)} used${who === 'nobody' || who === 'everyone' ? '' : ` by ${who}`}`
  if (over.length > 0) return `${plural(over.length, 'budget')} overdrawn: ${over.map(words).join('; ')}`
  return most === undefined || most.used === 0 ? 'No budget is used' : `Used most: ${words(most)}`
}

const shareOf = ({ used, limit }: Use): number => (limit === 0 ? used : used / limit)

type Use = { budget: string; person: string; who: string; used: number; limit: number; windowMs: number }

const usesOf = (
  { name, commands, per, windowMs, limit }: BudgetRecord,
  changes: readonly CountedChange[],
  now: number,
): Use[] => {
  const spent = changes.filter(
    ({ names, state, changedAt, amount }) =>
      amount !== null &&
      counted.has(state) &&
      isAnyMatch(commands, names) &&
      (changedAt >= now - windowMs || state === 'applying' || state === 'unknown'),
  )
  const use = (person: string, who: string, some: readonly CountedChange[]): Use => ({
    budget: name,
    person,
    who,
    used: sumOf(some.map(({ amount }) => amount ?? 0)),
    limit,
    windowMs,
  })
  if (per === 'everyone') return [use('everyone', 'everyone', spent)]
  const people = grouped(spent, ({ requesterKey }) => String(requesterKey))
  // What somebody has left is told of all that they used, so they are named only to those who may see all of it.
  return people.length === 0
    ? [use('', 'nobody', [])]
    : people.map(([, some]) => {
        const { requester } = some.find(({ isSeen }) => !isSeen) ?? (some[0] as CountedChange)
        return use(requester.person, requester.name, some)
      })
}
