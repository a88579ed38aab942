import { number } from '../../src/view/format.ts'
import { progressBar } from '../../src/view/text.ts'
import type { Block, Tone } from '../../src/view/view.ts'
import { plural } from '../../src/view/words.ts'
import { clip, escaped, escapeLine, isBlank, oneLine } from './escape.ts'
import { limits } from './limits.ts'
import { tableSection } from './table.ts'

export type Chart = Extract<Block, { kind: 'chart' }>

/** A block on its way to Discord: how it may be cut is all that is left to decide. */
export type Section =
  /** Whole lines of markdown. */
  | { kind: 'lines'; lines: string[]; unit: string }
  /** Plain text, to be escaped; it can be cut anywhere. */
  | { kind: 'prose'; text: string; lead: string }
  /** Plain text for a fence. */
  | { kind: 'fence'; lines: string[]; unit: string }
  | { kind: 'picture'; chart: Chart }

/** Undefined for a block that shows nothing: Discord refuses an empty text. */
export const sectionOf = (block: Block, isDrawn: boolean): Section | undefined => {
  switch (block.kind) {
    case 'text':
      return isBlank(block.text) ? undefined : { kind: 'prose', text: block.text, lead: '' }
    case 'note':
      return isBlank(block.text) ? undefined : { kind: 'prose', text: block.text, lead: marks[block.tone] }
    case 'facts':
      return lines(
        block.facts.map(({ label, value }) => `${bold(label)}: ${shownOf(value)}`),
        'line',
      )
    case 'diff':
      return lines(
        block.changes.map(
          ({ label, before, after }) =>
            `${bold(label)}: ${sideOf(before, '~~')}${after === null ? 'removed' : sideOf(after, '**')}`,
        ),
        'change',
      )
    case 'table':
      return tableSection(block)
    case 'list':
      return lines(
        block.items.filter((item) => !isBlank(item)).map((item) => `- ${escapeLine(cut(item))}`),
        'item',
      )
    case 'code':
      return isBlank(block.text) ? undefined : { kind: 'fence', lines: block.text.split('\n'), unit: 'line' }
    case 'chart':
      return isDrawn ? { kind: 'picture', chart: block } : chartLines(block)
    case 'progress':
      return lines([...(isBlank(block.label) ? [] : [bold(block.label)]), progressOf(block)], 'line')
  }
}

/** A value says how much of it is missing: what was not shown was not agreed to. */
const cut = (words: string): string => {
  const left = words.length - limits.value
  return left > 0 ? `${clip(words, limits.value)} (${plural(left + 1, 'more character')})` : words
}

const lines = (all: string[], unit: string): Section | undefined =>
  all.length === 0 ? undefined : { kind: 'lines', lines: all, unit }

const bold = (words: string): string =>
  `**${escapeLine(clip(isBlank(words) ? '(no name)' : words, limits.label))}**`

const shownOf = (words: string): string => (isBlank(words) ? '(empty)' : escaped(cut(words.trim())))

/** One side of a difference; what was is struck out and points to what will be. */
const sideOf = (words: string | null, mark: '~~' | '**'): string => {
  if (words === null) return ''
  const shown = isBlank(words) ? '(empty)' : escapeLine(cut(oneLine(words)))
  return mark === '~~' ? `~~${shown}~~ → ` : `**${shown}**`
}

const chartLines = ({ title, series }: Chart): Section | undefined =>
  lines(
    [
      bold(title),
      ...series.flatMap(({ points }) =>
        points.map(({ label, value }) => `- ${escapeLine(clip(label, limits.label))}: ${number(value)}`),
      ),
    ],
    'point',
  )

const progressOf = ({ done, total }: Extract<Block, { kind: 'progress' }>): string => {
  const [some, all] = [done, total].map((value) => (Number.isFinite(value) ? value : 0)) as [number, number]
  return `\`${progressBar(some, all, 20)}\` ${number(some)} of ${number(all)}`
}

const marks: Record<Tone, string> = { plain: '', good: '✅ ', warn: '⚠️ ', bad: '⛔ ' }
