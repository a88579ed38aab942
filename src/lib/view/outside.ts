import { visibleText } from './visible.ts'

/**
 * Words that somebody else wrote, inside a sentence of ours: on one line, bounded, and between quotation marks that nothing in
 * them closes. What can say nothing stands there as it is: an id, an address or a number, and a name of a file, and one of one or two words that
 * are none of those with which we say what is so.
 */
export const theirs = (words: string | number, most = usual): string => {
  const seen = oneLine(String(words))
  return isBare(seen) || isFile.test(seen) || (isName.test(seen) && !sayings.test(seen))
    ? seen
    : marked(seen, most)
}

/** The same for what is a title by itself, where a name of two words could be one of ours. */
export const theirTitle = (words: string): string => {
  const seen = oneLine(words)
  return isBare(seen) ? seen : marked(seen, usual)
}

/** The same, always between quotation marks. */
export const quoted = (words: string, most = usual): string => marked(oneLine(words), most)

/** What somebody typed just now, told back to them. */
export const asTyped = (words: string): string => `"${bounded(oneLine(words), usual).replace(closing, "'")}"`

/** The same for what is one word in nearly every record, such as how something stands: a short one says no more than that. */
export const theirWord = (words: string): string =>
  /^[\p{L}\p{N}\p{Sc}_-]{1,24}(?: [\p{L}\p{N}_-]{1,24})?$/u.test(words) ? words : theirs(words)

/** Whether two sentences say the same, whether or not they mark what somebody else wrote. */
export const isSameButMarked = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string'
    ? one.replace(/[“”]/g, '') === other.replace(/[“”]/g, '')
    : one === other

/** The same length with nothing in it that somebody else wrote, for looking where a sentence of ours ends. */
export const maskTheirs = (sentence: string): string =>
  sentence.replace(/“[^“”]*”|"[^"]*"/g, (one) => '_'.repeat(one.length))

const oneLine = (words: string): string => visibleText(words).replace(/\s+/gu, ' ').trim()

const marked = (words: string, most: number): string => `“${bounded(words, most).replace(closing, "'")}”`

const bounded = (words: string, most: number): string =>
  words.length <= most ? words : `${words.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`

/** Longer than nearly every name. */
const usual = 80
const isBare = (words: string): boolean =>
  /^(?=\S*[\d@_])[\p{L}\p{N}+/](?:[\p{L}\p{N}@_.+:/-]{0,118}[\p{L}\p{N}])?$/u.test(words) ||
  /^https?:\/\/[^\s"'“”„‟«»＂〝〞〟❝❞<>()]{1,300}$/u.test(words)
const isFile = /^[\p{L}\p{N}_-]{1,60}\.[a-z]{2,5}$/u
const isName = /^\p{L}[\p{L}\p{M}'’-]{0,29}(?: \p{L}[\p{L}\p{M}'’.-]{0,29})?$/u
/** Words of cards and outcomes: whatever begins like one of them is marked. */
const sayings =
  /(?:^| )(?:(?:approv|reject|refus|refund|cancel|confirm|fail|expir|sign|request|pay|unknown|frozen|freez|delet|remov|chang|nothing|nobody|every|customer|amount|total|charg|reason)|(?:done|paid|sent|send|add|added|no|not|none|yes|all|any|some|due|left|needs?|by|of|to|from|for|and|or|with|as|at|in|on|is|was|are|will|has)(?= |$))/iu
/** What is, or looks like, one of our marks. */
const closing = /["“”„‟«»＂〝〞〟❝❞]/gu
