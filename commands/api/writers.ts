import type { Definition } from '../../src/command/define.ts'
import { allRows, type NamedRow } from '../../src/services/endpoints/tables.ts'

/** Commands that write through this row; if none does, through a row of the same method and path. */
export const writersOf = (named: NamedRow, others: readonly Definition[]): string[] => {
  const using = (ids: readonly string[]) =>
    others
      .filter((other) => other.kind === 'change' && other.uses.some((id) => ids.includes(id)))
      .map((other) => other.name)
  const own = using([named.id])
  return own.length > 0 ? own : using(siblingsOf(named))
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
