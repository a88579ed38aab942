import { toShortText } from '../client/service-message.ts'
import { mediaTemplate } from '../../../packs/chat/requests.ts'
import type { Method, Row, ServiceName } from './row.ts'
import { allRows, type NamedRow, type RowId } from './tables.ts'

export type MatchedRow = {
  id: RowId
  row: Row
  /** What the request does; of a message whose kind is not documented, only what is certain. */
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
      const params = paramsOf(named.row.path, segments)
      return params === undefined ? [] : [{ named, params }]
    })
  const fewest = Math.min(...matches.map(({ params }) => Object.keys(params).length))
  const best = matches.filter(({ params }) => Object.keys(params).length === fewest)
  const chosen = choose(best, query, body)
  if (chosen === undefined) return undefined
  const { id, row } = chosen.named
  const summary = (row.path === '/messages' && messageKindOf(body).summary) || row.summary
  return { id, row, summary, params: chosen.params, query }
}

type Match = { named: NamedRow; params: Record<string, string> }

function choose(matches: readonly Match[], query: Record<string, string>, body: unknown): Match | undefined {
  const byName = (name: string) => matches.find(({ named }) => named.name === name)
  const [first] = matches
  if (first === undefined || matches.length === 1) return first
  if (first.named.row.path === '/messages') return byName(messageKindOf(body).row)
  if (first.named.row.path === '/lists') return byName('name' in query ? 'findListByName' : 'findLists')
  // The remaining case is a subscriber by email or by id.
  const isEmail = matches.some(({ params }) => params.email?.includes('@'))
  return matches.find(({ params }) => isEmail === 'email' in params)
}

const interactiveRows: Record<string, string> = {
  product_list: 'sendProducts',
  product: 'sendProduct',
  catalog: 'sendCatalog',
  catalog_message: 'sendCatalog',
  list: 'sendList',
  cta_url: 'sendLink',
  address: 'sendAddressRequest',
  address_message: 'sendAddressRequest',
  location_request: 'sendLocationRequest',
  location_request_message: 'sendLocationRequest',
}

const plainRows: Record<string, string> = {
  text: 'sendText',
  image: 'sendImage',
  audio: 'sendAudio',
  video: 'sendVideo',
  document: 'sendDocument',
}

/** Only the three shown kinds are certain; the other words are guesses, and their rows are alike but for the name. */
function messageKindOf(body: unknown): { row: string; summary?: string } {
  const { type, interactiveType, ...rest } = (body ?? {}) as Record<string, unknown>
  if (type === 'template') {
    if ('carouselBodies' in rest || 'carouselFileData' in rest) return { row: 'sendCarousel' }
    if (!('link' in rest)) return { row: 'sendTextTemplate', summary: 'Send a template without media' }
    return Object.keys(rest).every((key) => key in mediaTemplate.shape)
      ? { row: 'sendMediaTemplate' }
      : {
          row: 'sendTextTemplate',
          summary: 'Send a template with a link, of a kind that is not documented',
        }
  }
  if (type === 'interactive' && interactiveType === undefined && 'sections' in rest && 'action' in rest)
    return { row: 'sendProducts' }
  const isInteractive = type === 'interactive'
  const row = isInteractive ? ownOf(interactiveRows, interactiveType) : ownOf(plainRows, type)
  if (row !== undefined) return { row }
  const kind = toShortText(String((isInteractive ? interactiveType : type) ?? 'none').slice(0, 40))
  return {
    row: 'sendText',
    summary: `Send a message whose ${isInteractive ? 'interactiveType' : 'type'} is not documented (${kind})`,
  }
}

const ownOf = (map: Record<string, string>, key: unknown) =>
  typeof key === 'string' && Object.hasOwn(map, key) ? map[key] : undefined

function paramsOf(template: string, segments: readonly string[]): Record<string, string> | undefined {
  const wanted = piecesOf(template)
  if (wanted.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, piece] of wanted.entries()) {
    const given = segments[at] ?? ''
    if (!piece.startsWith('{')) {
      if (piece !== given) return undefined
    } else if (given === '' || (given.includes('/') && piece !== freeText)) return undefined
    else params[piece.slice(1, -1)] = given
  }
  return params
}

/** A slash at the end makes no other path of it. */
const piecesOf = (path: string): string[] => path.slice(1).replace(/\/$/, '').split('/')

/** A license code is free text and may hold an encoded slash. An id may not: decoded on the way, it would name another endpoint. */
const freeText = '{code}'

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
