import { shapeOfId } from '../../src/kernel/model/id-shape.ts'
import { misfit } from '../../src/kernel/things/linked.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { toRequest, type WireRequest } from '../../src/lib/services/client/request.ts'
import { rowFor } from '../../src/lib/services/endpoints/routes.ts'
import { type NamedRow, rowById } from '../../src/lib/services/endpoints/tables.ts'
import { isServiceError } from '../../src/lib/services/errors.ts'
import { allKinds } from '../../src/lib/things/kinds.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { type Refusal, refusal } from '../../src/lib/view/refusals.ts'
import type { ThingKind } from '../../src/lib/view/thing.ts'
import { unseenIn } from '../../src/lib/view/visible.ts'
import { inFields } from '../../src/lib/view/wording.ts'
import type { Asked } from './about.ts'
import { nearTo } from './near.ts'

/** A documented endpoint and the input for it, checked by the schemas of its row. */
export type Request = {
  named: NamedRow
  summary: string
  params: Record<string, string>
  query: Record<string, unknown> | undefined
  body: Record<string, unknown> | undefined
  /** The path with its values and without the query, for people to read. */
  path: string
  /** Equal for two requests that send the same, however they were typed. */
  wish: unknown
}

export const requestOf = ({ service, method, path, query: given, body }: Asked): Result<Request> => {
  const [pathname = '', search = ''] = (path.startsWith('/') ? path : `/${path}`).split(/\?(.*)/s)
  const inPath = queryOf(search)
  const twice = Object.keys(given ?? {}).find((key) => Object.hasOwn(inPath, key))
  if (twice !== undefined) {
    return no(refusal('given_twice', `${twice} is in the path and in the query.`, { field: 'query' }))
  }
  const query = { ...inPath, ...given }
  const route = rowFor(service, method, `${pathname}?${keysOf(query)}`, body)
  if (route === undefined) return no(unknownEndpoint(service, method, pathname))
  const { id, row, params, summary } = route
  const code = unseenIn(Object.values(params).join(''))
  if (code !== undefined) {
    const message = `The path has a character in it that nobody sees: ${code}.`
    return no(refusal('bad_value', message, { field: 'path', next: 'Type it instead of pasting it.' }))
  }
  const named = rowById(id)
  const odd = misplacedIn(named, { ...params, ...body })
  if (odd !== undefined) return no(odd)
  const request = {
    named,
    summary,
    params,
    query: Object.keys(query).length === 0 ? undefined : query,
    body,
    path: row.path.replace(/\{(\w+)\}/g, (_, name: string) => readable(params[name] ?? '')),
  }
  try {
    const wire = toRequest(named, request)
    // What people see is what goes out, where the schema reads a number in text as the number.
    const sent = wire.body === undefined ? undefined : (JSON.parse(wire.body) as Record<string, unknown>)
    return ok({ ...request, body: sent, wish: wishOf(named, wire) })
  } catch (error) {
    if (!isServiceError(error)) throw error
    return no(
      refusal(
        'bad_value',
        `${method} ${row.path}: ${error.serviceMessage ?? 'the request does not fit the endpoint'}.`,
        {
          next: 'Nothing was sent. Correct the request and try again.',
        },
      ),
    )
  }
}

/** Fields of paths and bodies that are ids, by what they are called; `id` is one of the row's own noun. */
const fieldKinds: Readonly<Record<string, ThingKind>> = {
  payment_id: 'payment',
  transaction_id: 'payment',
  subscription_id: 'subscription',
  customer_id: 'customer',
  plan_id: 'plan',
  preferred_plan_id: 'plan',
  product_id: 'product',
  addon_id: 'add-on',
  license_id: 'license',
  multiplan_id: 'multiplan',
  campaignId: 'campaign',
  subscriberId: 'subscriber',
}

/** An id that looks like something else: here nothing is looked up, so it is refused. */
const misplacedIn = ({ row }: NamedRow, fields: Record<string, unknown>): Refusal | undefined => {
  for (const [field, value] of Object.entries(fields)) {
    const kind = field === 'id' ? allKinds().find((one) => one === row.noun) : fieldKinds[field]
    const shape = kind === undefined || typeof value !== 'string' ? undefined : shapeOfId(value)
    if (kind === undefined || shape === undefined || shape.kinds.includes(kind)) continue
    return misfit(field, String(value), shape, [kind], field)
  }
  return undefined
}

/** As it goes over the wire, where a number in a query and its text are one thing; the order of names is none. */
const wishOf = ({ service }: NamedRow, { method, path, body }: WireRequest) => {
  const [pathname, search] = path.split('?')
  return {
    service,
    method,
    path: pathname,
    query: Object.fromEntries(new URLSearchParams(search)),
    body: body === undefined ? null : (JSON.parse(body) as unknown),
  }
}

/** A name that stands in the query more than once is a list. */
const queryOf = (search: string): Record<string, unknown> => {
  const all = new URLSearchParams(search)
  return Object.fromEntries(
    [...new Set(all.keys())].map((key) => {
      const values = all.getAll(key)
      return [key, values.length === 1 ? values[0] : values]
    }),
  )
}

/** Two rows can share a method and a path; the names in the query then decide which one is meant. */
const keysOf = (query: Record<string, unknown>): string =>
  new URLSearchParams(Object.fromEntries(Object.keys(query).map((key) => [key, '']))).toString()

/** Encoded so that it can be typed again, except for the @ of email addresses. */
const readable = (value: string): string => encodeURIComponent(value).replaceAll('%40', '@')

const unknownEndpoint = (service: string, method: string, pathname: string) => {
  const near = nearTo(service, method, pathname)
  const shown = pathname.length > 80 ? `${pathname.slice(0, 80)}…` : pathname
  return refusal('unknown_endpoint', `The ${service} service documents no ${method} ${theirs(shown)}.`, {
    ...(near.length === 0
      ? {}
      : {
          next: (as) =>
            as === inFields
              ? `Did you mean ${near.join(' or ')}?`
              : near.length === 1
                ? 'Did you mean this one?'
                : 'Did you mean one of these?',
          usage: near.map((one) => `api call ${one}`).join('\n'),
        }),
  })
}
