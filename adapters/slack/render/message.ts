import type { types } from '@slack/bolt'
import { defined } from '../../../src/lib/defined.ts'
import { isDecision, plural, verbs } from '../../../src/lib/view/button-labels.ts'
import { cutMiddle, cutWords } from '../../../src/lib/view/cut.ts'
import { drawable } from '../../../src/lib/view/drawable.ts'
import { mentionLineOf } from '../../../src/lib/view/mentions.ts'
import { progressBar, requestWords } from '../../../src/lib/view/text.ts'
import type { Action, Block, Fact, Request, Tone, Verb, View } from '../../../src/lib/view/view.ts'
import { visibleText } from '../../../src/lib/view/visible.ts'
import { type Moment, partsOf, plainWords, type Words } from '../../../src/lib/view/words.ts'
import {
  ageElement,
  blockSizeOf,
  clockElement,
  clockMarkup,
  contextBlock,
  dateElement,
  dateText,
  type NewerBlock,
  newerBlocks,
  type RichDate,
  type RichText,
  type SlackBlock,
  type SlackMessage,
} from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { actionButtons } from './buttons.ts'
import { chartBlocks } from './chart.ts'
import { marksBlocks } from './marks.ts'
import { menuBlocks } from './menu.ts'
import { linesThatFit, type MessageBudget, preformatted } from './message-budget.ts'
import { plainTextOf } from './plain-text.ts'
import { richText } from './rich-text.ts'
import { tableBlocks } from './table.ts'
import {
  ellipsize,
  escapeAll,
  escapeMarkup,
  plainText,
  splitText,
  truncate,
  truncateSeen,
  visible,
} from './text.ts'

/** A view as a Slack message. Values go only where Slack reads no markup, so nothing in them can ping or forge. */
export const renderSlack = (view: View, options: RenderOptions = {}): SlackMessage =>
  drawnWithin(view, options).message

/** Whether a message has room for all of a view. */
export const isWholeInSlack = (view: View, refused: ReadonlySet<NewerBlock>): boolean =>
  drawnWithin(view, { refused }).isWhole

const drawnWithin = (given: View, options: RenderOptions): Drawn => {
  const view = drawable(given)
  // Nearly every view has room, which is seen when it is drawn; only one that has none is measured part by part.
  const whole = isShort(view) ? layOut(view, options, Number.POSITIVE_INFINITY) : undefined
  return whole !== undefined && JSON.stringify(whole.message.blocks).length <= limits.message.json
    ? whole
    : layOut(view, options, limits.message.json)
}

type Drawn = { message: SlackMessage; isWhole: boolean }

/** `refused`: newer blocks that the workspace does not take. */
export type RenderOptions = { blockId?: string; refused?: ReadonlySet<NewerBlock> }

/** The same for a modal, which has no tables, no charts and none of the newer blocks of Slack's own. */
export const renderSlackModal = ({
  actions: _,
  menu: __,
  marks: ___,
  mentions: ____,
  ...view
}: View): SlackBlock[] =>
  layOut(drawable(view), { refused: classic }, limits.message.json, { tables: 0, charts: 0 }).message.blocks

/** Without any newer block. */
const classic: ReadonlySet<NewerBlock> = new Set(newerBlocks)

