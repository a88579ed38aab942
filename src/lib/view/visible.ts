/**
 * Characters that nobody sees, or that move what stands beside them: controls, directions, widths of zero, fillers.
 * A new line and a tab are seen by what they do.
 */
const unseen = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]--[\n\t]]`
/** Letters of the scripts in which an invisible character joins or parts two of them. */
const joining = String.raw`[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Default_Ignorable_Code_Point}]]`
/** Where writing needs them: inside an emoji, and between such letters. */
const needed = [
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
  String.raw`\ufe0f(?=\u20e3)`,
  String.raw`(?<=${joining})[\u200c\u200d](?=${joining})`,
].join('|')
/** Made for the first text that needs it: it takes as long as a hundredth of the start. */
const found = (): RegExp => (compiled ??= new RegExp(`(${needed})|${unseen}`, 'gv'))
let compiled: RegExp | undefined

/** Nearly every text is plain, and this is quickly seen. */
const isPlain = (words: string): boolean => !/[^ -~\n\t]/.test(words)

/** The text with every character that cannot be seen written as its code, such as [U+200B]. */
export const visibleText = (words: string): string =>
  isPlain(words)
    ? words
    : words
        .toWellFormed()
        .replaceAll('\r\n', '\n')
        .replace(found(), (char, isNeeded?: string) => isNeeded ?? codeOf(char))

/** On one line: a new line inside a value must not look like the next fact. */
export const visibleLine = (words: string): string => {
  const seen = visibleText(words)
  if (!seen.includes('\n')) return seen.trim()
  return seen
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ⏎ ')
}

/** Any data with all its texts made visible. */
export const visibleData = <T>(data: T): T =>
  JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? visibleText(value) : value,
  ) as T

/** The first character in it that cannot be seen, as its code. */
export const unseenIn = (words: string): string | undefined => {
  if (isPlain(words)) return undefined
  for (const [char, isNeeded] of words.matchAll(found())) if (isNeeded === undefined) return codeOf(char)
  return undefined
}

const codeOf = (char: string): string =>
  `[U+${(char.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}]`
