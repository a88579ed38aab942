import type { Method, Row, ServiceName } from './row.ts'
import { allRows, type NamedRow, type RowId, serviceNamed } from './tables.ts'

export type MatchedRow = {
  id: RowId
  row: Row
  /** What the request does; of one that is not documented, only what is certain. */
  summary: string
  params: Record<string, string>
  query: Record<string, string>
}

/**
 * The row for a method and a concrete path, if it is documented. If several rows share both, the body or the
 * query decides. Path segments are compared in decoded form.
 */
export function rowFor(
  service: ServiceName,
  method: string,
  path: string,
  body?: unknown,
): MatchedRow | undefined {
  const [pathname = '', search = ''] = path.split(/\?(.*)/s)
  const segments = segmentsOf(pathname)
  if (segments === undefined) return undefined
  const query = Object.fromEntries(new URLSearchParams(search))
  const matches = allRows()
    .filter((named) => named.service === service && named.row.method === (method as Method))
    .flatMap((named) => {
      const params = paramsOf(named.row, segments)
      return params === undefined ? [] : [{ named, params }]
    })
  const fewest = Math.min(...matches.map(({ params }) => Object.keys(params).length))
  const best = matches.filter(({ params }) => Object.keys(params).length === fewest)
  const chosen = choose(service, best, query, body)
  if (chosen === undefined) return undefined
  const { id, row } = chosen.named
  return { id, row, summary: chosen.summary ?? row.summary, params: chosen.params, query }
}

type Match = { named: NamedRow; params: Record<string, string> }

function choose(
  service: ServiceName,
  matches: readonly Match[],
  query: Record<string, string>,
  body: unknown,
): (Match & { summary?: string }) | undefined {
  const [first] = matches
  if (first === undefined || matches.length === 1) return first
  const rows = matches.map(({ named }) => named.name)
  const params = matches.map((one) => one.params)
  const chosen = serviceNamed(service).choose?.({ rows, params, query, body })
  const match = matches.find(({ named }) => named.name === chosen?.row)
  return match && { ...match, ...(chosen?.summary === undefined ? {} : { summary: chosen.summary }) }
}

function paramsOf(
  { path: template, freeText = [] }: Row,
  segments: readonly string[],
): Record<string, string> | undefined {
  const wanted = piecesOf(template)
  if (wanted.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, piece] of wanted.entries()) {
    const given = segments[at] ?? ''
    if (!piece.startsWith('{')) {
      if (piece !== given) return undefined
    } else if (given === '' || (given.includes('/') && !freeText.includes(piece.slice(1, -1))))
      return undefined
    else params[piece.slice(1, -1)] = given
  }
  return params
}

/** A slash at the end makes no other path of it. An encoded slash in an id would name another endpoint, decoded on the way. */
const piecesOf = (path: string): string[] => path.slice(1).replace(/\/$/, '').split('/')

/** Decoded segments; nothing for a path that could mean another one further on. */
function segmentsOf(pathname: string): string[] | undefined {
  if (!pathname.startsWith('/') || /[#\\\s\p{Cc}]/u.test(pathname)) return undefined
  const segments: string[] = []
  for (const raw of piecesOf(pathname)) {
    const segment = decoded(raw)
    if (segment === undefined || segment.split('/').some(isDots)) return undefined
    if (/[\\\p{Cc}]|%2f|%5c|%2e/iu.test(segment)) return undefined
    segments.push(segment)
  }
  return segments
}

const isDots = (piece: string) => piece === '.' || piece === '..'

function decoded(raw: string) {
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined
  }
}