const layOut = (
  view: View,
  { blockId, refused = new Set() }: RenderOptions,
  room: number,
  { tables, charts }: { tables: number; charts: number } = limits.message,
): Drawn => {
  const head = [...titleOf(view), ...mentionBlocks(view)]
  const tail = [
    ...(view.footer ? [contextBlock(smallText(view.footer))] : []),
    ...marksBlocks(view),
    ...menuBlocks(view),
    ...actionButtons(view.actions ?? [], blockId),
  ]
  const budget: MessageBudget = {
    json: room - noteSize - jsonSizeOf([...head, ...tail], room),
    blocks: limits.message.blocks - 1 - head.length - tail.length,
    tables,
    charts,
    refused,
    isWhole: true,
  }
  const body: SlackBlock[] = []
  let leftOut = 0
  let first = 0
  for (const [at, block] of view.blocks.entries()) {
    if (at === view.essential) first = body.length
    const blocks =
      budget.json < minBlockSize || budget.blocks < 2 ? undefined : blocksOf(block, budget, view.title)
    const size = jsonSizeOf(blocks ?? [], budget.json)
    if (blocks === undefined || size > budget.json || blocks.length > budget.blocks) leftOut++
    else {
      body.push(...blocks)
      budget.json -= size
      budget.blocks -= blocks.length
      budget.tables -= blocks.filter(({ type }) => type === 'table' || type === 'data_table').length
      budget.charts -= blocks.filter(({ type }) => type === 'data_visualization').length
    }
  }
  const note =
    leftOut === 0 ? [] : [contextBlock(plainText(`${plural(leftOut, 'more part')} left out here.`))]
  const blocks = [...head, ...inContainer(body, first, refused), ...note, ...tail]
  return { message: { text: fallbackOf(view), blocks }, isWhole: leftOut === 0 && budget.isWhole }
}

/** What a card shows besides what is decided on can be closed where it is long. */
const inContainer = (
  body: readonly SlackBlock[],
  first: number,
  refused: ReadonlySet<NewerBlock>,
): readonly SlackBlock[] => {
  const rest = body.slice(first)
  const children = rest.filter(isChild)
  const isLong = first > 0 && JSON.stringify(rest).length > longEvidence
  if (refused.has('container') || !isLong || children.length < rest.length) return body
  if (children.length > limits.container.blocks) return body
  return [
    ...body.slice(0, first),
    {
      type: 'container',
      title: plainText('What is sent', limits.container.title),
      is_collapsible: true,
      child_blocks: children,
    },
  ]
}
const longEvidence = 1_500

type Child = types.ContainerBlock['child_blocks'][number]
const isChild = (block: SlackBlock): block is Extract<SlackBlock, Child> =>
  block.type === 'rich_text' || block.type === 'context' || block.type === 'table'

/** The same in text alone, for a workspace that refuses one of our blocks. */
export const renderSlackPlain = (view: View, { blockId }: RenderOptions = {}): SlackMessage => ({
  text: fallbackOf(view),
  blocks: [
    ...mentionBlocks(view),
    ...splitText(truncate(visible(plainTextOf({ ...view, mentions: [] })), 5_500), limits.text).map(
      (words): SlackBlock => ({ type: 'section', text: plainText(words) }),
    ),
    ...marksBlocks(view),
    ...menuBlocks(view),
    ...actionButtons(view.actions ?? [], blockId),
  ],
})

/**
 * What a notification shows, and all that is read out: of a card the sentence and whose turn it is, of an answer all of it. What
 * has buttons begins with who asks what, how much, and what can be done, within the characters that a phone shows.
 */
const fallbackOf = (view: View): string => {
  const turn = view.blocks.find((block) => block.kind === 'turn')
  const { footer: _, menu: __, ...card } = view
  const lead = leadOf(view, turn?.asker)
  const shown = turn === undefined ? view : { ...card, blocks: [turn] }
  // What was said whole is not read out twice.
  const isSaid = lead !== '' && lead.startsWith(visible(visibleText(view.title)))
  const rest = plainTextOf(isSaid ? { ...shown, title: '' } : shown, markedTime).trim()
  const fullText = visible([lead, rest].filter((part) => part !== '').join('\n'))
  for (let most: number = limits.message.fallback; ; ) {
    const text = withDates(escapeMarkup(truncateSeen(fullText, most)))
    if (text.length <= limits.message.fallback) return text
    most = Math.floor((most * limits.message.fallback) / text.length)
  }
}

/** So much of a message stands on a locked phone. */
const onPhone = 100
const leastTitle = 40

/** "Sam Support asks: Refund 49 USD to Ada Lindqvist. Approve, ask or reject." */
const leadOf = ({ title, actions = [] }: View, asker: string | undefined): string => {
  const offered = actions.filter(({ verb, isMore }) => !isMore && !isAside.has(verb))
  const decisions = offered.filter(({ verb }) => isDecision(verb) || verb === 'unfreeze')
  const can = asker === undefined || decisions.length === 0 ? labelsIn(offered) : choiceOf(decisions)
  if (asker === undefined && can === '') return ''
  const by = asker === undefined ? '' : `${ellipsize(visible(asker), 30)} asks: `
  const room = Math.max(leastTitle, onPhone - by.length - can.length - 2)
  const what = ellipsize(visible(title), room)
  return `${by}${what}${/[.?!…]$/.test(what) ? '' : '.'}${can === '' ? '' : ` ${can}`}`
}

