import { toolLine } from '../../kernel/tool-words.ts'

/**
 * Only `--as` (empty if nobody is named) and a `--help` alone are options of this tool; everything else is the line, flags
 * included.
 */
export const readArguments = (
  args: readonly string[],
): { line: string | undefined; as: string | undefined; isHelp: boolean } => {
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
    isHelp: rest.length === 1 && (rest[0] === '--help' || rest[0] === '-h'),
  }
}

export const helpWords = (): string => `Talks to the bot in the terminal.

  ${toolLine('say', '"subscriber get ada@example.com"')}   runs one line
  ${toolLine('say').padEnd(toolLine('say', '"subscriber get ada@example.com"').length)}   opens a prompt

  --as <person>   who you are: an id or a name from bellhop.yml; the first person there if left out
  --help          shows this

In the prompt Tab completes commands, flags and values. The number of a row offers what you can do with it. A change that is
yours to confirm asks y or n. An empty line or Ctrl-D ends it. --file and a path attach a file to a line that takes one.

${toolLine('say', 'help')} lists the commands that you may run, and ${toolLine('say', '"refund help"')} explains one.

It ends with 0 if the line was done, 2 if it was refused, 3 if it waits for somebody, and 4 if it failed or nobody knows.
audit verify ends with 0 if the log is whole, 4 if something in it was changed, 6 if its key was handed over to one that is not
here, 7 if nobody vouches for its key, 8 if its end is missing, and 9 if nobody numbers its newest entries.`

/** The shell removed the quotes; put them back around words with spaces and empty words. */
const requote = (word: string): string => {
  const [, flag = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? []
  return value === '' || /\s/.test(value) ? `${flag}"${value.replace(/[\\"]/g, '\\$&')}"` : word
}
