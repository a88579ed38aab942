/**
 * What the page about deployment shows, as a file: an environment to fill in. A test compares the table of the page with what
 * the configuration reads, so the file has every variable there is.
 */
export const deployFiles = (page: string): Record<string, string> => ({ '.env.example': environmentOf(page) })

const environmentOf = (page: string): string => {
  const [, section = ''] = page.split('## Environment\n')
  const [table = ''] = section.split('\n## ')
  const lines = table.split('\n').filter((line) => line.startsWith('| `'))
  const head = [
    '# The environment of Bellhop, every variable of it. Copy it to .env, or to /etc/bellhop/env, and fill in what you need: a',
    '# line that begins with # counts as not set. docs/deploy.md says more. With nothing set this is the demo.',
  ]
  return `${[...head, ...lines.flatMap(variablesIn)].join('\n')}\n`
}

const variablesIn = (line: string): string[] => {
  const [, names = '', what = '', usual = ''] = line.split(/ ?\| ?/)
  const words = plain(what)
  const otherwise = plain(usual) === '' ? '' : ` Otherwise: ${plain(usual)}.`
  return [
    '',
    `# ${words.charAt(0).toUpperCase()}${words.slice(1)}.${otherwise}`,
    ...(names.match(/[A-Z_]{3,}/g) ?? []).map((name) => `#${name}=`),
  ]
}

/** Without the marks of a page. */
const plain = (text: string): string =>
  text
    .replaceAll(/\[([^[\]]+)\]\([^()[\]]+\)/g, '$1')
    .replaceAll('`', '')
    .trim()
