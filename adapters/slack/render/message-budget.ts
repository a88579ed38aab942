import { plural } from '../../../src/lib/view/button-labels.ts'
import type { NewerBlock, RichDate, RichText, SlackBlock } from '../api/block-kit.ts'
import { partsThatSlackTakes, richText } from './rich-text.ts'
import { truncate } from './text.ts'

/** What a message still has room for, and what its workspace does not take. */
export type MessageBudget = {
  json: number
  blocks: number
  tables: number
  charts: number
  refused: ReadonlySet<NewerBlock>
  /** Becomes false where a block was drawn without all of its lines. */
  isWhole: boolean
}

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
    const line = partsThatSlackTakes(lineOf(item))
    if (shown > 0) line.unshift({ type: 'text', text: '\n' })
    const weight = budget.json === Number.POSITIVE_INFINITY ? 0 : JSON.stringify(line).length
    if (size + weight > budget.json) break
    elements.push(...line)
    size += weight
    shown++
  }
  if (shown === 0) return undefined
  if (shown < items.length) {
    budget.isWhole = false
    const left = `\n… ${plural(items.length - shown, `more ${one}`)} left out`
    elements.push({ type: 'text', text: left, style: { italic: true } })
  }
  return richText('rich_text_section', elements)
}

/** Text in which every space counts. */
export const preformatted = (text: string, budget: MessageBudget): SlackBlock[] => {
  // A block without a character would be refused; one that does not fit is left out.
  let most = Math.max(60, Math.min(9_000, budget.json - 400))
  for (;;) {
    const blocks = richText('rich_text_preformatted', [{ type: 'text', text: truncate(text, most) }])
    const size = JSON.stringify(blocks).length
    if (size <= budget.json || most < 100) {
      budget.isWhole &&= text.length <= most
      return blocks
    }
    most = Math.floor(most * Math.min(0.9, budget.json / size))
  }
}
