import { allRows, allServices, type NamedRow, type RowId } from '../../src/lib/services/endpoints/tables.ts'

/** Fields of a record that no command shows, and why. */
export type UnshownFields = { record: string; fields: readonly string[]; why: string }

/** The text of docs/services.md. `usedBy` names the commands that call a row. */
export function servicesDoc(
  usedBy: ReadonlyMap<RowId, readonly string[]>,
  notes: { guesses: readonly string[]; unshown: readonly UnshownFields[] },
): string {
  const rows = allRows()
  const shown = rows.filter(({ row }) => row.shown).length
  return [
    '# Services',
    '',
    '<!-- Derived from the endpoint tables of the packs by `npm run derive`. Change those, not this file. -->',
    '',
    `Bellhop knows ${rows.length} endpoints of ${allServices().length} services. Of ${shown} the request and the answer are documented (shown);`,
    `the other ${rows.length - shown} are documented by method and path only. Those take any JSON and are reached through`,
    '`api call` unless the table names a command.',
    '',
    '- `read` changes nothing, and is repeated with growing pauses when a service is unavailable.',
    '- `idempotent` is a change that may be repeated the same way.',
    '- `once` is never sent again after any part of the request may have been sent. If no answer comes, the outcome is unknown.',
    '',
    ...allServices().flatMap(({ name, title }) => [
      `## ${title} (\`${name}\`)`,
      '',
      '| endpoint | what it does | command | effect | shape |',
      '|---|---|---|---|---|',
      ...rows.filter(({ service }) => service === name).map((named) => toLine(named, usedBy.get(named.id))),
      '',
    ]),
    ...notes.guesses,
    '',
    ...unshownOf(notes.unshown),
    '',
  ].join('\n')
}

function toLine({ row }: NamedRow, commands: readonly string[] = []) {
  const used = commands.length === 0 ? '`api call`' : commands.map((command) => `\`${command}\``).join(', ')
  const shape = row.shown ? 'shown' : 'path only'
  return `| \`${row.method} ${row.path}\` | ${row.summary} | ${used} | ${row.effect} | ${shape} |`
}

const unshownOf = (fields: readonly UnshownFields[]) => [
  '## What is not shown',
  '',
  'Every documented field of an answer is shown by some command, except these; `plan.*` is everything in `plan`. `api call` shows an answer as it came.',
  '',
  '| record | fields | why |',
  '|---|---|---|',
  ...fields.map(
    ({ record, fields: names, why }) =>
      `| ${record} | ${names.map((field) => `\`${field}\``).join(', ')} | ${why} |`,
  ),
]
