import type { FakeBlock } from './blocks.ts'
import type { FakeMessage, FakeState } from './state.ts'

/** Everything that a person reads in blocks, in order. */
export const textOfBlocks = (blocks: readonly FakeBlock[]): string => blocks.map(textOfBlock).join('\n')

export const textOfMessage = ({ blocks, text }: FakeMessage): string =>
  blocks.length === 0 ? text : textOfBlocks(blocks)

export const buttonsIn = (
  blocks: readonly FakeBlock[],
): { label: string; actionId: string; blockId: string }[] =>
  blocks.flatMap((block, at) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) =>
          element.type === 'button'
            ? [{ label: element.text.text, actionId: element.action_id, blockId: block.block_id ?? `b${at}` }]
            : [],
        )
      : [],
  )

/** What somebody sees in a channel now, oldest first. */
export const seenBy = (state: FakeState, user: string, channel?: string): FakeMessage[] =>
  state.messages.filter(
    (message) =>
      !message.isDeleted &&
      (channel === undefined || message.channel === channel) &&
      (message.onlyFor === undefined
        ? (state.channels.get(message.channel)?.members.has(user) ?? false)
        : message.onlyFor === user),
  )

const textOfBlock = (block: FakeBlock): string => {
  switch (block.type) {
    case 'header':
      return block.text.text
    case 'section':
      return [block.text, ...(block.fields ?? [])].map((one) => one?.text ?? '').join('\n')
    case 'context':
      return block.elements.map(({ text }) => text).join(' ')
    case 'actions':
      return buttonsIn([block])
        .map(({ label }) => `[${label}]`)
        .join(' ')
    case 'rich_text':
      return leavesOf(block.elements)
    case 'table':
      return block.rows
        .map((row) => row.map((one) => (one.type === 'raw_text' ? one.text : leavesOf(one))).join(' | '))
        .join('\n')
    case 'data_visualization':
      return `${block.title} (${block.chart.type} chart)`
    case 'input':
      return `${block.label.text}: ${block.hint?.text ?? ''}`
    case 'divider':
      return ''
  }
}

const leavesOf = (node: unknown): string => {
  if (Array.isArray(node)) return node.map(leavesOf).join('')
  if (typeof node !== 'object' || node === null) return ''
  const { type, text, elements, name, fallback } = node as Record<string, unknown>
  if (type === 'text') return String(text)
  if (type === 'date') return String(fallback)
  if (type === 'emoji') return `:${String(name)}:`
  if (type === 'user' || type === 'usergroup') return `@${String(Object.values(node)[1])}`
  return leavesOf(elements)
}

/** The menu of a message: what can be done with what it shows. */
export const menuIn = ({ blocks }: Pick<FakeMessage, 'blocks'>) => {
  for (const block of blocks) {
    if (block.type !== 'actions') continue
    for (const element of block.elements) {
      if (element.type === 'static_select' || element.type === 'external_select') return element
    }
  }
  throw new Error(`there is no menu on: ${textOfBlocks(blocks)}`)
}
