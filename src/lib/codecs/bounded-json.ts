import { formatNumber } from '../view/format-number.ts'
/** How deep a JSON text may nest, and how many values and names it may hold altogether. */
export type JsonBounds = { depth: number; values: number }

/** More than any payload of a messenger, call of an agent or request body of a service has. */
const defaults: JsonBounds = { depth: 40, values: 20_000 }

/** A kind of SyntaxError: whoever takes no broken JSON takes none that is too large, and treats both alike. */
class JsonTooLarge extends SyntaxError {
  override name = 'JsonTooLarge'
}

/**
 * `JSON.parse` for text that others wrote: looked at once before anything is built from it, so that nothing which walks the
 * value later meets one that is deeper or wider than it can bear.
 */
export const parseBounded = (text: string, bounds: Partial<JsonBounds> = {}): unknown => {
  const why = whyTooLargeJson(text, bounds)
  if (why !== undefined) throw new JsonTooLarge(why)
  return JSON.parse(text)
}

export const whyTooLargeJson = (text: string, bounds: Partial<JsonBounds> = {}): string | undefined => {
  const most = { ...defaults, ...bounds }
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      at = endOfString(text, at)
      continue
    }
    if (char === brace || char === bracket) {
      if (++depth > most.depth) return `JSON here nests at most ${most.depth} deep.`
    } else if (char === endBrace || char === endBracket) depth--
    if (char !== brace && char !== bracket && char !== comma && char !== colon) continue
    if (++values > most.values) return `JSON here holds at most ${formatNumber(most.values)} values.`
  }
  return undefined
}

const [quote, brace, bracket, endBrace, endBracket, comma, colon, backslash] = [...'"{[}],:\\'].map((one) =>
  one.charCodeAt(0),
)

/** Where the string that begins at `start` ends; that of the text if it does not. Long strings cost next to nothing. */
const endOfString = (text: string, start: number): number => {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === backslash) before--
    if ((at - before) % 2 === 1) return at
  }
  return text.length
}
