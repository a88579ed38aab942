import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** What may name a messenger: what joins the adapters to the bot, and what developers run. */
const joins = /^src\/(main\.ts$|cli\/(?!(start|packs|backup|doctor)\/))/

/** Agents come by this protocol as people come by a messenger, and services may be called by it: what calls them names it. */
const calls = { name: 'mcp', files: /^src\/(lib\/(services|sandbox)|cli)\// }

/** Every line of src/ that names a messenger, in code, words or comments; the console is the bot's own. */
export async function platformNameFaults(): Promise<string[]> {
  const names = foldersIn('adapters').filter((name) => name !== 'console')
  if (names.length === 0) return []
  const namedBy = (some: readonly string[]) => new RegExp(some.join('|') || '(?!)', 'i')
  const [any, others] = [namedBy(names), namedBy(names.filter((name) => name !== calls.name))]
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) => `src/${file}`)
  return files
    .filter((file) => file.endsWith('.ts') && !joins.test(file))
    .flatMap((file) => {
      const named = calls.files.test(file) ? others : any
      const lines = [file, ...readFileSync(file, 'utf8').split('\n')]
      return lines.flatMap((line, at) =>
        named.test(line)
          ? [`${file}:${at} names ${named.exec(line)?.[0]}: src/ knows no messenger by name`]
          : [],
      )
    })
}

const foldersIn = (path: string): string[] =>
  existsSync(path)
    ? readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    : []
