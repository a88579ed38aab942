import { billing } from '../../../packs/billing/endpoints.ts'
import { chat } from '../../../packs/chat/endpoints.ts'
import { email } from '../../../packs/email/endpoints.ts'
import type { Method, Rows, ServiceName } from '../../services/endpoints/row.ts'
import type { BillingRow } from '../../../packs/billing/sandbox/endpoints.ts'
import { type ChatRow, pickChatRow } from '../../../packs/chat/sandbox/endpoints.ts'
import { type EmailRow, pickEmailRow } from '../../../packs/email/sandbox/endpoints.ts'
import { refuse } from '../endpoint/refuse.ts'
import type { SandboxState } from '../../../sandbox/seed/state.ts'

export type RowName = EmailRow | ChatRow | BillingRow

interface Candidate {
  row: RowName
  method: Method
  parts: string[]
  shown: boolean
}

const tables: Record<ServiceName, Candidate[]> = {
  email: candidatesOf(email.rows),
  chat: candidatesOf(chat.rows),
  billing: candidatesOf(billing.rows),
}

export const rowNames = Object.values(tables).flatMap((table) => table.map((one) => one.row))

export interface Route {
  row: RowName
  params: string[]
  shown: boolean
}

interface UnroutedRequest {
  service: ServiceName
  method: string
  /** Relative to the base URL, still encoded. */
  path: string
  query: URLSearchParams
  body: unknown
}

/** The row that a request is for, by the routes of the tables; nothing matches means undefined. */
export function routeOf(
  { service, method, path, query, body }: UnroutedRequest,
  state: SandboxState,
): Route | undefined {
  const parts = path.split('/').slice(1)
  const fitting = tables[service].filter((one) => one.method === method && isFit(one.parts, parts))
  // A fixed word beats a parameter: `/subscribers/stats` is not somebody's address.
  const fewest = Math.min(...fitting.map(paramCount))
  const best = fitting.filter((one) => paramCount(one) === fewest)
  const first = best[0]
  if (!first) return undefined
  const params = parts.filter((_, index) => isParam(first.parts[index] ?? '')).map(decode)
  const rows = best.map((one) => one.row)
  const row = pick(service, rows, params[0] ?? '', query, body, state)
  const chosen = best.find((one) => one.row === row)
  return chosen && { row: chosen.row, params, shown: chosen.shown }
}

function pick(
  service: ServiceName,
  rows: RowName[],
  key: string,
  query: URLSearchParams,
  body: unknown,
  state: SandboxState,
): RowName | undefined {
  if (service === 'email') return pickEmailRow(rows as EmailRow[], key, query)
  if (service === 'chat') return pickChatRow(rows as ChatRow[], state.chat, body)
  return rows[0]
}

function candidatesOf(rows: Rows): Candidate[] {
  return Object.entries(rows).map(([row, { method, path, shown }]) => ({
    row: row as RowName,
    method,
    parts: path.split('/').slice(1),
    shown,
  }))
}

const isParam = (part: string) => part.startsWith('{')

const paramCount = (one: Candidate) => one.parts.filter(isParam).length

const isFit = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, index) => (isParam(part) ? parts[index] !== '' : part === parts[index]))

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return refuse(`${part} is not a valid path segment`)
  }
}
