import { progressBar } from '../../src/view/text.ts'
import type { Block, Tone, View } from '../../src/view/view.ts'
import { plural } from '../../src/view/words.ts'
import { context, type Message, type RichText, rich, type SlackBlock, sizeOf } from './blocks.ts'
import { buttonsOf } from './buttons.ts'
import { lettersOf } from './letters.ts'
import { limits } from './limits.ts'
import { chunksOf, cut, plain, toMarkup, visible } from './plain.ts'
import { chartBlocks } from './render-chart.ts'
import { linesWithin, preformatted, type Room } from './render-room.ts'
import { tableBlocks } from './render-table.ts'

/** A view as a Slack message. Values go only where Slack reads no markup, so nothing in them can ping or forge. */
export const renderSlack = (view: View, { blockId }: { blockId?: string } = {}): Message => {
  const head = titleOf(view)
  const tail = [
    ...(view.footer ? [context(plain(view.footer, 1_000))] : []),
    ...buttonsOf(view.actions ?? [], blockId),
  ]
  const room: Room = {
    json: limits.message.json - noteSize - sumOf([...head, ...tail]),
    blocks: limits.message.blocks - 1 - head.length - tail.length,
    tables: limits.message.tables,
    charts: limits.message.charts,
  }
  const body: SlackBlock[] = []
  let leftOut = 0
  for (const block of view.blocks) {
    const blocks = room.json < smallest || room.blocks < 2 ? undefined : blocksOf(block, room)
    const size = sumOf(blocks ?? [])
    if (blocks === undefined || size > room.json || blocks.length > room.blocks) leftOut++
    else {
      body.push(...blocks)
      room.json -= size
      room.blocks -= blocks.length
      room.tables -= blocks.filter(({ type }) => type === 'table').length
      room.charts -= blocks.filter(({ type }) => type === 'data_visualization').length
    }
  }
  const note = leftOut === 0 ? [] : [context(plain(`${plural(leftOut, 'more part')} left out here.`))]
  return { text: fallbackOf(view), blocks: [...head, ...body, ...note, ...tail] }
}

/** The same in text alone, for a workspace that refuses one of our blocks. */
export const renderSlackPlain = (view: View, { blockId }: { blockId?: string } = {}): Message => ({
  text: fallbackOf(view),
  blocks: [
    ...chunksOf(cut(visible(lettersOf(view)), 5_500), limits.text).map(
      (words): SlackBlock => ({ type: 'section', text: plain(words) }),
    ),
    ...buttonsOf(view.actions ?? [], blockId),
  ],
})

/** What is read out or shown in a notification. */
const fallbackOf = (view: View): string => {
  const letters = visible(lettersOf(view))
  for (let most: number = limits.message.fallback; ; ) {
    const text = toMarkup(cut(letters, most))
    if (text.length <= limits.message.fallback) return text
    most = Math.floor((most * limits.message.fallback) / text.length)
  }
}

/** One kind of block each; `undefined` where there is no room for any of it. */
const blocksOf = (block: Block, room: Room): SlackBlock[] | undefined => {
  switch (block.kind) {
    case 'text':
      return isBlank(block.text) ? [] : [section([word(cut(block.text, wordsIn(room)))])]
    case 'note':
      return isBlank(block.text)
        ? []
        : [section([...signs[block.tone], word(cut(block.text, Math.min(limits.text, wordsIn(room))))])]
    case 'facts':
      return linesWithin(room, block.facts, 'fact', ({ label, value }) => [
        word(`${visible(cut(label, limits.factLabel))}: `, { bold: true }),
        word(visible(cut(value, limits.factValue))),
      ])
    case 'diff':
      return linesWithin(room, block.changes, 'change', ({ label, before, after }) => [
        word(`${visible(cut(label, limits.factLabel))}: `, { bold: true }),
        ...side(before, { strike: true }),
        word(' → '),
        ...side(after, { bold: true }),
      ])
    case 'table':
      return tableBlocks(block, room)
    case 'list':
      return linesWithin(room, block.items, 'line', (item) => [
        word('•  '),
        word(visible(cut(item, limits.text))),
      ])
    case 'code':
      return isBlank(block.text) ? [] : preformatted(block.text, room)
    case 'chart':
      return chartBlocks(block, room)
    case 'progress':
      return [
        section([
          word(`${visible(cut(block.label, limits.factLabel))} `, { bold: true }),
          word(progressBar(block.done, block.total, 20), { code: true }),
          word(` ${block.done} of ${block.total}`),
        ]),
      ]
  }
}

/** A title too long for a header is repeated whole. */
const titleOf = ({ title, tone }: View): SlackBlock[] => [
  { type: 'header', text: plain(title, limits.header) },
  ...(title.length > limits.header ? [section([...signs[tone], word(cut(title, limits.text))])] : []),
]

const section = (elements: (RichText | Sign)[]): SlackBlock =>
  rich([
    {
      type: 'rich_text_section',
      elements: elements.flatMap((one): (RichText | Sign)[] =>
        one.type === 'text' ? chunksOf(one.text, limits.text).map((text) => ({ ...one, text })) : [one],
      ),
    },
  ])

const word = (text: string, style?: RichText['style']): RichText => ({
  type: 'text',
  text,
  ...(style === undefined ? {} : { style }),
})

const side = (value: string | null, style: RichText['style']): RichText[] =>
  value === null
    ? [word('nothing', { italic: true })]
    : isBlank(value)
      ? [word('(empty)', { italic: true })]
      : [word(cut(value, limits.factValue), style)]

/** At worst every character takes two in JSON. */
const wordsIn = ({ json }: Room): number => Math.floor((json - 300) / 2)

const isBlank = (text: string): boolean => visible(text, '') === ''
const sumOf = (blocks: SlackBlock[]): number => blocks.reduce((sum, block) => sum + sizeOf(block), 0)

type Sign = { type: 'emoji'; name: string }
const sign = (name: string): (Sign | RichText)[] => [{ type: 'emoji', name }, word(' ')]
const signs: Record<Tone, (Sign | RichText)[]> = {
  plain: [],
  good: sign('white_check_mark'),
  warn: sign('warning'),
  bad: sign('x'),
}

/** Kept free for the line that says what was left out. */
const noteSize = 200
/** A block in less room than this tells nothing. */
const smallest = 400
