import type { OpenAPIV3 } from 'openapi-types'
import type { McpServer, McpTool } from '../../lib/services/mcp/tool.ts'

export type Schema = OpenAPIV3.SchemaObject

/** One value that a request takes. */
export type Field = {
  /** Its name on the wire, and as a parameter. */
  wire: string
  name: string
  isRequired: boolean
  kind:
    | 'text'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'choice'
    | 'list'
    | 'object'
    | 'objects'
    | 'money'
    | 'made'
  choices: string[]
  about: string
  example: unknown
}

export type Operation = {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  summary: string
  params: Field[]
  query: Field[]
  body: Field[]
  /** Undefined where the document shows no JSON; `noContent` where it shows that there is nothing. */
  answer: Schema | 'noContent' | undefined
  answerExample: unknown
  /** Why it cannot be made into a command. */
  fault?: string | undefined
  /** Of an MCP server: the tool itself. */
  tool?: McpTool
}

export type ApiDocument = {
  title: string
  baseUrl: string
  auth: 'bearer' | 'basic' | 'none' | { header: string }
  operations: Operation[]
  /** Of an MCP server: all its tools, and the names of the keys that it wants. */
  mcp?: McpServer & { keys: readonly string[] }
}

/** With the properties of the schemas that it is made of. */
export const withParts = (schema: Schema): Schema => {
  const parts = ((schema.allOf ?? []) as Schema[]).map(withParts)
  return {
    ...schema,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
    required: [...parts.flatMap(({ required = [] }) => required), ...(schema.required ?? [])],
  } as Schema
}

export const toField = (
  wire: string,
  given: Schema | undefined,
  isRequired: boolean,
  about: string | undefined,
  example: unknown,
): Field => {
  const schema = withParts(given ?? {})
  const choices = (schema.enum ?? []).filter((one) => typeof one === 'string')
  return {
    wire,
    name: nameOf(wire),
    isRequired,
    kind: kindOf(wire, schema, choices),
    choices,
    about: sentenceOf(about ?? schema.description ?? wire.replaceAll('_', ' ')),
    example: example ?? exampleOf(schema),
  }
}

const kindOf = (wire: string, schema: Schema, choices: readonly string[]): Field['kind'] => {
  if (/^idempotency[-_]?key$/i.test(wire)) return 'made'
  if (choices.length > 0 && choices.length <= 25) return 'choice'
  if (schema.type === 'array') return isText(schema.items as Schema) ? 'list' : 'objects'
  const inner = Object.keys(schema.properties ?? {})
  if (inner.length > 0) {
    return inner.toSorted().join() === 'amount,currency' ? 'money' : 'object'
  }
  if (schema.type === 'integer' || schema.type === 'number' || schema.type === 'boolean') return schema.type
  return schema.type === 'object' || schema.type === undefined ? 'object' : 'text'
}

const isText = (schema: Schema | undefined): boolean => schema?.type === 'string'

/** A made-up value of a schema, from the examples in it where it has some. */
export const exampleOf = (schema: Schema | undefined, depth = 0): unknown => {
  if (schema === undefined || '$ref' in schema || depth > 4) return undefined
  const { example, default: usual } = schema
  if (example !== undefined && !isWrapped(example)) return example
  if (usual !== undefined) return usual
  if (schema.enum !== undefined) return schema.enum[0]
  const first = (schema.oneOf ?? schema.anyOf)?.[0] as Schema | undefined
  if (first !== undefined) return exampleOf(first, depth + 1)
  if (schema.type === 'array') {
    const one = exampleOf(schema.items as Schema, depth + 1)
    return one === undefined ? [] : [one]
  }
  const { properties } = withParts(schema)
  if (schema.type === 'object' || Object.keys(properties ?? {}).length > 0) {
    const all = Object.entries(properties ?? {}).map(([key, part]) => [
      key,
      exampleOf(part as Schema, depth + 1),
    ])
    return Object.fromEntries(all.filter(([, value]) => value !== undefined))
  }
  if (schema.type === 'string') return schema.format === 'date-time' ? '2026-11-02T09:00:00Z' : 'example'
  if (schema.type === 'boolean') return false
  return schema.type === undefined ? undefined : (schema.minimum ?? 1)
}

/** Some documents put the whole request under a key of its own. */
export const isWrapped = (example: unknown): example is { request_body: unknown } =>
  typeof example === 'object' && example !== null && 'request_body' in example

const nameOf = (wire: string): string => {
  const [first = 'value', ...rest] = wire.split(/[^A-Za-z\d]+/).filter(Boolean)
  const joined = first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capital).join('')
  return /^[a-z]/.test(joined) ? joined : `value${capital(joined)}`
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The first sentence, plain and short enough for every messenger. */
export const sentenceOf = (words: string): string => {
  const plain = words
    .replaceAll(/<[^<>]*>|`|\*\*|__/g, '')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const [first = ''] = plain.split(/(?<=[.:;!?])(?<!\b(?:e\.g|i\.e)\.)\s|\.$|:$/)
  const short = first.replace(/[.:;]$/, '')
  return (
    capital(short.length > 90 ? `${short.slice(0, 87).replace(/\s\S*$/, '')}...` : short) || 'No description'
  )
}
