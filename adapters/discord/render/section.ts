import { plural } from '../../../src/lib/view/button-labels.ts'
import { cutMiddle, cutWords } from '../../../src/lib/view/cut.ts'
import { formatNumber } from '../../../src/lib/view/format-number.ts'
import { progressBar, requestWords } from '../../../src/lib/view/text.ts'
import { type Action, type Block, leadColumns, type Request, type Tone } from '../../../src/lib/view/view.ts'
import type { Words } from '../../../src/lib/view/words.ts'
import { discordLimits } from '../protocol/limits.ts'
import { ageOf, clipText, escapeOneLine, isBlank, markdownOf, timestampOf } from './escape.ts'
import { tableSection } from './table.ts'

export type Chart = Extract<Block, { kind: 'chart' }>

/** A block on its way to Discord: how it may be cut is all that is left to decide. */
export type Section =
  /** Whole lines of markdown. */
  | { kind: 'lines'; lines: string[]; unit: string; actions?: Action[] }
  /** Plain text, to be escaped; it can be cut anywhere. */
  | { kind: 'prose'; text: Words; lead: string; keepsEnd?: true }
  /** Plain text for a fence. */
  | { kind: 'fence'; lines: string[]; unit: string }
  | { kind: 'picture'; chart: Chart }
  | { kind: 'link'; label: string; url: string }

/** Undefined for a block that shows nothing: Discord refuses an empty text. */
export const sectionOf = (block: Block, isDrawn: boolean): Section | undefined => {
  switch (block.kind) {
    case 'turn':
      return linesSection(
        [
          ...block.lines.map(lineOf),
          `-# ${escapeOneLine(cutValue(block.by))}${block.time === undefined ? '' : ` · ${`${block.time.words} ${timestampOf(block.time.moment)}`.trim()}`}`,
        ],
        'line',
      )
    case 'quote':
      return isBlank(block.text)
        ? undefined
        : linesSection(
            [`> ${escapeOneLine(cutValue(block.text))}  *${escapeOneLine(cutValue(block.by))}*`],
            'line',
          )
    case 'text':
      return isBlank(block.text) ? undefined : { kind: 'prose', text: block.text, lead: '' }
    case 'note':
      return isBlank(block.text)
        ? undefined
        : { kind: 'prose', text: block.text, lead: marks[block.tone], keepsEnd: true }
    case 'facts':
      return linesSection(
        block.facts.map(
          ({ label, value, time }) => `${bold(label)}: ${time ? timestampOf(time) : shownOf(value)}`,
        ),
        'line',
      )
    case 'diff':
      return linesSection(
        block.changes.map(
          ({ label, before, after }) =>
            `${bold(label)}: ${sideOf(before, '~~')}${after === null ? 'removed' : sideOf(after, '**')}`,
        ),
        'change',
      )
    case 'table':
      return tableSection(leadColumns(block))
    case 'requests':
      return undefined
    case 'list':
      return linesSection(
        block.items.filter((item) => !isBlank(item)).map((item) => `- ${lineOf(item)}`),
        'item',
      )
    case 'address':
      return {
        kind: 'link',
        label: clipText(block.label, discordLimits.button.label),
        url: block.url,
      }
    case 'code':
      return isBlank(block.text) ? undefined : { kind: 'fence', lines: block.text.split('\n'), unit: 'line' }
    case 'chart':
      return isDrawn ? { kind: 'picture', chart: block } : chartLines(block)
    case 'progress':
      return linesSection([...(isBlank(block.label) ? [] : [bold(block.label)]), progressOf(block)], 'line')
  }
}

/** What waits, a section each with its own buttons; behind the first few, which Discord has room for, lines alone. */
export const requestSections = (requests: readonly Request[], room: number): Section[] => [
  ...requests
    .slice(0, room)
    .map(
      (one): Section => ({ kind: 'lines', lines: requestLinesOf(one), unit: 'line', actions: one.actions }),
    ),
  ...(requests.length <= room
    ? []
    : [
        {
          kind: 'lines' as const,
          lines: requests.slice(room).flatMap(requestLinesOf),
          unit: 'line',
        },
      ]),
]

const requestLinesOf = (one: Request): string[] => {
  const { needs, facts } = requestWords(one)
  return [
    bold(one.title),
    `-# ${escapeOneLine(cutValue(one.by))} asks, ${ageOf(one.asked)}${lineOf(needs)}`,
    ...(facts === '' ? [] : [lineOf(facts)]),
    ...one.warnings.map(
      (words) => `${marks.warn}${markdownOf(cutWords(words, discordLimits.value, cutMiddle))}`,
    ),
  ]
}

/** A value says how much of it is missing: what was not shown was not agreed to. */
const cutValue = (words: string): string => cutLine(words, discordLimits.value)

/** A sentence on one line, as markdown. */
const lineOf = (words: Words): string => markdownOf(cutWords(words, discordLimits.value, cutLine))

const cutLine = (words: string, most: number): string => {
  const left = words.length - most
  return left > 0 ? `${clipText(words, most)} (${plural(left + 1, 'more character')})` : words
}

const linesSection = (all: string[], unit: string): Section | undefined =>
  all.length === 0 ? undefined : { kind: 'lines', lines: all, unit }

const bold = (words: string): string =>
  `**${escapeOneLine(clipText(isBlank(words) ? '(no name)' : words, discordLimits.label))}**`

const shownOf = (words: Words): string => (isBlank(words) ? '(empty)' : lineOf(words))

/** One side of a difference; what was is struck out and points to what will be. */
const sideOf = (words: Words | null, mark: '~~' | '**'): string => {
  if (words === null) return ''
  const shown = shownOf(words)
  return mark === '~~' ? `~~${shown}~~ → ` : `**${shown}**`
}

const chartLines = ({ title, series }: Chart): Section | undefined =>
  linesSection(
    [
      bold(title),
      ...series.flatMap(({ points }) =>
        points.map(
          ({ label, value }) =>
            `- ${escapeOneLine(clipText(label, discordLimits.label))}: ${formatNumber(value)}`,
        ),
      ),
    ],
    'point',
  )

const progressOf = ({ done, total }: Extract<Block, { kind: 'progress' }>): string => {
  const [some, all] = [done, total].map((value) => (Number.isFinite(value) ? value : 0)) as [number, number]
  return `\`${progressBar(some, all, 20)}\` ${formatNumber(some)} of ${formatNumber(all)}`
}

const marks: Record<Tone, string> = { plain: '', good: '✓ ', warn: '⚠️ ', bad: '⛔ ' }
