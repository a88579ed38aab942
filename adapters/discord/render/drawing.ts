import { box, type Drawing, line } from '../../../src/lib/view/drawing.ts'
import { componentType } from '../protocol/codes.ts'
import type { RenderedMessage } from './render.ts'
import type { Chart } from './section.ts'

type Json = { type?: number; content?: string; components?: Json[] } & Record<string, unknown>

/** The components of a message as Discord lays them out. Whatever is not known here is named, so that nothing is left out unseen. */
export const drawDiscord = ({ body, charts }: RenderedMessage): Drawing => {
  const left = [...charts]
  return box(
    'message',
    body.components.map((component) => drawComponent(component as unknown as Json, left)),
  )
}

const drawComponent = (component: Json, charts: Chart[]): Drawing => {
  const inside = () => (component.components ?? []).map((one) => drawComponent(one, charts))
  switch (component.type) {
    case componentType.container:
      return {
        box: 'box',
        look: 'container',
        parts: inside(),
        colour: Number(component.accent_color),
      }
    case componentType.text:
      return box('text', drawMarkdown(component.content ?? ''))
    case componentType.section:
      return box('beside', [...inside(), drawComponent(Object(component.accessory) as Json, charts)])
    case componentType.separator:
      return box('divider', [])
    case componentType.row:
      return box('actions', inside())
    case componentType.button:
      return line(`button ${styles[Number(component.style)] ?? ''}`.trim(), [String(component.label)])
    case componentType.select:
      return line('select', [String(component.placeholder)])
    case componentType.gallery: {
      const chart = charts.shift()
      return chart === undefined ? line('small', ['(a picture)']) : { chart }
    }
    case componentType.file:
      return line('file', [(component.file as { url: string }).url.replace('attachment://', '')])
    default:
      return line('small', [`(component ${component.type})`])
  }
}

const styles: Record<number, string> = { 1: 'primary', 3: 'success', 4: 'danger' }

/** As much of Discord's markdown as our messages use. */
const drawMarkdown = (content: string): Drawing[] =>
  content
    .split(/(```[\s\S]*?```)/)
    .flatMap((part, at): Drawing[] =>
      at % 2 === 1
        ? [{ box: 'pre', look: 'fence', parts: [part.replace(/^```\w*\n?|\n?```$/g, '')] }]
        : part.split('\n').flatMap((words) => (words === '' ? [] : [drawLine(words)])),
    )

const drawLine = (words: string): Drawing => {
  const [, mark = '', rest = ''] = /^(## |### |-# |- |> )?(.*)$/u.exec(words) ?? []
  const look =
    { '## ': 'title', '### ': 'subtitle', '-# ': 'small', '- ': 'item', '> ': 'quote' }[mark] ?? 'words'
  return line(look, [...(mark === '- ' ? ['• '] : []), ...drawInline(rest)])
}

/** What is escaped is taken as it stands; a mark is a mark only where it is not. */
const inline =
  /\\(?<escaped>.)|\*\*(?<bold>(?:\\.|[^\\*])+)\*\*|\*(?<italic>(?:\\.|[^\\*])+)\*|~~(?<struck>(?:\\.|[^\\~])+)~~|`(?<code>[^`]+)`|<(?<mention>@&?\d+)>|<t:(?<time>\d+):(?<form>\w)>/gu

const drawInline = (words: string): Drawing[] => {
  const parts: Drawing[] = []
  let at = 0
  for (const match of words.matchAll(inline)) {
    if (match.index > at) parts.push(words.slice(at, match.index))
    parts.push(drawMatch(match.groups ?? {}))
    at = match.index + match[0].length
  }
  return [...parts, words.slice(at)].filter((part) => part !== '')
}

const drawMatch = ({
  escaped,
  bold,
  italic,
  struck,
  code,
  mention,
  time,
  form,
}: Record<string, string>): Drawing => {
  if (escaped !== undefined) return escaped
  if (bold !== undefined) return { box: 'bold', look: 'bold', parts: drawInline(bold) }
  if (italic !== undefined) return line('italic', drawInline(italic))
  if (struck !== undefined) return { box: 'struck', look: 'struck', parts: drawInline(struck) }
  if (code !== undefined) return { box: 'code', look: 'code', parts: [code] }
  if (mention !== undefined) return line('mention', [mention])
  return { time: Number(time) * 1_000, isAge: form === 'R' }
}
