import type { Definition } from '../../src/kernel/command/define.ts'
import { allRows, type NamedRow } from '../../src/lib/services/endpoints/tables.ts'

/** The commands of one kind that use this endpoint, by whichever of its rows, and the noun that it belongs to. */
export const standsForOf = (
  named: NamedRow,
  kind: 'query' | 'change',
  others: readonly Definition[],
): string[] => {
  const ids: readonly string[] = rowsOf(named)
  const users = others.filter((other) => other.kind === kind && other.uses.some((id) => ids.includes(id)))
  return [...new Set([...users.map(({ name }) => name), named.row.noun])]
}

/** Rows of the same method and path: which of them a body means is a guess, so it decides nothing about rights. */
const rowsOf = ({ service, row }: NamedRow) =>
  allRows()
    .filter(
      (other) =>
        other.service === service &&
        other.row.method === row.method &&
        shapeOf(other.row.path) === shapeOf(row.path),
    )
    .map((other) => other.id)

const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}')
