import type { types } from '@slack/bolt'

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
export type RichElement = types.RichTextBlockElement
export type RichText = Extract<types.RichTextElement, { type: 'text' }>

/** What a message is on the wire. */
export type SlackMessage = { text: string; blocks: SlackBlock[] }

export const richTextBlock = (elements: RichElement[]): SlackBlock => ({ type: 'rich_text', elements })

export const contextBlock = (text: types.PlainTextElement): SlackBlock => ({
  type: 'context',
  elements: [text],
})

/** How much of a message's size a block takes. */
export const blockSizeOf = (block: SlackBlock): number => JSON.stringify(block).length + 1
