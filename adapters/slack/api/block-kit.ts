import type { types } from '@slack/bolt'
import { absolute } from '../../../src/lib/view/format.ts'
import type { Moment } from '../../../src/lib/view/words.ts'

/** Slack's own charts, which its types do not know yet. */
export type ChartBlock = {
  type: 'data_visualization'
  title: string
  chart:
    | { type: 'pie'; segments: ChartPoint[] }
    | {
        type: 'bar' | 'line'
        series: { name: string; data: ChartPoint[] }[]
        axis_config: { categories: string[] }
      }
}
export type ChartPoint = { label: string; value: number }

export type SlackBlock = types.KnownBlock | ChartBlock
export type RichText = Extract<types.RichTextElement, { type: 'text' }>
export type RichDate = Extract<types.RichTextElement, { type: 'date' }>

/** Blocks of 2026, which a workspace may not take: each has an older one in its place. */
export const newerBlocks = ['data_table', 'container', 'plan'] as const
export type NewerBlock = (typeof newerBlocks)[number]

/** The newer blocks of a message. */
export const newerBlocksIn = ({ blocks }: Pick<SlackMessage, 'blocks'>): NewerBlock[] =>
  newerBlocks.filter((type) => blocks.some((block) => block.type === type))

/** What a message is on the wire. */
export type SlackMessage = { text: string; blocks: SlackBlock[] }

/** A date with a clock, as its reader has them. `{ago}` is documented for what is past only. */
export const dateElement = ({ at, text, isAhead }: Moment): RichDate => ({
  type: 'date',
  timestamp: Math.floor(at / 1000),
  format: `{date_short}, {time}${isAhead ? '' : ' ({ago})'}`,
  fallback: text,
})

/** The same inside a sentence. */
export const clockElement = (moment: Moment): RichDate => ({
  ...dateElement(moment),
  format: '{date_short}, {time}',
})

/** The same in a list: how long ago. */
export const ageElement = (moment: Moment): RichDate =>
  moment.isAhead ? dateElement(moment) : { ...dateElement(moment), format: '{ago}' }

export const contextBlock = (...elements: (types.PlainTextElement | types.MrkdwnElement)[]): SlackBlock => ({
  type: 'context',
  elements,
})

/** The same date where Slack takes text only: nothing but digits and our own words stand in its markup. */
export const dateText = (words: string, { at, isAhead }: Moment): types.MrkdwnElement => ({
  type: 'mrkdwn',
  text: `${words.replace(/[^a-z ]/gi, '')} <!date^${Math.floor(at / 1000)}^{date_short_pretty}, {time}${isAhead ? '' : ' ({ago})'}|${absolute(at)}>`.trim(),
})

/** The same inside a sentence: digits alone come from the moment. */
export const clockMarkup = (at: number): string =>
  `<!date^${Math.floor(at / 1000)}^{date_short}, {time}|${absolute(at)}>`

/** How much of a message's size a block takes. */
export const blockSizeOf = (block: SlackBlock): number => JSON.stringify(block).length + 1
