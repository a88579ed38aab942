import type { Definition } from '../../src/command/define.ts'
import { allRows, type NamedRow } from '../../src/services/endpoints/tables.ts'

/** Commands that write through the same method and path: which of its kinds a body is may be a guess, so all of them count. */
export const writersOf = (named: NamedRow, others: readonly Definition[]): string[] => {
  const ids = siblingsOf(named)
  return others
    .filter((other) => other.kind === 'change' && other.uses.some((id) => ids.includes(id)))
    .map((other) => other.name)
}

const siblingsOf = ({ service, row }: NamedRow): string[] =>
  allRows()
    .filter(
      (other) =>
        other.service === service &&
        other.row.method === row.method &&
        shapeOf(other.row.path) === shapeOf(row.path),
    )
    .map((other) => other.id)

const shapeOf = (path: string): string => path.replace(/\{\w+\}/g, '{}')
