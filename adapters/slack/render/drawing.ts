import { box, type Drawing, line } from '../../../src/lib/view/drawing.ts'
import type { ChartBlock, SlackMessage } from '../api/block-kit.ts'
import { unescapeMarkup } from './text.ts'

type Json = { type?: string; text?: unknown; elements?: Json[] } & Record<string, unknown>

/** The blocks of a message as Slack lays them out. Whatever is not known here is named, so that nothing is left out unseen. */
export const drawSlack = ({ blocks }: Pick<SlackMessage, 'blocks'>): Drawing =>
  box(
    'message',
    blocks.map((block) => drawBlock(block as unknown as Json)),
  )

const drawBlock = (block: Json): Drawing => {
  switch (block.type) {
    case 'header':
      return line('header', [wordsOf(block.text)])
    case 'section':
      return block.fields === undefined
        ? line('section', [wordsOf(block.text)])
        : box(
            'fields',
            (block.fields as Json[]).map((field) => line('section', drawMarkup(field))),
          )
    case 'context':
      return line('context', (block.elements ?? []).map(drawSmall))
    case 'divider':
      return box('divider', [])
    case 'rich_text':
      return box('rich', (block.elements ?? []).map(drawRich))
    case 'actions':
      return box('actions', (block.elements ?? []).map(drawElement))
    case 'table':
      return drawTable(block.rows as Json[][], block.column_settings as { align?: string }[])
    case 'data_table':
      return drawTable(block.rows as Json[][], [])
    case 'container':
      return box('container', [
        line('bold', [wordsOf(block.title)]),
        ...(block.child_blocks as Json[]).map(drawBlock),
      ])
    case 'plan':
      return box('fields', [
        line('bold', [wordsOf(block.title)]),
        ...(block.tasks as Json[]).map((task) => line('section', [wordsOf(task.title)])),
      ])
    case 'data_visualization':
      return drawChart(block as unknown as ChartBlock)
    default:
      return line('context', [`(${block.type})`])
  }
}

const drawRich = (element: Json): Drawing => {
  const parts = (element.elements ?? []).map(drawInline)
  switch (element.type) {
    case 'rich_text_preformatted':
      return { box: 'pre', look: 'preformatted', parts }
    default:
      return line(element.type === 'rich_text_quote' ? 'quote' : 'section', parts)
  }
}

const drawInline = (element: Json): Drawing => {
  switch (element.type) {
    case 'emoji':
      return emoji[String(element.name)] ?? `:${element.name}:`
    case 'user':
      return line('mention', [`@${element.user_id}`])
    case 'usergroup':
      return line('mention', [`@${element.usergroup_id}`])
    case 'date':
      return { time: Number(element.timestamp) * 1000, isAge: element.format === '{ago}' }
    case 'text':
      return styled(wordsOf(element.text), (element.style ?? {}) as Record<string, boolean>)
    default:
      return `(${element.type})`
  }
}

const styled = (words: string, { bold, strike, code, italic }: Record<string, boolean>): Drawing => {
  if (code) return { box: 'code', look: 'code', parts: [words] }
  if (strike) return { box: 'struck', look: 'struck', parts: [words] }
  if (bold) return { box: 'bold', look: 'bold', parts: [words] }
  return italic ? line('italic', [words]) : words
}

const drawSmall = (element: Json): Drawing => line('small', [' ', ...drawMarkup(element), ' '])

/** Text with dates in it, where Slack reads them. */
const drawMarkup = (element: Json): Drawing[] => {
  const [before = '', ...dates] = wordsOf(element).split('<!date^')
  if (element.type !== 'mrkdwn') return [wordsOf(element)]
  return [
    unescapeMarkup(before),
    ...dates.flatMap((date): Drawing[] => [
      { time: Number.parseInt(date, 10) * 1000, isAge: false },
      unescapeMarkup(date.slice(date.indexOf('>') + 1)),
    ]),
  ].filter((part) => part !== '')
}

const drawElement = (element: Json): Drawing => {
  if (element.type === 'overflow') return line('button', ['…'])
  if (element.type === 'checkboxes') {
    return box(
      'list',
      (element.options as Json[]).map((option) => line('item', ['☐  ', wordsOf(option.text)])),
    )
  }
  if (element.type === 'button') {
    return line(`button ${element.style ?? ''}`.trim(), [wordsOf(element.text)])
  }
  return line('select', [wordsOf(element.placeholder)])
}

const drawTable = (rows: Json[][], settings: readonly { align?: string }[]): Drawing => ({
  box: 'table',
  look: 'table',
  parts: rows.map((row, at) => ({
    box: 'row',
    look: 'row',
    parts: row.map((cell, column) => ({
      box: at === 0 ? 'head' : 'cell',
      look: settings[column]?.align === 'right' ? 'right' : 'left',
      parts: cell.type === 'rich_text' ? (cell.elements ?? []).map(drawRich) : [wordsOf(cell.text)],
    })),
  })),
})

const drawChart = ({ title, chart }: ChartBlock): Drawing => ({
  chart: {
    kind: 'chart',
    title,
    shape: chart.type,
    series:
      chart.type === 'pie'
        ? [{ name: title, points: chart.segments }]
        : chart.series.map(({ name, data }) => ({ name, points: data })),
  },
})

const wordsOf = (text: unknown): string => (typeof text === 'string' ? text : (text as { text: string }).text)

const emoji: Record<string, string> = { white_check_mark: '✅', warning: '⚠️', x: '❌' }