/** They look at something or keep it, which nobody is notified for. */
const isAside: ReadonlySet<Verb> = new Set([
  'share',
  'file',
  'details',
  'show_all',
  'next',
  'previous',
  'mine',
])

/** "Approve, ask or reject." */
const choiceOf = (actions: readonly Action[]): string => {
  const words = actions.map(({ verb }, at) =>
    at === 0 ? verbs[verb].label : verbs[verb].label.toLowerCase(),
  )
  const last = words.pop() ?? ''
  return `${[words.join(', '), last].filter(Boolean).join(' or ')}.`
}

/** The first of them, as many as have room beside a title. */
const labelsIn = (actions: readonly Action[]): string => {
  const labels = actions.map(({ label, verb }) => visible(visibleText(label ?? verbs[verb].label)))
  let said = ''
  for (const one of labels) {
    const next = said === '' ? ellipsize(one, onPhone - leastTitle - 3) : `${said}; ${one}`
    if (next.length > onPhone - leastTitle - 3) break
    said = next
  }
  return said === '' ? '' : `${said}.`
}

/** A time on its way into a notification. Of what others wrote no control character is left in it, so that none of it is one. */
const markedTime = ({ at }: Moment): string => `\u0001${Math.floor(at / 1000)}\u0002`

/** The dates of Slack in the places of the times; one that was cut is gone. */
const withDates = (text: string): string =>
  text
    .split('\u0001')
    .map((piece, at) => {
      if (at === 0) return piece
      const [seconds = '', rest] = piece.split('\u0002')
      return rest === undefined
        ? seconds.replace(/^\d*/, '')
        : `${clockMarkup(Number(seconds) * 1000)}${rest}`
    })
    .join('')

/** One kind of block each; `undefined` where there is no room for any of it. */
const blocksOf = (block: Block, budget: MessageBudget, title: string): SlackBlock[] | undefined => {
  switch (block.kind) {
    case 'turn':
      return turnBlocks(block)
    case 'quote':
      return richText('rich_text_quote', [
        textElement(truncate(block.text, Math.min(limits.text, charactersIn(budget)))),
        textElement(`  ${block.by}`, { italic: true }),
      ])
    case 'text':
      return section(elementsOf(block.text, charactersIn(budget)))
    case 'note':
      return isBlank(plainWords(block.text))
        ? []
        : section([
            ...toneEmoji[block.tone],
            ...elementsOf(block.text, Math.min(limits.text, charactersIn(budget)), undefined, cutMiddle),
          ])
    case 'facts':
      if (block.isLead) return leadBlocks(block.facts)
      return linesThatFit(budget, block.facts, 'fact', ({ label, value, time }) => [
        textElement(`${visible(truncate(label, limits.factLabel))}: `, { bold: true }),
        ...(time === undefined ? lineElements(value, limits.factValue) : [dateElement(time)]),
      ])
    case 'diff':
      return linesThatFit(budget, block.changes, 'change', ({ label, before, after }) => [
        textElement(`${visible(truncate(label, limits.factLabel))}: `, { bold: true }),
        ...diffSide(before, { strike: true }),
        textElement(' → '),
        ...diffSide(after, { bold: true }),
      ])
    case 'table':
      return tableBlocks(block, title, budget)
    case 'requests':
      return requestsThatFit(block.requests, budget)
    case 'list':
      return linesThatFit(budget, block.items, 'line', (item) => [
        textElement('•  '),
        ...lineElements(item, limits.text),
      ])
    case 'address':
      return section([{ type: 'link', url: block.url, text: visible(block.label) }])
    case 'code':
      return preformatted(block.text, budget)
    case 'chart':
      return chartBlocks(block, budget)
    case 'progress':
      if (!budget.refused.has('plan')) return planBlocks(block)
      return section([
        textElement(`${visible(truncate(block.label, limits.factLabel))} `, { bold: true }),
        textElement(progressBar(block.done, block.total, 20), { code: true }),
        textElement(` ${block.done} of ${block.total}`),
      ])
  }
}

