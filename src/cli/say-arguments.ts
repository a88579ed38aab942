import { parseArgs } from 'node:util'

/** `--as` before the line is ours; everything else belongs to the line, whose own flags must reach the parser. */
export const readArguments = (
  args: readonly string[],
): { line: string | undefined; as: string | undefined } => {
  const rest = [...args]
  let as: string | undefined
  const at = rest.findIndex((arg) => arg === '--as' || arg.startsWith('--as='))
  if (at !== -1) {
    const { values } = parseArgs({
      args: rest.slice(at, at + 2),
      options: { as: { type: 'string' } },
      strict: false,
    })
    as = typeof values.as === 'string' ? values.as : undefined
    rest.splice(at, rest[at] === '--as' ? 2 : 1)
  }
  return {
    line: rest.length === 0 ? undefined : rest.length === 1 ? rest[0] : rest.map(requote).join(' '),
    as,
  }
}

/** The shell took the quotes off; a word with spaces gets them back. */
const requote = (word: string): string => (/\s/.test(word) ? `"${word.replace(/[\\"]/g, '\\$&')}"` : word)
