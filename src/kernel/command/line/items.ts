import type { Value } from './lexer.ts'
import { parseJson } from './structured.ts'

/**
 * Commas separate items; a backslash escapes the next character; white space around an item is removed. Empty
 * items are kept for the schema to check: dropping them would shift the items after them.
 */
export const toItems = (value: string): string[] => read(value, none)

/**
 * A list as typed in a line. The lexer has removed quotes around the whole list; if each item has its own
 * ("big spender","vip"), it removed the outermost two, which are put back here. A JSON list of texts is
 * accepted too.
 */
export const itemsOf = ({ text, quoted, hasQuotedItems }: Value): string[] => {
  if (hasQuotedItems) return read(text, [double, single])
  return (
    jsonItems(text) ?? (quoted && quotedItems.test(text) ? read(`"${text}"`, [double]) : read(text, none))
  )
}

/** The inverse: the text that `toItems` reads as this one item. */
export const escapeItem = (item: string): string => item.replace(/[\\,"“”„]|^\s|\s$/gu, (char) => `\\${char}`)

const quotedItems = /(?<!\\)["“”]\s*,|(?<!\\),\s*["“”„]/u

type Quotes = { opening: string; closing: RegExp }
const double: Quotes = { opening: '"“”„', closing: /["“”](?=\s*(?:,|$))/uy }
const single: Quotes = { opening: "'‘’", closing: /['’](?=\s*(?:,|$))/uy }
const none: readonly Quotes[] = []

const jsonItems = (text: string): string[] | undefined => {
  const value = /^\[.*["“”]\s*\]$/su.test(text) ? parseJson(text) : undefined
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}

const read = (value: string, kinds: readonly Quotes[]): string[] => {
  if (value.trim() === '') return []
  const items: string[] = []
  let item = ''
  let kept = 0
  let inside: Quotes | undefined
  const push = () => {
    items.push(item.slice(0, Math.max(kept, item.trimEnd().length)))
    item = ''
    kept = 0
  }
  for (let at = 0; at < value.length; at++) {
    const char = value[at] as string
    const opened =
      inside === undefined && item === '' ? kinds.find(({ opening }) => opening.includes(char)) : undefined
    if (inside !== undefined && isAt(inside.closing, value, at)) inside = undefined
    else if (char === ',' && inside === undefined) push()
    else if (char === '\\' && at + 1 < value.length) {
      item += value[++at]
      kept = item.length
    } else if (opened !== undefined) inside = opened
    else if (item !== '' || !/\s/u.test(char)) item += char
  }
  push()
  return items
}

const isAt = (sticky: RegExp, value: string, at: number): boolean => {
  sticky.lastIndex = at
  return sticky.test(value)
}
