import { styleText } from 'node:util'
import { drawable, drawableBlock } from './drawable.ts'
import { distance } from './format.ts'
import { formatNumber } from './format-number.ts'
import { mentionText } from './mentions.ts'
import type { Thing } from './thing.ts'
import { allColumns, type Block, leadColumns, type Request, type Tone, unfolded, type View } from './view.ts'
import { joinWords, type Moment, plainWords, sentence, type Words } from './words.ts'
import { zonedTime } from './zones.ts'

/**
 * `details`: with everything that a reader elsewhere asks for by a button. `isWhole`: with all columns of tables. Times are
 * in the zone that is given, and with `now` also as a distance from it; `clock` writes them in another way.
 */
type TextOptions = {
  colour?: boolean
  numbered?: boolean
  details?: boolean
  isWhole?: boolean
  zone?: string
  now?: number
  clock?: Clock
}

type Clock = (moment: Moment) => string

/** How times are written: exactly, by their age alone in lists, and both in facts. */
type Clocks = { exact: Clock; age: Clock; both: Clock }

const clocksOf = ({ zone, now, clock }: TextOptions): Clocks => {
  const exact = clock ?? ((moment) => (zone === undefined ? moment.text : zonedTime(moment.at, zone)))
  if (now === undefined) return { exact, age: exact, both: exact }
  const age: Clock = ({ at }) => distance(at, now)
  return { exact, age, both: (moment) => `${exact(moment)} (${age(moment)})` }
}
const inUtc = clocksOf({})

