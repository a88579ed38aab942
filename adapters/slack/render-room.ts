import { plural } from '../../src/view/words.ts'
import { type RichText, rich, type SlackBlock } from './blocks.ts'
import { limits } from './limits.ts'
import { chunksOf, clean, cut } from './plain.ts'

/** What a message still has room for. */
export type Room = { json: number; blocks: number; tables: number; charts: number }

/** As many lines as there is room for, and how many are left out. */
export const linesWithin = <T>(
  room: Room,
  items: readonly T[],
  one: string,
  lineOf: (item: T) => RichText[],
): SlackBlock[] | undefined => {
  if (items.length === 0) return []
  const elements: RichText[] = []
  let size = 250
  let shown = 0
  for (const item of items) {
    const line = lineOf(item).flatMap((part) =>
      chunksOf(part.text, limits.text).map((text) => ({ ...part, text })),
    )
    if (shown > 0) line.unshift({ type: 'text', text: '\n' })
    const weight = JSON.stringify(line).length
    if (size + weight > room.json) break
    elements.push(...line)
    size += weight
    shown++
  }
  if (shown === 0) return undefined
  if (shown < items.length) {
    const left = `\n… ${plural(items.length - shown, `more ${one}`)} left out`
    elements.push({ type: 'text', text: left, style: { italic: true } })
  }
  return [rich([{ type: 'rich_text_section', elements }])]
}

/** Text in which every space counts. */
export const preformatted = (text: string, room: Room): SlackBlock[] => {
  let most = Math.min(9_000, room.json - 400)
  for (;;) {
    const block = rich([
      {
        type: 'rich_text_preformatted',
        elements: chunksOf(cut(clean(text), most), limits.text).map((part) => ({ type: 'text', text: part })),
      },
    ])
    const size = JSON.stringify(block).length
    if (size < room.json || most < 100) return [block]
    most = Math.floor(most * Math.min(0.9, room.json / size))
  }
}
