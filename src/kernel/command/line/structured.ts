import { parseBounded } from '../../../lib/codecs/bounded-json.ts'

/** Where a value with quotes inside ends: JSON, or a list in which only some items are quoted. */
export type Structured = { end: number; kind: 'json' | 'items' }

/** How often a line may be read in vain. A line that somebody means has one such value or two. */
const readings = 8

/**
 * Reads structured values of one line. What looks like one and is none is read again as words, so all such attempts
 * together read the line a few times at most: the work stays in proportion to its length.
 */
export const structuredIn = (line: string): ((start: number) => Structured | undefined) => {
  // JSON has a bracket, and a list has a comma.
  if (!/[,{[]/.test(line)) return () => undefined
  let left = readings * line.length
  return (start) => {
    if (left < 0) return undefined
    for (const [kind, find] of kinds) {
      const { end, reached } = find(line, start)
      if (end !== undefined) return { end, kind }
      left -= reached - start
    }
    return undefined
  }
}

/** `reached` is how far it was read, also in vain. */
type Found = { end?: number; reached: number }

/** Phones turn straight quotes into curly ones, which are not valid in JSON. */
export const parseJson = (written: string): unknown => {
  for (const text of [written, written.replace(/[“”„]/gu, '"')]) {
    try {
      return parseBounded(text)
    } catch {}
  }
  return undefined
}

/** Deeper than any request body of the services; a limit for a line full of brackets. */
const deepest = 20

const findJson = (line: string, start: number): Found => {
  if (line[start] !== '{' && line[start] !== '[') return { reached: start }
  let depth = 0
  let isInside = false
  for (let at = start; at < line.length; at++) {
    const char = line[at] as string
    if (isInside && char === '\\') at++
    else if ('"“”„'.includes(char)) isInside = !isInside
    else if (!isInside && (char === '{' || char === '[')) {
      if (++depth > deepest) return { reached: at }
    } else if (!isInside && (char === '}' || char === ']') && --depth === 0) {
      const end = at + 1
      const isWhole = end === line.length || /\s/u.test(line[end] as string)
      const isJson = isWhole && parseJson(line.slice(start, end)) !== undefined
      return isJson ? { end, reached: end } : { reached: end }
    }
  }
  return { reached: line.length }
}

const quotedItem = /["“”„][^"“”„\\]*["“”]|['‘’][^'‘’\\]*['’]/uy
const bareItem = /(?!--|['‘’—–])[^\s,"“”„<\\]+/uy
const wideComma = /\s*,\s*/uy
const isQuoted = /^["“”„'‘’]/u

/** Items from `start` on with this between them, as far as they go. */
const itemsFrom = (line: string, start: number, separator: RegExp) => {
  let end = start
  let count = 0
  let hasQuoted = false
  for (let at: number | undefined = start; at !== undefined; at = endOfMatch(separator, line, end)) {
    const itemEnd = endOfMatch(quotedItem, line, at) ?? endOfMatch(bareItem, line, at)
    if (itemEnd === undefined) break
    hasQuoted ||= isQuoted.test(line[at] as string)
    end = itemEnd
    count++
  }
  return { end, count, hasQuoted }
}

const comma = /,/uy
const atEndOfWord = /(?=\s|$)/uy
const atFlagOrEnd = /(?=\s*$|\s+(?:--|[—–]))/uy

/** Without white space between the items it is a list in any position. */
const findTight = (line: string, start: number): Found => {
  const { end, count, hasQuoted } = itemsFrom(line, start, comma)
  const isList = count > 1 && hasQuoted && endOfMatch(atEndOfWord, line, end) !== undefined
  return isList ? { end, reached: end } : { reached: end }
}

/** With white space, it is a list only if it starts with a quote and ends at a flag or at the end of the line. */
const findLoose = (line: string, start: number): Found => {
  if (!isQuoted.test(line[start] ?? '')) return { reached: start }
  const { end, count } = itemsFrom(line, start, wideComma)
  const isList = count > 1 && endOfMatch(atFlagOrEnd, line, end) !== undefined
  return isList ? { end, reached: end } : { reached: end }
}

const kinds = [
  ['json', findJson],
  ['items', findTight],
  ['items', findLoose],
] as const

const endOfMatch = (sticky: RegExp, line: string, start: number): number | undefined => {
  sticky.lastIndex = start
  return sticky.test(line) ? sticky.lastIndex : undefined
}
