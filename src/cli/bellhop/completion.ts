import { tools } from './tools.ts'

/** What a shell is given so that it completes `bellhop`. */
export const completions: Readonly<Record<string, () => string>> = {
  bash: () => `_bellhop() {
  local words
  if [ "$COMP_CWORD" -eq 1 ]; then words=${quoted(names.join(' '))}
  else case "\${COMP_WORDS[1]}" in
${cases((name) => `words=${quoted(afterOf(name).join(' '))}`)}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bellhop bellhop
`,
  zsh: () => `#compdef bellhop
_bellhop() {
  local -a names=(${names.map((name) => quoted(`${name}:${tools[name]?.summary.replaceAll(':', '\\:')}`)).join(' ')})
  if (( CURRENT == 2 )); then _describe 'command' names
  else case "$words[2]" in
${cases((name) => `compadd -- ${afterOf(name).map(quoted).join(' ')}; _files`)}
  esac; fi
}
compdef _bellhop bellhop
`,
  fish: () =>
    names
      .flatMap((name) => {
        const { summary, words = [], flags = {} } = tools[name] ?? { summary: '' }
        const after = `complete -c bellhop -n '__fish_seen_subcommand_from ${name}'`
        return [
          `complete -c bellhop -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
          ...words.map((word) => `${after} -a ${word}`),
          ...Object.entries(flags).map(([flag, isValued]) => `${after} -l ${flag}${isValued ? ' -r' : ''}`),
        ]
      })
      .join('\n')
      .concat('\n'),
}

const names = Object.keys(tools)

const afterOf = (name: string): string[] => {
  if (name === 'help') return names
  const { words = [], flags = {} } = tools[name] ?? {}
  return [...words, ...Object.keys(flags).map((flag) => `--${flag}`), '--help']
}

const cases = (words: (name: string) => string): string =>
  names.map((name) => `    ${name}) ${words(name)} ;;`).join('\n')

/** As a shell takes it, whatever stands in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