/** What is needed in lines, and who asked in small print. */
const turnBlocks = ({ lines, by, time }: Extract<Block, { kind: 'turn' }>): SlackBlock[] => [
  ...section(
    lines.flatMap((line, at) => [...(at === 0 ? [] : [textElement('\n')]), ...elementsOf(line, limits.text)]),
  ),
  contextBlock(plainText(by), ...(time === undefined ? [] : [dateText(time.words, time.moment)])),
]

/** As many of what waits as there is room for, each whole with its buttons; one that is too long for all of it is cut. */
const requestsThatFit = (requests: readonly Request[], budget: MessageBudget): SlackBlock[] | undefined => {
  const shown: SlackBlock[] = []
  let { json, blocks } = budget
  for (const [at, one] of requests.entries()) {
    // What is not the last one leaves room to count those behind it.
    const spare = at === requests.length - 1 ? { json: 0, blocks: 0 } : { json: noteSize, blocks: 1 }
    const drawn = widths
      .slice(0, at === 0 ? widths.length : 1)
      .map((width) => requestBlocks(one, width))
      .find((some) => jsonSizeOf(some, json) <= json - spare.json && some.length <= blocks - spare.blocks)
    if (drawn === undefined) {
      budget.isWhole = false
      const left = `${plural(requests.length - at, 'more request')} left out: approval list has them all.`
      return at === 0 ? undefined : [...shown, contextBlock(plainText(left))]
    }
    shown.push(...drawn)
    json -= jsonSizeOf(drawn, json)
    blocks -= drawn.length
  }
  return shown
}
/** How long one value of a request may be, where there is less and less room. */
const widths = [limits.factValue, 600, 200] as const

/** A line of what waits, and its buttons. */
const requestBlocks = (one: Request, width: number): SlackBlock[] => {
  const { needs, facts } = requestWords(one)
  return [
    ...section([
      textElement(truncate(one.title, limits.header), { bold: true }),
      textElement(`\n${ellipsize(one.by, limits.factLabel)} asks, `),
      ageElement(one.asked),
      ...elementsOf(needs, width),
      ...(facts === '' ? [] : [textElement('\n'), ...elementsOf(facts, width)]),
      ...one.warnings.flatMap((words) => [
        textElement('\n'),
        ...toneEmoji.warn,
        ...elementsOf(words, width, undefined, cutMiddle),
      ]),
    ]),
    ...actionButtons(one.actions),
  ]
}

/** Long work as Slack shows it: one task, and how far it is. */
const planBlocks = ({ label, done, total, state }: Extract<Block, { kind: 'progress' }>): SlackBlock[] => [
  {
    type: 'plan',
    title: visible(truncate(label, limits.factLabel)),
    tasks: [
      {
        type: 'task_card',
        task_id: 'progress',
        title: `${progressBar(done, total, 20)} ${done} of ${total}`,
        status: taskStates[state ?? (done < total ? 'running' : 'done')],
      },
    ],
  },
]
const taskStates = { waiting: 'pending', running: 'in_progress', done: 'complete', failed: 'error' } as const

/** A few facts in two columns: text that Slack reads as text, so a value cannot look like another fact's label. */
const leadBlocks = (facts: readonly Fact[]): SlackBlock[] =>
  facts.length === 0
    ? []
    : [
        {
          type: 'section',
          fields: facts
            .slice(0, limits.fields)
            .map(({ label, value, time }) =>
              fieldText(
                truncate(label, limits.factLabel),
                cutWords(time === undefined ? value : { parts: [time] }, limits.fieldValue, truncate),
              ),
            ),
        },
      ]

