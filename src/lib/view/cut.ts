import { plural } from './button-labels.ts'
import { maskTheirs } from './outside.ts'
import type { Block } from './view.ts'
import { visibleLine, visibleText } from './visible.ts'
import { mapText, partsOf, plainWords, visibleWords, type Words } from './words.ts'

/** How long a text is for the renderer that needs the most room: what some platform escapes counts twice. */
export const weightOf = (words: string): number =>
  words.length + (words.match(/[\\`*_~|[\]<>#&"@]|:\/\/|\n/g)?.length ?? 0)

/** The start of a text in at most so much weight, and how much of it is left out. */
export const cutText = (words: string, most: number): string => {
  if (weightOf(words) <= most) return words
  const room = most - leftOut(words.length).length
  let kept = Math.max(0, Math.min(words.length, room))
  while (kept > 0 && weightOf(words.slice(0, kept)) > room) kept = Math.floor(kept * 0.9)
  const start = words.slice(0, kept).replace(/[\ud800-\udbff]$/, '')
  return `${start}${leftOut(words.length - start.length)}`
}

/**
 * What warns of something says at its end what to do about it, so its end stays whole and its middle is left out. For all
 * platforms, so that none of them cuts a remedy off.
 */
export const cutMiddle = (words: string, most: number): string => {
  if (weightOf(words) <= most) return words
  const room = most - middleLeftOut(words.length).length
  const last = maskTheirs(words).lastIndexOf('. ', words.length - 3) + 2
  const isWhole = last > 1 && weightOf(words.slice(last)) <= (room * 3) / 4
  let end = isWhole ? words.length - last : Math.floor(Math.max(0, room) / 2)
  while (end > 0 && weightOf(words.slice(-end)) > (room * 3) / 4) end = Math.floor(end * 0.9)
  // No end of what somebody else wrote stands there as if it were ours.
  const ending = end === 0 ? '' : outOfMarks(words.slice(-end).replace(/^[\udc00-\udfff]/, ''))
  let kept = Math.max(0, Math.min(words.length - ending.length, room))
  while (kept > 0 && weightOf(words.slice(0, kept)) > room - weightOf(ending)) kept = Math.floor(kept * 0.9)
  const start = words.slice(0, kept).replace(/[\ud800-\udbff]$/, '')
  return `${start}${middleLeftOut(words.length - start.length - ending.length)}${ending}`
}

const outOfMarks = (words: string): string => {
  const [before = '', ...rest] = words.split('”')
  return rest.length === 0 || before.includes('“') ? words : rest.join('”')
}

/** The same for a sentence: its instants stay, and its text has the room that they leave. */
export const cutWords = (words: Words, most: number, cut: typeof cutText = cutText): Words => {
  if (typeof words === 'string') return cut(words, most)
  if (weightOf(plainWords(words)) <= most) return words
  const weights = partsOf(words).map((part) => weightOf(typeof part === 'string' ? part : part.text))
  const isText = (at: number) => typeof words.parts[at] === 'string'
  const times = weights.reduce((sum, one, at) => (isText(at) ? sum : sum + one), 0)
  const shares = sharesOf(
    weights.filter((_, at) => isText(at)),
    Math.max(0, most - times),
  )
  let at = 0
  const shown = mapText(words, (text) => cut(text, shares[at++] ?? 0))
  return weightOf(plainWords(shown)) <= most ? shown : cut(plainWords(words), most)
}

/** Of so much room, the short ones all they need, and the long ones the rest in equal parts. */
export const sharesOf = (lengths: readonly number[], room: number): number[] => {
  const shares = lengths.map(() => 0)
  let left = room
  const byLength = lengths
    .map((length, at) => ({ length, at }))
    .sort((one, other) => one.length - other.length)
  for (const [taken, { length, at }] of byLength.entries()) {
    const share = Math.min(length, Math.floor(left / (byLength.length - taken)))
    shares[at] = share
    left -= share
  }
  return shares
}

/** A name keeps its end, where the account of somebody unlisted stands. */
export const cutName = (name: string, most: number): string =>
  name.length <= most
    ? name
    : `${name.slice(0, Math.floor(most / 2) - 1)}…${name.slice(-Math.floor(most / 2))}`.toWellFormed()

/** The blocks in at most so much weight, each line whole or saying what it lacks; nothing that a renderer would cut again. */
export const cutBlocks = (blocks: readonly Block[], most: number): { blocks: Block[]; isCut: boolean } => {
  const shown: Block[] = []
  let isCut = blocks.length > maxBlocks
  let room = most
  for (const block of blocks.slice(0, maxBlocks)) {
    const cut = cutBlock(block, room)
    isCut ||= cut.isCut
    room -= cut.weight
    if (cut.block !== undefined) shown.push(cut.block)
  }
  return { blocks: shown, isCut }
}

const maxBlocks = 14
const maxLines = 30
const maxColumns = 8
const longest = { label: 50, value: 400, cell: 100, least: 40 }
/** What a platform puts around a line or a block. */
const frame = 12

type Cut = { block: Block | undefined; weight: number; isCut: boolean }

const cutBlock = (block: Block, room: number): Cut => {
  switch (block.kind) {
    case 'turn': {
      const weight = weightOf([...block.lines.map((line) => plainWords(line)), block.by].join(' ')) + frame
      return { block, weight, isCut: false }
    }
    case 'text':
    case 'note': {
      const whole = block.kind === 'note' ? visibleWords(block.text) : mapText(block.text, visibleText)
      const text = cutWords(whole, room - frame, block.kind === 'note' ? cutMiddle : cutText)
      return withinRoom({ ...block, text }, whole, text, room)
    }
    case 'quote':
    case 'code': {
      const whole = block.kind === 'quote' ? visibleLine(block.text) : visibleText(block.text)
      const text = cutText(whole, room - frame)
      return withinRoom({ ...block, text }, whole, text, room)
    }
    case 'facts': {
      const { kept, ...rest } = linesIn(block.facts, room, ({ label, value }) => [label, value])
      const pairs = kept.map(([label = '', value = ''], at) => {
        const { time } = block.facts[at] ?? {}
        return { label: plainWords(label), value, ...(time?.text === value ? { time } : {}) }
      })
      return { ...rest, block: pairs.length === 0 ? undefined : { ...block, facts: pairs } }
    }
    case 'diff': {
      const { kept, ...rest } = linesIn(block.changes, room, ({ label, before, after }) => [
        label,
        before ?? '',
        after ?? '',
      ])
      const sides = kept.map(([label = '', before = '', after = ''], at) => ({
        label: plainWords(label),
        before: block.changes[at]?.before === null ? null : before,
        after: block.changes[at]?.after === null ? null : after,
      }))
      return { ...rest, block: sides.length === 0 ? undefined : { kind: 'diff', changes: sides } }
    }
    case 'list': {
      const { kept, ...rest } = linesIn(block.items, room, (item) => ['', item])
      const left = block.items.length - kept.length
      const items = kept.map(([, item = '']) => item)
      if (left > 0 && items.length > 0) items.push(`and ${plural(left, 'more', 'more')}`)
      return { ...rest, block: items.length === 0 ? undefined : { kind: 'list', items } }
    }
    case 'table': {
      const columns = block.columns
        .slice(0, maxColumns)
        .map((column) => ({ ...column, label: cutText(visibleLine(column.label), longest.label) }))
      const names = columns.reduce((sum, { label }) => sum + weightOf(label) + frame, 0)
      const { kept, weight, isCut } = linesIn(
        block.rows,
        room - names,
        (row) => columns.map((_, at) => row[at] ?? ''),
        { most: longest.cell, frame: names },
      )
      return {
        block:
          kept.length === 0
            ? undefined
            : { kind: 'table', columns, rows: kept.map((row) => row.map((cell) => plainWords(cell))) },
        weight: weight + names,
        isCut: isCut || columns.length < block.columns.length,
      }
    }
    case 'address':
    case 'requests':
    case 'chart':
    case 'progress': {
      const weight = weightOf(JSON.stringify(block)) + frame
      return weight > room ? { block: undefined, weight: 0, isCut: true } : { block, weight, isCut: false }
    }
  }
}

const withinRoom = (block: Block, whole: Words, text: Words, room: number): Cut =>
  room < longest.least + frame
    ? { block: undefined, weight: 0, isCut: whole !== '' }
    : { block, weight: weightOf(plainWords(text)) + frame, isCut: text !== whole }

/** As many lines as there is room for, each of its parts within its bound. The first part is a label. */
const linesIn = <T>(
  lines: readonly T[],
  room: number,
  wordsOf: (line: T) => Words[],
  { most, frame: around }: { most: number; frame: number } = { most: longest.value, frame: 2 * frame },
): { kept: Words[][]; weight: number; isCut: boolean } => {
  const kept: Words[][] = []
  let weight = 0
  let isCut = false
  for (const line of lines.slice(0, maxLines)) {
    const whole = wordsOf(line).map(visibleWords)
    const parts = whole.map((part, at) =>
      cutWords(part, at === 0 && most > longest.cell ? longest.label : most),
    )
    const needs = parts.reduce((sum, part) => sum + weightOf(plainWords(part)), around)
    if (weight + needs > room) break
    isCut ||= parts.some((part, at) => part !== whole[at])
    kept.push(parts)
    weight += needs
  }
  return { kept, weight, isCut: isCut || kept.length < lines.length }
}

const leftOut = (count: number): string => `… (${plural(count, 'more character')})`
const middleLeftOut = (count: number): string => `… (${plural(count, 'more character')}) … `
