import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'

export type Table = { caption?: string; head: string[]; rows: string[][] }

/** One part of a generated page: replaced by its own command, the others stay as they were. */
export type Section = { name: string; title: string; text: string }

export const plainTable = ({ caption, head, rows }: Table): string => {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((row) => (row[at] ?? '').length)))
  const line = (row: string[]) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
  return [...(caption ? [caption] : []), line(head), ...rows.map(line)]
    .map((each) => each.trimEnd())
    .join('\n')
}

export const markdownTable = ({ caption, head, rows }: Table): string => {
  const line = (row: string[]) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const table = [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
  return caption ? `${caption}\n\n${table}` : table
}

/** Where and with what a run was made. */
export const circumstances = (): string => {
  const [cpu] = cpus()
  const gib = (totalmem() / 2 ** 30).toFixed(0)
  const machine = `${cpus().length} x ${cpu?.model.trim() || process.arch}, ${gib} GiB, ${type()} ${release()}`
  const versions = `Node ${process.versions.node}, SQLite ${process.versions.sqlite ?? 'unknown'}, PostgreSQL ${postgresVersion()}`
  return `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, commit ${commit()}, ${machine}, ${versions}`
}

/** The last line of a part: the command that repeats it, when it ran, and on which commit. */
export const runOf = (command: string, said: string): string => {
  const [at = '', commit = ''] = said.split(', ')
  return `\`npm run ${command}\`, ${at}, ${commit}.`
}

/** Puts the section into the page between its marks, after those that are there if it is new. */
export const writeSection = (file: string, intro: string, { name, title, text }: Section): void => {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : intro
  const [from, to] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const section = `${from}\n## ${title}\n\n${text.trim()}\n${to}`
  const start = page.indexOf(from)
  const end = page.indexOf(to)
  writeFileSync(
    file,
    start === -1 || end === -1
      ? `${page.trimEnd()}\n\n${section}\n`
      : page.slice(0, start) + section + page.slice(end + to.length),
  )
}

/** The pages in which figures are kept change with the first of them: they are no part of what was measured. */
const commit = (): string => {
  const name = said('git', ['rev-parse', '--short', 'HEAD']) ?? 'unknown'
  const isChanged = said('git', ['diff', '--name-only', 'HEAD', '--', '.', ':!docs'])
  return isChanged ? `${name} with local changes` : name
}

const postgresVersion = (): string => said('psql', ['--version'])?.match(/[\d.]+/)?.[0] ?? 'not found'

const said = (command: string, args: string[]): string | undefined => {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return undefined
  }
}
