import { billing } from '../../../packs/billing/endpoints.ts'
import { chat } from '../../../packs/chat/endpoints.ts'
import { email } from '../../../packs/email/endpoints.ts'
import type { Row, ServiceName } from './row.ts'

export const tables = { email, chat, billing }

export type Tables = typeof tables

export type RowId = {
  [N in ServiceName]: `${N}.${keyof Tables[N]['rows'] & string}`
}[ServiceName]

export type NamedRow = { id: RowId; service: ServiceName; name: string; row: Row }

export const allRows = (): readonly NamedRow[] => named

export const rowById = (id: RowId): NamedRow => {
  const found = byId.get(id)
  if (found === undefined) throw new Error(`there is no row ${id}`)
  return found
}

const named: readonly NamedRow[] = Object.values(tables).flatMap((service) =>
  Object.entries(service.rows).map(([name, row]) => ({
    id: `${service.name}.${name}` as RowId,
    service: service.name,
    name,
    row: row as Row,
  })),
)

/** Every noun that a row belongs to. */
export const rowNouns = (): string[] => [...new Set(named.map(({ row }) => row.noun))]

const byId = new Map(named.map((one) => [one.id, one]))
