import type { Value } from './lexer.ts'

/**
 * Commas separate; a backslash keeps the next character as it is; white space around an item is not part of it. An
 * item with nothing in it stays, for the schema to judge: dropping it would move the ones behind it.
 */
export const toItems = (value: string): string[] => read(value, false)

/**
 * A list as a line has it. Quotes around the whole list were taken off by the lexer; where each item has its own
 * ("big spender","vip"), the outermost two were, and are put back to read the items.
 */
export const listOf = ({ text, quoted }: Value): string[] =>
  quoted && quotedItems.test(text) ? read(`"${text}"`, true) : read(text, false)

/** The way back: what `toItems` reads as this one item. */
export const escapeItem = (item: string): string => item.replace(/[\\,"“”„]|^\s|\s$/gu, (char) => `\\${char}`)

const quotedItems = /(?<!\\)["“”]\s*,|(?<!\\),\s*["“”„]/u
const opening = '"“”„'
const closing = /["“”](?=\s*(?:,|$))/uy

const read = (value: string, isEachQuoted: boolean): string[] => {
  if (value.trim() === '') return []
  const items: string[] = []
  let item = ''
  let kept = 0
  let isInside = false
  const push = () => {
    items.push(item.slice(0, Math.max(kept, item.trimEnd().length)))
    item = ''
    kept = 0
  }
  for (let at = 0; at < value.length; at++) {
    const char = value[at] as string
    closing.lastIndex = at
    if (isInside && closing.test(value)) isInside = false
    else if (char === ',' && !isInside) push()
    else if (char === '\\' && at + 1 < value.length) {
      item += value[++at]
      kept = item.length
    } else if (isEachQuoted && !isInside && item === '' && opening.includes(char)) isInside = true
    else if (item !== '' || !/\s/u.test(char)) item += char
  }
  push()
  return items
}
