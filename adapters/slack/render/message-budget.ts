import { plural } from '../../../src/view/button-labels.ts'
import { type RichDate, type RichText, richTextBlock, type SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { splitText, truncate } from './text.ts'

/** What a message still has room for. */
export type MessageBudget = { json: number; blocks: number; tables: number; charts: number }

/** As many lines as there is room for, and how many are left out. */
export const linesThatFit = <T>(
  budget: MessageBudget,
  items: readonly T[],
  one: string,
  lineOf: (item: T) => (RichText | RichDate)[],
): SlackBlock[] | undefined => {
  if (items.length === 0) return []
  const elements: (RichText | RichDate)[] = []
  let size = 250
  let shown = 0
  for (const item of items) {
    const line = lineOf(item).flatMap((part): (RichText | RichDate)[] =>
      part.type === 'date' ? [part] : splitText(part.text, limits.text).map((text) => ({ ...part, text })),
    )
    if (shown > 0) line.unshift({ type: 'text', text: '\n' })
    const weight = JSON.stringify(line).length
    if (size + weight > budget.json) break
    elements.push(...line)
    size += weight
    shown++
  }
  if (shown === 0) return undefined
  if (shown < items.length) {
    const left = `\n… ${plural(items.length - shown, `more ${one}`)} left out`
    elements.push({ type: 'text', text: left, style: { italic: true } })
  }
  return [richTextBlock([{ type: 'rich_text_section', elements }])]
}

/** Text in which every space counts. */
export const preformatted = (text: string, budget: MessageBudget): SlackBlock[] => {
  // A block without a character would be refused; one that does not fit is left out.
  let most = Math.max(60, Math.min(9_000, budget.json - 400))
  for (;;) {
    const block = richTextBlock([
      {
        type: 'rich_text_preformatted',
        elements: splitText(truncate(text, most), limits.text).map((part) => ({
          type: 'text',
          text: part,
        })),
      },
    ])
    const size = JSON.stringify(block).length
    if (size < budget.json || most < 100) return [block]
    most = Math.floor(most * Math.min(0.9, budget.json / size))
  }
}