/** The view as plain text, for the terminal, notifications and screen readers. */
export const textOfView = (given: View, options: TextOptions = {}): string => {
  const view = drawable(given)
  const { colour = false, numbered = false, details = false, isWhole = false } = options
  const paint = colour ? styleText : (_: unknown, words: string) => words
  const clocks = clocksOf(options)
  const wholly = (block: Block): Block => (block.kind === 'table' && isWhole ? allColumns(block) : block)
  const sections = [
    paint(['bold', colours[view.tone]], view.title),
    mentionText(view),
    ...[...view.blocks.map(wholly), ...(details ? (view.details ?? []) : []).map(isWhole ? wholly : unfolded)]
      .map((block) => (numbered ? withNumbers(block, view.menu) : block))
      .map((block) => blockText(block, paint, clocks)),
    ...(view.footer === undefined ? [] : [paint('dim', lineOf(view.footer, clocks))]),
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
        return number === '' ? fact : { ...fact, value: joinWords([fact.value, ` [${number}]`]) }
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

/** Labels are aligned up to this width; a longer label moves only its own value. */
const maxPadding = 40

type Paint = (style: Parameters<typeof styleText>[0], words: string) => string

/** One block of a view, without colours. */
export const textOfBlock = (block: Block): string =>
  blockText(drawableBlock(block), (_, words) => words, inUtc)

const blockText = (block: Block, paint: Paint, clocks: Clocks): string => {
  switch (block.kind) {
    case 'turn':
      return [...block.lines.map((line) => lineOf(line, clocks)), paint('dim', quietLine(block, clocks))]
        .filter((line) => line !== '')
        .join('\n')
    case 'quote':
      return `> ${block.text}  (${block.by})`
    case 'text':
      return lineOf(block.text, clocks)
    case 'note':
      return paint(colours[block.tone], `${marks[block.tone]}${lineOf(block.text, clocks)}`)
    case 'facts': {
      const width = Math.min(maxPadding, Math.max(0, ...block.facts.map(({ label }) => label.length)))
      return block.facts
        .map(
          ({ label, value, time }) =>
            `${paint('dim', label.padEnd(width))}  ${time === undefined ? lineOf(value, clocks) : clocks.both(time)}`,
        )
        .join('\n')
    }
    case 'diff':
      return block.changes
        .map(({ label, before, after }) => {
          const side = (words: Words) => lineOf(words, clocks) || '(empty)'
          const from = before === null ? '' : `${paint('red', side(before))} -> `
          return `${label}: ${from}${after === null ? 'removed' : paint('green', side(after))}`
        })
        .join('\n')
    case 'table':
      return tableText(leadColumns(block), paint, clocks)
    case 'requests':
      return block.requests.map((one) => requestText(one, paint, clocks)).join('\n\n')
    case 'list':
      return block.items.map((item) => `- ${lineOf(item, clocks)}`).join('\n')
    case 'address':
      return `${block.label}: ${block.url}`
    case 'code':
      return block.text.replace(/^/gm, '  ')
    case 'chart':
      return [block.title, ...block.series.flatMap((one) => seriesLines(one, block.series.length > 1))].join(
        '\n',
      )
    case 'progress':
      return `${block.label} ${progressBar(block.done, block.total)}`
  }
}

const lineOf = (words: Words, { exact }: Clocks): string => plainWords(words, exact)

const requestText = (one: Request, paint: Paint, clocks: Clocks): string => {
  const { needs, facts } = requestWords(one)
  return [
    paint('bold', one.title),
    `  ${one.by} asks, ${clocks.age(one.asked)}${plainWords(needs, clocks.exact)}`,
    ...(facts === '' ? [] : [`  ${plainWords(facts, clocks.exact)}`]),
    ...one.warnings.map((words) => `  ${marks.warn}${lineOf(words, clocks)}`),
  ].join('\n')
}

/** " · “Charged twice” · Needs 1 approval from finance", behind who asks and since when; and the facts to compare in one line. */
export const requestWords = ({
  why,
  needs,
  facts,
}: Pick<Request, 'why' | 'needs' | 'facts'>): { needs: Words; facts: Words } => ({
  needs: joinWords([...(why === undefined ? [] : [why]), ...needs].flatMap((line) => [' · ', line])),
  facts: joinWords(
    facts.map(({ label, value }) => sentence`${label}: ${value}`),
    ' · ',
  ),
})

/** "Asked by Sam · expires 12 Nov 2026, 09:30 UTC" */
const quietLine = ({ by, time }: Extract<Block, { kind: 'turn' }>, { age }: Clocks): string =>
  [by, time === undefined ? '' : `${time.words} ${age(time.moment)}`.trim()]
    .filter((part) => part !== '')
    .join(' · ')

export const progressBar = (done: number, total: number, width = 24): string => {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0
  const full = Math.round(share * width)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}] ${Math.floor(share * 100)}%`
}

const tableText = (
  { columns, rows }: Extract<Block, { kind: 'table' }>,
  paint: Paint,
  { age, exact }: Clocks,
): string => {
  const cells = rows.map((row, line) =>
    columns.map(({ times, isDate }, at) => {
      const time = times?.[line]
      return time ? (isDate ? exact : age)(time) : (row[at] ?? '').replace(/\s+/g, ' ')
    }),
  )
  const widths = columns.map(({ label }, at) =>
    Math.max(label.length, ...cells.map((row) => (row[at] as string).length)),
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
  return [paint('bold', line(columns.map(({ label }) => label))), ...cells.map(line)].join('\n')
}

/** Under its name where there are several; of many points those that are nothing are left out. */
const seriesLines = ({ name, points }: { name: string; points: Point[] }, isNamed: boolean): string[] => [
  ...(isNamed ? [name] : []),
  ...bars(points.length > maxBars ? points.filter(({ value }) => value !== 0) : points),
]
const maxBars = 12
type Point = { label: string; value: number }

const bars = (points: Point[]): string[] => {
  const most = Math.max(1, ...points.map(({ value }) => value))
  const width = Math.min(maxPadding, Math.max(0, ...points.map(({ label }) => label.length)))
  return points.map(
    ({ label, value }) =>
      `${label.padEnd(width)}  ${'#'.repeat(Math.max(0, Math.round((value / most) * 30)))} ${formatNumber(value)}`,
  )
}

const colours = { plain: 'reset', good: 'green', warn: 'yellow', bad: 'red' } as const satisfies Record<
  Tone,
  string
>
const marks: Record<Tone, string> = { plain: '', good: '✓ ', warn: '! ', bad: '! ' }
