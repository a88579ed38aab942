import { textOfView } from '../../src/view/text.ts'
import type { Block, View } from '../../src/view/view.ts'
import { plural } from '../../src/view/words.ts'
import { cut } from './plain.ts'

/** A view in letters. Each part is cut first, so that a monster in one value is not laid out to be thrown away. */
export const lettersOf = ({ actions: _, ...view }: View): string =>
  textOfView({
    ...view,
    title: cut(view.title, most.text),
    blocks: view.blocks.slice(0, most.items).map(smaller),
    ...(view.footer === undefined ? {} : { footer: cut(view.footer, most.value) }),
  })

export const lettersOfBlock = (block: Block): string =>
  textOfView({ title: '', tone: 'plain', blocks: [smaller(block)] })

const most = { items: 100, columns: 20, text: 3_000, value: 500, label: 60 }

const smaller = (block: Block): Block => {
  switch (block.kind) {
    case 'text':
    case 'note':
      return { ...block, text: cut(block.text, most.text) }
    case 'code':
      return { ...block, text: cut(block.text, 3 * most.text) }
    case 'facts':
      return {
        ...block,
        facts: some(block.facts).map(({ label, value }) => ({
          label: short(label),
          value: cut(value, most.value),
        })),
      }
    case 'diff':
      return {
        ...block,
        changes: some(block.changes).map(({ label, before, after }) => ({
          label: short(label),
          before: before === null ? null : cut(before, most.value),
          after: after === null ? null : cut(after, most.value),
        })),
      }
    case 'table': {
      const columns = block.columns.slice(0, most.columns)
      const left = block.rows.length - most.items
      return {
        ...block,
        columns: columns.map(({ label, align }) => ({ label: short(label), align })),
        rows: [
          ...some(block.rows).map((row) => columns.map((_, at) => cut(row[at] ?? '', 2 * most.label))),
          ...(left > 0 ? [[`${plural(left, 'more row')} left out`]] : []),
        ],
      }
    }
    case 'list':
      return { ...block, items: some(block.items).map((item) => cut(item, most.value)) }
    case 'chart':
      return {
        ...block,
        title: short(block.title),
        series: some(block.series).map(({ name, points }) => ({
          name: short(name),
          points: some(points).map(({ label, value }) => ({ label: short(label), value })),
        })),
      }
    case 'progress':
      return { ...block, label: short(block.label) }
  }
}

const some = <T>(items: readonly T[]): T[] => items.slice(0, most.items)
/** In a column or before a colon, where a new line would break the lines beside it. */
const short = (text: string): string => cut(text.replace(/\s+/g, ' '), most.label)
