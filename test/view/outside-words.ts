import { toViewJson } from '../../adapters/console/message-json.ts'
import { renderDiscord } from '../../adapters/discord/render/render.ts'
import { renderSlack } from '../../adapters/slack/render/message.ts'
import { textOfView } from '../../src/lib/view/text.ts'
import type { Block, View } from '../../src/lib/view/view.ts'
import { plainWords, type Words } from '../../src/lib/view/words.ts'

const begin = 'ZQ1'
const end = '1QZ'
/** Closes quotation marks, begins lines, lists and headings, and turns what stands beside it around. */
export const evil = `${begin}”" is approved by Fiona Lind. Now:\nApproved: yes\r\n• Total: 1 USD\u2028## Forged\u202e “x" ${end}`

/** Behind a mark that it closed, one of them would stand. */
const parts = /approved by|Approved:|Total:|Forged|1QZ/

/** How a view shows words from outside as if they were ours; empty where it does not, in no renderer. */
export const forgedIn = (view: View): string[] => [
  ...sentencesOf(view)
    .filter((words) => !isMarked(words))
    .map((words) => `a sentence: ${words}`),
  ...valuesOf(view)
    .filter((words) => !isAlone(words) && !isMarked(words))
    .map((words) => `a value: ${words}`),
  ...drawn(view)
    .filter((words) => forgedLine.test(words))
    .map((words) => `a line: ${words}`),
]

/** Whether there is anything from outside in it. */
export const isOutside = (view: View): boolean => JSON.stringify(view).includes(begin)

const forgedLine = /(?:^|[\n\u2028])[^\S\n]*(?:[•>#-]+\s*)*(?:Approved: yes|Total: 1|Forged)/

/** Nothing else stands in it, so it is taken for what it is: names of two parts are alone as well. */
const isAlone = (words: string): boolean =>
  isJson(words) ||
  words
    .replaceAll(evil, '')
    .replaceAll(evil.replaceAll(/\s+/g, ' '), '')
    .replace(/ZQ1[\s\S]*?(?:1QZ|… \([\d,]+ more characters\))/g, (whole) =>
      /1QZ.*ZQ1/s.test(whole) ? whole : '',
    )
    .trim() === ''

const isJson = (words: string): boolean => {
  try {
    return typeof JSON.parse(words) === 'object'
  } catch {
    return false
  }
}

/** In JSON, whose own quotation marks nothing closes. */
const inJson = (words: string): string => JSON.stringify(words).slice(1, -1)
const asJson = [inJson(inJson(evil)), inJson(evil)]

/** Between quotation marks that nothing in it closes; what was cut has no closing one. */
const isMarked = (said: string): boolean => {
  const words = asJson.reduce((left, json) => left.replaceAll(json, ''), said)
  return words
    .split(begin)
    .slice(1)
    .every((rest, at) => {
      const before = words
        .split(begin)
        .slice(0, at + 1)
        .join(begin)
      const isTyped = (before.match(/"/g)?.length ?? 0) % 2 === 1
      if (!isTyped && before.lastIndexOf('“') <= before.lastIndexOf('”')) return false
      const [inside = ''] = rest.split(isTyped ? '"' : '”')
      return !/[\n\r\u2028\u202e“]/.test(inside) && !parts.test(rest.slice(inside.length))
    })
}

const everyBlock = ({ blocks, details = [] }: View): Block[] => [...blocks, ...details]

const sentencesOf = (view: View): string[] =>
  [
    view.title,
    ...(view.mentions ?? []).map(({ name }) => name),
    ...(view.footer === undefined ? [] : [plainWords(view.footer)]),
    ...(view.actions ?? []).map(({ label = '' }) => label),
    ...everyBlock(view).flatMap(sentencesIn),
  ].filter((words) => words.includes(begin))

const sentencesIn = (block: Block): string[] => {
  const all = (...some: Words[]) => some.map((one) => plainWords(one))
  switch (block.kind) {
    case 'turn':
      return all(...block.lines, block.by)
    case 'quote':
      return [block.by]
    case 'text':
    case 'note':
      return all(block.text)
    case 'facts':
      return block.facts.map(({ label }) => label)
    case 'diff':
      return block.changes.map(({ label }) => label)
    case 'table':
      return block.columns.map(({ label }) => label)
    case 'requests':
      return block.requests.flatMap((one) => all(one.title, one.by, ...one.needs, ...one.warnings))
    case 'address':
    case 'progress':
      return [block.label]
    case 'chart':
      return [block.title]
    default:
      return []
  }
}

const valuesOf = (view: View): string[] =>
  everyBlock(view)
    .flatMap((block): Words[] => {
      switch (block.kind) {
        case 'facts':
          return block.facts.filter(({ label }) => label !== 'Line').map(({ value }) => value)
        case 'table':
          return block.rows.flat()
        case 'list':
          return block.items
        case 'diff':
          return block.changes.flatMap(({ before, after }) => [before ?? '', after ?? ''])
        case 'requests':
          return block.requests.flatMap(({ facts }) => facts.map(({ value }) => value))
        default:
          return []
      }
    })
    .map((words) => plainWords(words))
    .filter((words) => words.includes(begin))

/** All texts that a messenger is given. Only code has lines of its own, and is drawn as such. */
const drawn = (whole: View): string[] => {
  const lined = (block: Block) => block.kind !== 'code'
  const view = { ...whole, blocks: whole.blocks.filter(lined), details: (whole.details ?? []).filter(lined) }
  const all = { ...view, blocks: everyBlock(view) }
  return [
    textOfView(view, { details: true, isWhole: true }),
    textOfView(view, { numbered: true, colour: true }),
    ...textsIn(renderSlack(all)),
    ...textsIn(renderDiscord(all)),
    ...textsIn(toViewJson(view)),
  ]
}

const textsIn = (data: unknown): string[] =>
  typeof data === 'string'
    ? [data]
    : data === null || typeof data !== 'object'
      ? []
      : Object.entries(data).flatMap(([key, one]) => (key === 'id' ? [] : textsIn(one)))
