/**
 * Only `--as` before the line is an option of this tool (empty if nobody is named); everything else is the
 * line, flags included.
 */
export const readArguments = (
  args: readonly string[],
): { line: string | undefined; as: string | undefined } => {
  const rest = [...args]
  let as: string | undefined
  const at = rest.findIndex((arg) => arg === '--as' || arg.startsWith('--as='))
  if (at !== -1) {
    const [given, next] = rest.slice(at)
    as = (given === '--as' ? next : given?.slice('--as='.length)) ?? ''
    rest.splice(at, given === '--as' ? 2 : 1)
  }
  return {
    line: rest.length === 0 ? undefined : rest.length === 1 ? rest[0] : rest.map(requote).join(' '),
    as,
  }
}

/** The shell removed the quotes; put them back around words with spaces and empty words. */
const requote = (word: string): string => {
  const [, flag = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? []
  return value === '' || /\s/.test(value) ? `${flag}"${value.replace(/[\\"]/g, '\\$&')}"` : word
}