const fieldText = (label: string, value: Words): types.PlainTextElement | types.MrkdwnElement => {
  if (typeof value === 'string') return plainText(`${label}: ${visible(value)}`, limits.field)
  const markup = `${escapeAll(label)}: ${markupOf(value)}`
  return markup.length <= limits.field
    ? { type: 'mrkdwn', text: markup, verbatim: true }
    : plainText(`${label}: ${plainWords(value)}`, limits.field)
}

/** Small print takes a date in markup only. */
const smallText = (words: Words): types.PlainTextElement | types.MrkdwnElement =>
  typeof words === 'string'
    ? plainText(words, 1_000)
    : { type: 'mrkdwn', text: markupOf(cutWords(words, 1_000, truncate)), verbatim: true }

const markupOf = (words: Words): string =>
  partsOf(words)
    .map((part) => (typeof part === 'string' ? escapeAll(part) : clockMarkup(part.at)))
    .join('')

/** The only place where a message of ours notifies anybody: by ids from bellhop.yml, in elements of their own. */
const mentionBlocks = (view: View): SlackBlock[] =>
  section(
    mentionLineOf(view, 'slack').map((part) =>
      part.kind === 'words'
        ? textElement(part.text)
        : part.kind === 'group'
          ? { type: 'usergroup', usergroup_id: part.id }
          : { type: 'user', user_id: part.id },
    ),
  )

/** A title too long for a header is repeated whole. */
const titleOf = ({ title, tone }: View): SlackBlock[] => [
  { type: 'header', text: plainText(title, limits.header) },
  ...(title.length > limits.header
    ? section([...toneEmoji[tone], textElement(truncate(title, limits.text))])
    : []),
]

const section = (parts: types.RichTextElement[]): SlackBlock[] => richText('rich_text_section', parts)

const textElement = (text: string, style?: RichText['style']): RichText => ({
  type: 'text',
  text,
  ...defined({ style }),
})

/** A sentence as Slack takes it: its text, and its instants as dates of their reader. */
const elementsOf = (
  words: Words,
  most: number,
  style?: RichText['style'],
  cut: (text: string, most: number) => string = truncate,
): (RichText | RichDate)[] =>
  partsOf(cutWords(words, most, cut)).map((part) =>
    typeof part === 'string' ? textElement(part, style) : { ...clockElement(part), ...defined({ style }) },
  )

/** The same on one line, with something to see. */
const lineElements = (words: Words, most: number): (RichText | RichDate)[] =>
  typeof words === 'string' ? [textElement(visible(truncate(words, most)))] : elementsOf(words, most)

const diffSide = (value: Words | null, style: RichText['style']): (RichText | RichDate)[] =>
  value === null
    ? [textElement('nothing', { italic: true })]
    : isBlank(plainWords(value))
      ? [textElement('(empty)', { italic: true })]
      : elementsOf(value, limits.factValue, style)

/** At worst every character takes two in JSON. */
const charactersIn = ({ json }: MessageBudget): number => Math.floor((json - 300) / 2)

const isBlank = (text: string): boolean => visible(text, '') === ''
/** Where there is no end of room, nothing is measured. */
const jsonSizeOf = (blocks: SlackBlock[], room: number): number =>
  room === Number.POSITIVE_INFINITY ? 0 : blocks.reduce((sum, block) => sum + blockSizeOf(block), 0)

const isShort = ({ blocks }: View): boolean =>
  blocks.length <= maxShort &&
  blocks.every((block) => {
    if (block.kind === 'facts') return block.facts.length <= maxShort
    if (block.kind === 'diff') return block.changes.length <= maxShort
    if (block.kind === 'table') return block.rows.length <= maxShort
    return block.kind !== 'list' || block.items.length <= maxShort
  })

type EmojiElement = { type: 'emoji'; name: string }
const emoji = (name: string): (EmojiElement | RichText)[] => [{ type: 'emoji', name }, textElement(' ')]
const toneEmoji: Record<Tone, (EmojiElement | RichText)[]> = {
  plain: [],
  good: [textElement('✓ ')],
  warn: emoji('warning'),
  bad: emoji('x'),
}

/** Kept free for the line that says what was left out. */
const noteSize = 200
/** A block in less room than this tells nothing. */
const minBlockSize = 400
/** With more parts or lines than this a view may well be too long for one message. */
const maxShort = 40
