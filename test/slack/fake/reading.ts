import type { FakeBlock } from './blocks.ts'
import type { FakeMessage, FakeState } from './state.ts'

/** Everything that a person reads in blocks, in order. */
export const textOfBlocks = (blocks: readonly FakeBlock[]): string => blocks.map(textOfBlock).join('\n')

export const textOfMessage = ({ blocks, text }: FakeMessage): string =>
  blocks.length === 0 ? text : textOfBlocks(blocks)

export type PressableButton = { label: string; actionId: string; blockId: string; value?: string }

/** The button that begins with these words: "Approve" is "Approve 49 USD" too. */
export const buttonNamed = (blocks: readonly FakeBlock[], label: string): PressableButton | undefined => {
  const all = buttonsIn(blocks)
  return all.find((one) => one.label === label) ?? all.find((one) => one.label.startsWith(`${label} `))
}

export const buttonsIn = (blocks: readonly FakeBlock[]): PressableButton[] =>
  blocks.flatMap((block, at) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) => {
          const blockId = block.block_id ?? `b${at}`
          if (element.type === 'button')
            return [{ label: element.text.text, actionId: element.action_id, blockId }]
          // A line of the menu beside the buttons is pressed as a button is.
          return element.type === 'overflow'
            ? element.options.map(({ text, value }) => ({
                label: text.text,
                actionId: element.action_id,
                blockId,
                value,
              }))
            : []
        })
      : [],
  )

/** What the buttons offer, without the sums on them; `Details` and what is behind the menu are on every card. */
export const labelsIn = (blocks: readonly FakeBlock[]): string[] =>
  buttonsIn(blocks)
    .filter(({ label, value }) => value === undefined && label !== 'Details')
    .map(({ label }) => label.replace(/^(Approve|Confirm) .+/, '$1'))

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
      return labelsIn([block])
        .map((label) => `[${label}]`)
        .join(' ')
    case 'rich_text':
      return leavesOf(block.elements)
    case 'container':
      return `${block.title.text}\n${textOfBlocks(block.child_blocks)}`
    case 'plan':
      return [block.title, ...block.tasks.map(({ title }) => title)].join('\n')
    case 'table':
    case 'data_table':
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
  if (type === 'rich_text_quote') return `> ${leavesOf(elements)}`
  if (type === 'date') return String(fallback)
  if (type === 'link') return `[${String(text)}](${String((node as { url?: string }).url)})`
  if (type === 'emoji') return `:${String(name)}:`
  if (type === 'user' || type === 'usergroup') return `@${String(Object.values(node)[1])}`
  return leavesOf(elements)
}

/** The state of the boxes whose words contain one of these, as Slack sends it with every press beside them. */
export const markedIn = (blocks: readonly FakeBlock[], labels: readonly string[]) => {
  const boxes = blocks.flatMap((block, at) =>
    block.type === 'actions'
      ? block.elements.flatMap((element) => (element.type === 'checkboxes' ? { block, element, at } : []))
      : [],
  )
  const marked = boxes.map(({ block, element, at }) => {
    const chosen = element.options.filter(({ text }) => labels.some((label) => text.text.includes(label)))
    const state = { [element.action_id]: { type: 'checkboxes', selected_options: chosen } }
    return [block.block_id ?? `b${at}`, state] as const
  })
  return { values: Object.fromEntries(marked) }
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
