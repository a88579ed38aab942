/** Where a value with quotes inside ends: JSON, or a list in which only some items are quoted. */
export type Structured = { end: number; kind: 'json' | 'items' }

export const structuredAt = (line: string, start: number): Structured | undefined => {
  const json = endOfJson(line, start)
  if (json !== undefined) return { end: json, kind: 'json' }
  const items = endOfItems(line, start)
  return items === undefined ? undefined : { end: items, kind: 'items' }
}

/** Phones turn straight quotes into curly ones, which are not valid in JSON. */
export const parseJson = (written: string): unknown => {
  for (const text of [written, written.replace(/[“”„]/gu, '"')]) {
    try {
      return JSON.parse(text)
    } catch {}
  }
  return undefined
}

/** Deeper than any request body of the services; a limit for a line full of brackets. */
const deepest = 20

const endOfJson = (line: string, start: number): number | undefined => {
  if (line[start] !== '{' && line[start] !== '[') return undefined
  let depth = 0
  let isInside = false
  for (let at = start; at < line.length; at++) {
    const char = line[at] as string
    if (isInside && char === '\\') at++
    else if ('"“”„'.includes(char)) isInside = !isInside
    else if (!isInside && (char === '{' || char === '[')) {
      if (++depth > deepest) return undefined
    } else if (!isInside && (char === '}' || char === ']') && --depth === 0) {
      const end = at + 1
      const isWhole = end === line.length || /\s/u.test(line[end] as string)
      return isWhole && parseJson(line.slice(start, end)) !== undefined ? end : undefined
    }
  }
  return undefined
}

const quotedItem = String.raw`["“”„][^"“”„\\]*["“”]|['‘’][^'‘’\\]*['’]`
const bareItem = String.raw`(?!--|['‘’—–])[^\s,"“”„<\\]+`
const item = `(?:${quotedItem}|${bareItem})`
/** Without white space between the items it is a list in any position. */
const tight = new RegExp(`${item}(?:,${item})+(?=\\s|$)`, 'uy')
/**
 * With white space, it is a list only if it starts with a quote and ends at a flag or at the end of the line.
 */
const loose = new RegExp(`(?:${quotedItem})(?:\\s*,\\s*${item})+(?=\\s*$|\\s+(?:--|[—–]))`, 'uy')
const isQuotedItem = /(?:^|,)["“”„'‘’]/u

const endOfItems = (line: string, start: number): number | undefined => {
  const found = matchAt(tight, line, start) ?? matchAt(loose, line, start)
  return found !== undefined && isQuotedItem.test(found) ? start + found.length : undefined
}

const matchAt = (sticky: RegExp, line: string, start: number): string | undefined => {
  sticky.lastIndex = start
  return sticky.exec(line)?.[0]
}
