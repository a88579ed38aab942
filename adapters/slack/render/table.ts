import { plural } from '../../../src/lib/view/button-labels.ts'
import { leadColumns, type TableBlock } from '../../../src/lib/view/view.ts'
import type { Moment } from '../../../src/lib/view/words.ts'
import { ageElement, clockElement, contextBlock, type SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { linesThatFit, type MessageBudget, preformatted } from './message-budget.ts'
import { maxItems, plainTextOfBlock } from './plain-text.ts'
import { ellipsize, plainText, truncate, visible } from './text.ts'

/**
 * A table that Slack sorts and pages, or its older one where a workspace does not take that; once a message. The next one
 * is drawn in text, line by line where it names times, which stay in their reader's own way. What does not fit is counted.
 */
export const tableBlocks = (
  whole: TableBlock,
  caption: string,
  budget: MessageBudget,
): SlackBlock[] | undefined => {
  const table = leadColumns(whole)
  if (table.columns.length === 0) return []
  if (budget.tables === 0) {
    budget.isWhole &&= table.rows.length <= maxItems
    return table.columns.some(({ times }) => times !== undefined)
      ? rowLines(table, budget)
      : preformatted(plainTextOfBlock(table), budget)
  }
  const isSorted = !budget.refused.has('data_table') && table.rows.length > 0
  const maxRows = isSorted ? limits.dataTable.rows : limits.table.rows
  const columns = table.columns.slice(0, limits.table.cells)
  const header = columns.map((column) => cell(column.label, column))
  let json = 400 + columns.length * 40 + JSON.stringify(header).length
  let characters = charactersOf(header)
  const rows = [header]
  for (const [line, values] of table.rows.entries()) {
    const row = columns.map((column, at) => cell(values[at] ?? '', column, column.times?.[line]))
    json += JSON.stringify(row).length + 1
    characters += charactersOf(row)
    if (json > budget.json || characters > limits.table.characters || rows.length === maxRows) break
    rows.push(row)
  }
  budget.isWhole &&= rows.length - 1 === table.rows.length
  const notes = [
    ...(table.rows.length === 0 ? ['No rows.'] : []),
    ...leftOut(table.rows.length - (rows.length - 1), 'row'),
    ...leftOut(table.columns.length - columns.length, 'column'),
  ]
  return [
    isSorted && rows.length > 1
      ? {
          type: 'data_table',
          caption: visible(ellipsize(caption, limits.dataTable.caption)),
          page_size: Math.min(rows.length - 1, limits.dataTable.page),
          rows,
        }
      : {
          type: 'table',
          rows,
          column_settings: columns.map(({ align }) => ({ align, is_wrapped: true })),
        },
    ...(notes.length === 0 ? [] : [contextBlock(plainText(notes.join(' ')))]),
  ]
}

const rowLines = ({ columns, rows }: TableBlock, budget: MessageBudget): SlackBlock[] | undefined =>
  linesThatFit(budget, [...rows.entries()], 'row', ([line, values]) =>
    columns.flatMap((column, at) => {
      const { label, times } = column
      const value = values[at] ?? ''
      const time = times?.[line]
      if (at > 0 && value === '' && !time) return []
      const lead = at === 0 ? '•  ' : `  ·  ${label}: `
      const words = visible(truncate(value, limits.table.cell))
      return [
        { type: 'text' as const, text: lead },
        time ? timeElement(column, time) : { type: 'text' as const, text: words },
      ]
    }),
  )

type Column = TableBlock['columns'][number]

/** What is compared is a date, what is near is an age. */
const timeElement = ({ isDate }: Column, time: Moment) => (isDate ? clockElement : ageElement)(time)

const cell = (text: string, column: Column, time?: Moment | null) =>
  time
    ? {
        type: 'rich_text' as const,
        elements: [{ type: 'rich_text_section' as const, elements: [timeElement(column, time)] }],
      }
    : { type: 'raw_text' as const, text: visible(truncate(text, limits.table.cell)) }

const charactersOf = (row: ReturnType<typeof cell>[]): number =>
  row.reduce((sum, one) => sum + (one.type === 'raw_text' ? one.text.length : dateCharacters), 0)
/** As long as a date with its distance gets in any language, about. */
const dateCharacters = 50
const leftOut = (count: number, one: string): string[] =>
  count > 0 ? [`${plural(count, `more ${one}`)} left out.`] : []
