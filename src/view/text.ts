import { styleText } from 'node:util'
import { distance } from './format.ts'
import { mentionText } from './mentions.ts'
import type { Thing } from './thing.ts'
import {
  allColumns,
  type Block,
  leadColumns,
  type Moment,
  type Request,
  type Tone,
  type View,
} from './view.ts'
import { visibleLine, visibleText } from './visible.ts'

/** `details`: with everything that a reader elsewhere asks for by a button. `isWhole`: with all columns of tables. */
type TextOptions = {
  colour?: boolean
  numbered?: boolean
  details?: boolean
  isWhole?: boolean
  now?: number
}

/** The view as plain text, for the terminal, notifications and screen readers. */
export const textOfView = (
  view: View,
  { colour = false, numbered = false, details = false, isWhole = false, now }: TextOptions = {},
): string => {
  const paint = colour ? styleText : (_: unknown, words: string) => words
  const sections = [
    paint(['bold', colours[view.tone]], visibleLine(view.title)),
    mentionText(view),
    ...[...view.blocks, ...(details ? (view.details ?? []) : [])]
      .map((block) => (block.kind === 'table' && isWhole ? allColumns(block) : block))
      .map((block) => (numbered ? withNumbers(block, view.menu) : block))
      .map((block) => textOfBlock(now === undefined ? block : withDistances(block, now), paint)),
    ...(view.footer === undefined ? [] : [paint('dim', visibleLine(view.footer))]),
  ]
  return sections.filter((section) => section !== '').join('\n\n')
}

/** The things that something can be done with have numbers, which people type to choose one. */
const withNumbers = (block: Block, menu: View['menu']): Block => {
  const numberOf = (thing: Thing | null | undefined): string => {
    const item = menu?.items.find((one) => one.thing.kind === thing?.kind && one.thing.id === thing?.id)
    return item === undefined ? '' : String(item.at + 1)
  }
  if (block.kind === 'facts') {
    return {
      ...block,
      facts: block.facts.map((fact) => {
        const number = numberOf(fact.thing)
        return number === '' ? fact : { ...fact, value: `${fact.value} [${number}]` }
      }),
    }
  }
  if (block.kind === 'requests') {
    return {
      ...block,
      requests: block.requests.map((one) => {
        const number = numberOf(one.thing)
        return number === '' ? one : { ...one, title: `${number}. ${one.title}` }
      }),
    }
  }
  if (block.kind !== 'table' || !block.things?.some((thing) => numberOf(thing) !== '')) return block
  return {
    ...block,
    columns: [{ label: '#', align: 'right' }, ...block.columns],
    rows: block.rows.map((row, at) => [numberOf(block.things?.[at]), ...row]),
  }
}

/** For a reader who reads it now: each exact time with its distance, and in a list its age alone. */
const withDistances = (block: Block, now: number): Block => {
  const wordsOf = (words: string, time: Moment | null | undefined) =>
    time ? `${words} (${distance(time.at, now)})` : words
  if (block.kind === 'requests')
    return {
      ...block,
      requests: block.requests.map((one) => ({
        ...one,
        asked: { ...one.asked, text: distance(one.asked.at, now) },
      })),
    }
  if (block.kind === 'turn' && block.time !== undefined) {
    const { words, moment } = block.time
    return { ...block, time: { words, moment: { ...moment, text: distance(moment.at, now) } } }
  }
  if (block.kind === 'facts')
    return {
      ...block,
      facts: block.facts.map((fact) => ({ ...fact, value: wordsOf(fact.value, fact.time) })),
    }
  if (block.kind !== 'table') return block
  const ageOf = (cell: string, time: Moment | null | undefined) => (time ? distance(time.at, now) : cell)
  const rows = block.rows.map((row, line) =>
    row.map((cell, at) => ageOf(cell, block.columns[at]?.times?.[line])),
  )
  return { ...block, rows }
}

/** Labels are aligned up to this width; a longer label moves only its own value. */
const mostPadding = 40

type Paint = (style: Parameters<typeof styleText>[0], words: string) => string

