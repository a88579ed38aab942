import { plural } from '../../../src/lib/view/button-labels.ts'
import { cutMiddle, cutWords } from '../../../src/lib/view/cut.ts'
import { textOfView } from '../../../src/lib/view/text.ts'
import type { Block, View } from '../../../src/lib/view/view.ts'
import type { Moment, Words } from '../../../src/lib/view/words.ts'
import { truncate } from './text.ts'

/** A view in text. Each part is cut first, so that a monster in one value is not laid out to be thrown away. */
export const plainTextOf = (
  { actions: _, ...view }: View,
  clock: (moment: Moment) => string = ({ text }) => text,
): string =>
  textOfView(
    {
      ...view,
      title: truncate(view.title, most.text),
      blocks: view.blocks.slice(0, most.items).map(truncateBlock),
      ...(view.footer === undefined ? {} : { footer: shortened(view.footer, most.value) }),
    },
    { clock },
  )

export const plainTextOfBlock = (block: Block): string =>
  textOfView({ title: '', tone: 'plain', blocks: [truncateBlock(block)] })

/** Of the lines of one block. */
export const maxItems = 100
const most = { items: maxItems, columns: 20, text: 3_000, value: 500, label: 60 }

const truncateBlock = (block: Block): Block => {
  switch (block.kind) {
    case 'turn':
      return {
        ...block,
        lines: firstItems(block.lines).map((line) => shortened(line, most.text)),
        by: truncate(block.by, most.value),
      }
    case 'note':
      return { ...block, text: cutWords(block.text, most.text, cutMiddle) }
    case 'text':
      return { ...block, text: shortened(block.text, most.text) }
    case 'quote':
      return { ...block, text: truncate(block.text, most.text) }
    case 'address':
      return block
    case 'code':
      return { ...block, text: truncate(block.text, 3 * most.text) }
    case 'facts':
      return {
        ...block,
        facts: firstItems(block.facts).map((fact) => ({
          ...fact,
          label: oneLine(fact.label),
          value: shortened(fact.value, most.value),
        })),
      }
    case 'diff':
      return {
        ...block,
        changes: firstItems(block.changes).map(({ label, before, after }) => ({
          label: oneLine(label),
          before: before === null ? null : shortened(before, most.value),
          after: after === null ? null : shortened(after, most.value),
        })),
      }
    case 'table': {
      const columns = block.columns.slice(0, most.columns)
      const left = block.rows.length - most.items
      return {
        ...block,
        columns: columns.map((column) => ({ ...column, label: oneLine(column.label) })),
        rows: [
          ...firstItems(block.rows).map((row) =>
            columns.map((_, at) => truncate(row[at] ?? '', 2 * most.label)),
          ),
          ...(left > 0 ? [[`${plural(left, 'more row')} left out`]] : []),
        ],
      }
    }
    case 'requests':
      return { ...block, requests: firstItems(block.requests) }
    case 'list':
      return { ...block, items: firstItems(block.items).map((item) => shortened(item, most.value)) }
    case 'chart':
      return {
        ...block,
        title: oneLine(block.title),
        series: firstItems(block.series).map(({ name, points }) => ({
          name: oneLine(name),
          points: firstItems(points).map(({ label, value }) => ({ label: oneLine(label), value })),
        })),
      }
    case 'progress':
      return { ...block, label: oneLine(block.label) }
  }
}

const shortened = (words: Words, longest: number): Words => cutWords(words, longest, truncate)
const firstItems = <T>(items: readonly T[]): T[] => items.slice(0, most.items)
/** In a column or before a colon, where a new line would break the lines beside it. */
const oneLine = (text: string): string => truncate(text.replace(/\s+/g, ' '), most.label)
