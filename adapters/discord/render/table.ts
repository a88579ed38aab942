import type { Block } from '../../../src/lib/view/view.ts'
import { discordLimits } from '../protocol/limits.ts'
import { ageOf, clipText, dateOf, escapeOneLine, isBlank, toOneLine } from './escape.ts'

type Table = Extract<Block, { kind: 'table' }>
type Lined = { kind: 'lines' | 'fence'; lines: string[]; unit: string }

/** Readable on a phone: columns in a fence where they are narrow enough, otherwise a line of labelled values per row. */
export const tableSection = ({ columns, rows }: Table): Lined | undefined => {
  if (rows.length === 0 || columns.length === 0) return undefined
  const cells = rows.map((row) =>
    columns.map((_, at) => clipText(toOneLine(row[at] ?? ''), discordLimits.cell)),
  )
  const labels = columns.map(({ label }) => clipText(toOneLine(label), discordLimits.cell))
  const widths = labels.map((label, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] as string)), widthOf(label)),
  )
  const width = widths.reduce((sum, one) => sum + one + 2, -2)
  // A fence shows a timestamp as it is written.
  if (width > discordLimits.phoneColumns || columns.some(({ times }) => times !== undefined))
    return {
      kind: 'lines',
      lines: cells.map((row, line) =>
        rowLine(
          labels,
          row.map((cell, at) => shownOf(cell, columns[at], line)),
        ),
      ),
      unit: 'row',
    }
  const aligned = (row: string[]) =>
    row
      .map((cell, at) => pad(cell, widths[at] as number, columns[at]?.align === 'right'))
      .join('  ')
      .trimEnd()
  return { kind: 'fence', lines: [aligned(labels), ...cells.map(aligned)], unit: 'row' }
}

const rowLine = (labels: string[], [first = '', ...rest]: string[]): string => {
  const others = rest.flatMap((cell, at) =>
    isBlank(cell) ? [] : [`${escapeOneLine(labels[at + 1] ?? '')}: ${cell}`],
  )
  return [`**${isBlank(first) ? '(empty)' : first}**`, ...others].join(' · ')
}

/** What is compared is a date, what is near is an age. */
const shownOf = (cell: string, column: Table['columns'][number] | undefined, line: number): string => {
  const time = column?.times?.[line]
  return time ? (column?.isDate ? dateOf : ageOf)(time) : escapeOneLine(cell)
}

/** As many columns as it has characters: near enough for what people write, and never less than one a character. */
const widthOf = (words: string): number => [...words].length

const pad = (words: string, width: number, isRight: boolean): string => {
  const space = ' '.repeat(Math.max(0, width - widthOf(words)))
  return isRight ? space + words : words + space
}