/** One block of a view, without colours if no painter is given. */
export const textOfBlock = (block: Block, paint: Paint = (_, words) => words): string => {
  switch (block.kind) {
    case 'turn':
      return [...block.lines.map((line) => indent(line, 2)), paint('dim', quietLine(block))]
        .filter((line) => line !== '')
        .join('\n')
    case 'quote':
      return `> ${indent(block.text, 2)}  (${visibleLine(block.by)})`
    case 'text':
      return indent(block.text, 2)
    case 'note':
      return paint(colours[block.tone], `${marks[block.tone]}${indent(block.text, 2)}`)
    case 'facts': {
      const width = Math.min(mostPadding, Math.max(0, ...block.facts.map(({ label }) => label.length)))
      return block.facts
        .map(
          ({ label, value }) =>
            `${paint('dim', `${visibleLine(label).padEnd(width)}`)}  ${indent(value, width + 2)}`,
        )
        .join('\n')
    }
    case 'diff':
      return block.changes
        .map(({ label, before, after }) => {
          const from = before === null ? '' : `${paint('red', visibleLine(before) || '(empty)')} -> `
          return `${visibleLine(label)}: ${from}${after === null ? 'removed' : paint('green', visibleLine(after) || '(empty)')}`
        })
        .join('\n')
    case 'table':
      return tableText(leadColumns(block), paint)
    case 'requests':
      return block.requests.map((one) => requestText(one, paint)).join('\n\n')
    case 'list':
      return block.items.map((item) => `- ${indent(item, 2)}`).join('\n')
    case 'code':
      return `  ${indent(block.text, 2)}`
    case 'chart':
      return [visibleLine(block.title), ...block.series.flatMap(({ points }) => bars(points))].join('\n')
    case 'progress':
      return `${visibleLine(block.label)} ${progressBar(block.done, block.total)}`
  }
}

const requestText = (one: Request, paint: Paint): string => {
  const { needs, facts } = requestWords(one)
  return [
    paint('bold', visibleLine(one.title)),
    `  ${visibleLine(one.by)} asks, ${one.asked.text}${needs}`,
    ...(facts === '' ? [] : [`  ${facts}`]),
    ...one.warnings.map((words) => `  ${marks.warn}${visibleLine(words)}`),
  ].join('\n')
}

/** " · Needs 1 approval from finance", behind who asks and since when; and the facts to compare in one line. */
export const requestWords = ({
  needs,
  facts,
}: Pick<Request, 'needs' | 'facts'>): { needs: string; facts: string } => ({
  needs: needs.map((line) => ` · ${visibleLine(line)}`).join(''),
  facts: facts.map(({ label, value }) => `${visibleLine(label)}: ${visibleLine(value)}`).join(' · '),
})

/** "Asked by Sam · expires 12 Nov 2026, 09:30 UTC" */
const quietLine = ({ by, time }: Extract<Block, { kind: 'turn' }>): string =>
  [visibleLine(by), time === undefined ? '' : `${time.words} ${time.moment.text}`.trim()]
    .filter((part) => part !== '')
    .join(' · ')

export const progressBar = (done: number, total: number, width = 24): string => {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0
  const full = Math.round(share * width)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(share * 100)}%`
}

const tableText = ({ columns, rows }: Extract<Block, { kind: 'table' }>, paint: Paint): string => {
  const cells = rows.map((row) => columns.map((_, at) => visibleLine(row[at] ?? '').replace(/\s+/g, ' ')))
  const widths = columns.map(({ label }, at) =>
    Math.max(visibleLine(label).length, ...cells.map((row) => (row[at] as string).length)),
  )
  const line = (row: string[]) =>
    row
      .map((cell, at) =>
        columns[at]?.align === 'right'
          ? cell.padStart(widths[at] as number)
          : cell.padEnd(widths[at] as number),
      )
      .join('  ')
      .trimEnd()
  return [paint('bold', line(columns.map(({ label }) => visibleLine(label)))), ...cells.map(line)].join('\n')
}

const bars = (points: { label: string; value: number }[]): string[] => {
  const most = Math.max(1, ...points.map(({ value }) => value))
  const width = Math.min(mostPadding, Math.max(0, ...points.map(({ label }) => label.length)))
  return points.map(
    ({ label, value }) =>
      `${visibleLine(label).padEnd(width)}  ${'#'.repeat(Math.max(0, Math.round((value / most) * 30)))} ${value.toLocaleString('en-US')}`,
  )
}

/** Lines after the first stand further in, so that none of them looks like a line of ours. */
const indent = (words: string, by: number): string =>
  visibleText(words).replaceAll('\n', `\n${' '.repeat(by)}`)

const colours = { plain: 'reset', good: 'green', warn: 'yellow', bad: 'red' } as const satisfies Record<
  Tone,
  string
>
const marks: Record<Tone, string> = { plain: '', good: '✓ ', warn: '! ', bad: '! ' }
