import type { Method } from '../../services/endpoints/row.ts'
import { refuse } from '../endpoint/refuse.ts'
import type { SandboxState, StandIn } from '../service-sandbox.ts'

interface Candidate {
  row: string
  method: Method
  parts: string[]
  shown: boolean
}

export interface Route {
  row: string
  params: string[]
  shown: boolean
}

interface UnroutedRequest {
  method: string
  /** Relative to the base URL, still encoded. */
  path: string
  query: URLSearchParams
  body: unknown
}

/** The row that a request is for, by the routes of the table; nothing matches means undefined. */
export function routeOf(
  standIn: StandIn,
  { method, path, query, body }: UnroutedRequest,
  all: SandboxState,
): Route | undefined {
  const parts = path.split('/').slice(1)
  const fitting = candidatesOf(standIn).filter((one) => one.method === method && isFit(one.parts, parts))
  // A fixed word beats a parameter: `/subscribers/stats` is not somebody's address.
  const fewest = Math.min(...fitting.map(paramCount))
  const best = fitting.filter((one) => paramCount(one) === fewest)
  const first = best[0]
  if (!first) return undefined
  const params = parts.filter((_, index) => isParam(first.parts[index] ?? '')).map(decode)
  const rows = best.map((one) => one.row)
  const { service, sandbox } = standIn
  const state = all[service.name] as never
  const row = sandbox.pick?.(rows, { key: params[0] ?? '', query, body, state }) ?? rows[0]
  const chosen = best.find((one) => one.row === row)
  return chosen && { row: chosen.row, params, shown: chosen.shown }
}

const known = new WeakMap<StandIn, Candidate[]>()

function candidatesOf(standIn: StandIn): Candidate[] {
  const candidates =
    known.get(standIn) ??
    Object.entries(standIn.service.rows).map(([row, { method, path, shown }]) => ({
      row,
      method,
      parts: path.split('/').slice(1),
      shown,
    }))
  known.set(standIn, candidates)
  return candidates
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
