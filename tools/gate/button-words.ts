import { existsSync, globSync, readFileSync } from 'node:fs'

const table = 'src/lib/view/button-labels.ts'

/** Text between quotes; what is filled in is no text. */
const quoted = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g
/** Where people are told of a button: what to press, what pressing it does, or a word with a capital amid a sentence. */
const namedIn = (rows: string): RegExp => {
  const labels = [...rows.matchAll(/\blabel: '([^']+)', does:/g)].map(([, words = '']) => words)
  const label = `(?:${[...new Set(labels)].toSorted((one, other) => other.length - one.length).join('|')})(?![\\w-])`
  return new RegExp(
    [
      `\\b[Pp]ress(?:es|ed|ing)? [“"*]*${label}`,
      `[“*]${label}`,
      `[a-z,;:] ${label}`,
      `[.:] ${label} (?:or|asks|ends)\\b`,
    ].join('|'),
  )
}

/** Every sentence that writes out the word of a button, which is then another than the button has once that is renamed. */
export async function buttonWordFaults(): Promise<string[]> {
  if (!existsSync(table)) return []
  const rows = [table, ...globSync('src/features/**/*.ts')].map((file) => readFileSync(file, 'utf8'))
  const named = namedIn(rows.join('\n'))
  return globSync([
    'src/**/*.ts',
    'commands/**/*.ts',
    'adapters/**/*.{ts,js}',
    'packs/**/*.ts',
    'tools/reference/*.ts',
  ])
    .filter((file) => file !== table)
    .toSorted()
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          if (/^\s*(?:\/\/|\/?\*|import )/.test(line)) return []
          const texts = [...line.matchAll(quoted)].map(([text]) => text.replace(/\$\{[^}]*\}/g, '…'))
          const found = texts.flatMap((text) => named.exec(text)?.[0] ?? [])
          return found.map((words) => `${file}:${at + 1} says ${words}: take the word of a button from verbs`)
        }),
    )
}
