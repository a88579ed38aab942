import type { z } from 'zod'
import type { CallInput } from '../endpoints/open-record.ts'
import { type NamedRow, serviceNamed } from '../endpoints/tables.ts'
import { ServiceError } from '../errors.ts'
import { whyNotArguments } from '../mcp/arguments.ts'
import { toShortText } from './service-message.ts'

export type { CallInput }

export type WireRequest = {
  method: string
  path: string
  body: string | undefined
  /** In the place of those that every request has. */
  headers?: Readonly<Record<string, string>>
}

/** Checks the input with the row's schemas and writes it down as it goes over the wire. Nothing has been sent if this throws. */
export function toRequest(named: NamedRow, input: CallInput): WireRequest {
  const { row } = named
  const params = checked(named, 'params', row.params, input.params)
  const query = checked(named, 'query', row.query, input.query)
  const body = checked(named, 'body', row.body, input.body)
  checkArguments(named, body)
  return {
    method: row.method,
    path: toPath(named, params as Record<string, string>) + toQuery((query ?? {}) as Record<string, unknown>),
    // Of nothing it makes nothing.
    body: JSON.stringify(body) as string | undefined,
  }
}

function checked(named: NamedRow, part: keyof CallInput, schema: z.ZodType | undefined, given: unknown) {
  if (schema === undefined) {
    if (Object.keys(given ?? {}).length === 0) return undefined
    throw refusal(named, `this endpoint takes no ${part}`)
  }
  const result = schema.safeParse(given === undefined && named.row.shown ? {} : given)
  if (result.success) return result.data
  throw refusal(named, result.error.issues.map(toWords).join('; '))
}

function checkArguments(named: NamedRow, body: unknown) {
  const { mcp } = serviceNamed(named.service)
  const tool = mcp?.tools.find(({ name }) => `/${name}` === named.row.path)
  const issues = tool === undefined ? [] : whyNotArguments(tool, body ?? {})
  if (issues.length > 0) throw refusal(named, issues.map(toWords).join('; '))
}

function toWords({ path, message }: z.core.$ZodIssue) {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}

function toPath(named: NamedRow, params: Record<string, string>) {
  return named.row.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? ''
    if (!isSafeSegment(value)) throw refusal(named, `${name}: this cannot stand in a path`)
    return encodeURIComponent(value)
  })
}

/** An encoded slash stays one segment here, but not behind every proxy: dots next to one could climb. */
const isSafeSegment = (value: string) =>
  value !== '' &&
  value.isWellFormed() &&
  value.split(/[/\\]/).every((piece) => piece !== '.' && piece !== '..')

function toQuery(query: Record<string, unknown>) {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    .map(
      ([name, value]) => `${encode(name)}=${encode(Array.isArray(value) ? value.join(',') : String(value))}`,
    )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

const encode = (text: string) => encodeURIComponent(text.toWellFormed())

const refusal = ({ service, name }: NamedRow, words: string) =>
  new ServiceError({
    kind: 'rejected',
    outcome: 'not_done',
    service,
    row: name,
    serviceMessage: toShortText(words),
  })
