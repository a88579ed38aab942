import type { Thing } from './thing.ts'
import type { Block, View } from './view.ts'
import { visibleLine as seenLine, visibleText } from './visible.ts'
import { plainWords, visibleWords as seenWords, type Words } from './words.ts'

/**
 * A view as every renderer takes it. Whatever stands in it is on one line, whoever wrote it, and everything in it can be seen:
 * only code has lines of its own.
 */
export const drawable = (view: View): View => {
  const { title, footer, quote, mentions, menu, marks, details } = view
  return {
    ...view,
    title: visibleLine(title),
    blocks: view.blocks.map(drawableBlock),
    ...(quote === undefined ? {} : { quote: visibleLine(quote) }),
    ...(details === undefined ? {} : { details: details.map(drawableBlock) }),
    ...(footer === undefined ? {} : { footer: visibleWords(footer) }),
    ...(mentions === undefined
      ? {}
      : { mentions: mentions.map((one) => ({ ...one, name: visibleLine(one.name) })) }),
    ...(marks === undefined
      ? {}
      : {
          marks: marks.map(({ id, label, hint }) => ({
            id,
            label: visibleLine(label),
            hint: visibleLine(hint),
          })),
        }),
    ...(menu === undefined
      ? {}
      : {
          menu: {
            ...menu,
            items: menu.items.map((item) => ({
              ...item,
              thing: drawableThing(item.thing),
              ...(item.label === undefined ? {} : { label: visibleLine(item.label) }),
            })),
          },
        }),
  }
}

export const drawableBlock = (block: Block): Block => {
  switch (block.kind) {
    case 'turn':
      return { ...block, lines: block.lines.map(visibleWords), by: visibleLine(block.by) }
    case 'quote':
      return { ...block, text: visibleLine(block.text), by: visibleLine(block.by) }
    case 'text':
    case 'note':
      return { ...block, text: visibleWords(block.text) }
    case 'facts':
      return {
        ...block,
        facts: block.facts.map((fact) => ({
          ...fact,
          ...labelled(fact),
          ...(fact.thing && { thing: drawableThing(fact.thing) }),
        })),
      }
    case 'diff':
      return {
        ...block,
        changes: block.changes.map(({ label, before, after }) => ({
          label: visibleLine(label),
          before: sideOf(before),
          after: sideOf(after),
        })),
      }
    case 'table':
      return {
        ...block,
        columns: block.columns.map((column) => ({ ...column, label: visibleLine(column.label) })),
        rows: block.rows.map((row) => row.map(visibleLine)),
        ...(block.things && { things: block.things.map((one) => one && drawableThing(one)) }),
      }
    case 'requests':
      return {
        ...block,
        requests: block.requests.map((one) => ({
          ...one,
          title: visibleLine(one.title),
          by: visibleLine(one.by),
          ...(one.why === undefined ? {} : { why: visibleLine(one.why) }),
          needs: one.needs.map(visibleWords),
          facts: one.facts.map(labelled),
          warnings: one.warnings.map(visibleWords),
          thing: drawableThing(one.thing),
        })),
      }
    case 'list':
      return { ...block, items: block.items.map(visibleWords) }
    case 'code':
      return { ...block, text: isNothing(block.text) ? '' : visibleText(block.text) }
    case 'address':
      return { ...block, label: visibleLine(block.label) }
    case 'chart':
      return {
        ...block,
        title: visibleLine(block.title),
        series: block.series.map(({ name, points }) => ({
          name: visibleLine(name),
          points: points.map(({ label, value }) => ({ label: visibleLine(label), value })),
        })),
      }
    case 'progress':
      return { ...block, label: visibleLine(block.label) }
  }
}

const drawableThing = (one: Thing): Thing =>
  one.name === undefined ? one : { ...one, name: visibleLine(one.name) }

const labelled = ({ label, value }: { label: string; value: Words }) => ({
  label: visibleLine(label),
  value: visibleWords(value),
})

const sideOf = (words: Words | null): Words | null => (words === null ? null : visibleWords(words))

/** What nobody can see at all is nothing. */
const isNothing = (words: string): boolean =>
  !/[!-~]/.test(words) && /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]*$/u.test(words)

const visibleLine = (words: string): string => (isNothing(words) ? '' : seenLine(words))

const visibleWords = (words: Words): Words => (isNothing(plainWords(words)) ? '' : seenWords(words))
