import type { types } from '@slack/bolt'
import type { SlackBlock } from '../api/block-kit.ts'
import { limits } from '../api/limits.ts'
import { splitText, visible } from './text.ts'

type Part = types.RichTextElement

/** The one place that writes rich text: Slack refuses a text too long or empty, and a block with nothing in it. */
export const richText = (
  type: 'rich_text_section' | 'rich_text_preformatted' | 'rich_text_quote',
  parts: Part[],
): SlackBlock[] => {
  const elements = partsThatSlackTakes(parts)
  if (!elements.some((part) => part.type !== 'text' || visible(part.text, '') !== '')) return []
  return [{ type: 'rich_text', elements: [{ type, elements } as types.RichTextBlockElement] }]
}

export const partsThatSlackTakes = <T extends Part>(parts: T[]): T[] =>
  parts.flatMap((part) =>
    part.type !== 'text' || (part.text !== '' && part.text.length <= limits.text)
      ? part
      : splitText(part.text, limits.text).map((text) => ({ ...part, text })),
  )
