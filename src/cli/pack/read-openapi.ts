import { readFileSync } from 'node:fs'
import type { OpenAPIV3 } from 'openapi-types'
import { plainYaml, readYaml, sizeWithReferences } from '../../lib/codecs/bounded-yaml.ts'
import { formatNumber } from '../../lib/view/format-number.ts'

type Schema = OpenAPIV3.SchemaObject

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
}

export type ApiDocument = {
  title: string
  baseUrl: string
  auth: 'bearer' | 'basic' | { header: string }
  operations: Operation[]
}

/** An OpenAPI 3 document of this machine. Nothing that it names elsewhere is fetched or read. */
export const readOpenApi = async (file: string): Promise<ApiDocument> => {
  const { default: parser } = await import('@apidevtools/swagger-parser')
  const read = (await parser.validate(documentIn(file) as OpenAPIV3.Document, {
    resolve: { external: false },
    dereference: { circular: 'ignore' },
  })) as OpenAPIV3.Document
  if (!/^3\./.test(read.openapi ?? '')) throw new TypeError('it is no OpenAPI 3 document')
  return {
    title: sentenceOf(read.info.title),
    baseUrl: (read.servers?.[0]?.url ?? '').replaceAll(/\s/g, ''),
    auth: authOf(read),
    operations: Object.entries(read.paths).flatMap(([path, item]) =>
      methods.flatMap((method) => {
        const operation = item?.[method]
        return operation === undefined ? [] : [toOperation(path, method, operation, item ?? {})]
      }),
    ),
  }
}

/** Larger than the documents of large services, and no more than can be looked at. */
const bounds = { characters: 20_000_000, depth: 100, aliases: 10_000, values: 2_000_000 }

/** JSON is YAML as well; what its references lead to is counted before anything follows them. */
const documentIn = (file: string): unknown => {
  const text = readFileSync(file, 'utf8')
  const read = readYaml(text, { merge: true, logLevel: 'error', prettyErrors: false }, bounds)
  if (!read.ok) throw new TypeError(read.problem)
  const [error] = read.doc.errors
  if (error !== undefined) throw new TypeError(error.message)
  const document = plainYaml(read.doc)
  if (sizeWithReferences(document) > bounds.values)
    throw new TypeError(
      `with its references it holds more than ${formatNumber(bounds.values)} values, which is the most`,
    )
  return document
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

const authOf = ({ components, security = [] }: OpenAPIV3.Document): ApiDocument['auth'] => {
  const schemes = Object.entries(components?.securitySchemes ?? {}) as [
    string,
    OpenAPIV3.SecuritySchemeObject,
  ][]
  const wanted = new Set(security.flatMap((one) => Object.keys(one)))
  const ranked = schemes.toSorted(([one], [other]) => Number(wanted.has(other)) - Number(wanted.has(one)))
  const kinds = ranked.map(([, scheme]) => {
    if (scheme.type === 'http') return scheme.scheme === 'basic' ? 'basic' : 'bearer'
    const isHeader = scheme.type === 'apiKey' && scheme.in === 'header'
    return isHeader && scheme.name.toLowerCase() !== 'authorization' ? { header: scheme.name } : 'bearer'
  })
  return kinds.find((kind) => kind === 'bearer') ?? kinds[0] ?? 'bearer'
}

const toOperation = (
  path: string,
  method: (typeof methods)[number],
  operation: OpenAPIV3.OperationObject,
  { parameters: shared = [] }: OpenAPIV3.PathItemObject,
): Operation => {
  const given = [...shared, ...(operation.parameters ?? [])] as OpenAPIV3.ParameterObject[]
  const located = (place: string) =>
    given
      .filter((one) => one.in === place)
      .map((one) =>
        toField(one.name, one.schema as Schema, one.required === true, one.description, one.example),
      )
  const content = method === 'get' ? {} : contentOf(operation)
  const body = bodyIn(content)
  const answered = answerOf(operation)
  const sent = Object.entries(body?.properties ?? {})
    .filter(([, schema]) => !(schema as Schema).readOnly)
    .map(([name, schema]) => {
      const isRequired = body?.required?.includes(name) === true
      return toField(name, schema as Schema, isRequired, undefined, exampleIn(body?.example, name))
    })
  const params = located('path').map((field) => ({ ...field, wire: inPath(field.wire) }))
  const [query, rest] = apart(params, located('query'), sent)
  return {
    id: operation.operationId ?? `${method} ${path}`,
    method: method.toUpperCase() as Operation['method'],
    path: path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => `{${inPath(name)}}`),
    summary: sentenceOf(operation.description ?? operation.summary ?? operation.operationId ?? path),
    params,
    query: query ?? [],
    body: rest ?? [],
    fault:
      body === undefined && Object.keys(content).length > 0
        ? `it takes ${Object.keys(content).join(', ')}, and Bellhop sends JSON`
        : undefined,
    answer: hasNoContent(operation) ? 'noContent' : schemaOf(answered),
    answerExample:
      answered?.example ??
      (Object.values(answered?.examples ?? {})[0] as OpenAPIV3.ExampleObject | undefined)?.value ??
      exampleOf(schemaOf(answered)),
  }
}

/** A name in a path is made of letters, digits and underscores. */
const inPath = (name: string): string => name.replaceAll(/\W/g, '_')

/** Fields of one name in several parts of a request become parameters of several names. */
const apart = (first: readonly Field[], ...others: readonly Field[][]): Field[][] => {
  const taken = new Set(first.map(({ name }) => name))
  return others.map((fields) =>
    fields.map((field) => {
      let { name } = field
      while (taken.has(name)) name = `${name}Too`
      taken.add(name)
      return { ...field, name }
    }),
  )
}

const contentOf = ({ requestBody }: OpenAPIV3.OperationObject) =>
  ((requestBody ?? {}) as Partial<OpenAPIV3.RequestBodyObject>).content ?? {}

const bodyIn = (content: Record<string, OpenAPIV3.MediaTypeObject>): Schema | undefined => {
  const schema = jsonIn(content)?.schema as Schema | undefined
  return schema && withParts(schema)
}

const goodIn = ({ responses }: OpenAPIV3.OperationObject): OpenAPIV3.ResponseObject | undefined =>
  Object.entries(responses ?? {}).find(([status]) => /^2/.test(status))?.[1] as
    | OpenAPIV3.ResponseObject
    | undefined

const answerOf = (operation: OpenAPIV3.OperationObject): OpenAPIV3.MediaTypeObject | undefined =>
  jsonIn(goodIn(operation)?.content ?? {})

const hasNoContent = (operation: OpenAPIV3.OperationObject): boolean => {
  const good = goodIn(operation)
  return good !== undefined && Object.keys(good.content ?? {}).length === 0
}

/** A reference that is still there names itself, and says no more than its name. */
const schemaOf = (answered: OpenAPIV3.MediaTypeObject | undefined): Schema | undefined =>
  answered?.schema === undefined || '$ref' in answered.schema ? undefined : withParts(answered.schema)

const jsonIn = (content: Record<string, OpenAPIV3.MediaTypeObject>): OpenAPIV3.MediaTypeObject | undefined =>
  Object.entries(content).find(([type]) => /[/+]json\b/.test(type))?.[1]

/** With the properties of the schemas that it is made of. */
const withParts = (schema: Schema): Schema => {
  const parts = ((schema.allOf ?? []) as Schema[]).map(withParts)
  return {
    ...schema,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties), schema.properties),
    required: [...parts.flatMap(({ required = [] }) => required), ...(schema.required ?? [])],
  } as Schema
}

const toField = (
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
const exampleOf = (schema: Schema | undefined, depth = 0): unknown => {
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
const isWrapped = (example: unknown): example is { request_body: unknown } =>
  typeof example === 'object' && example !== null && 'request_body' in example

const exampleIn = (example: unknown, name: string): unknown => {
  const inner = isWrapped(example) ? example.request_body : example
  return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined
}

const nameOf = (wire: string): string => {
  const [first = 'value', ...rest] = wire.split(/[^A-Za-z\d]+/).filter(Boolean)
  const joined = first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capital).join('')
  return /^[a-z]/.test(joined) ? joined : `value${capital(joined)}`
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The first sentence, plain and short enough for every messenger. */
const sentenceOf = (words: string): string => {
  const plain = words
    .replaceAll(/<[^<>]*>|`|\*\*|__/g, '')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const [first = ''] = plain.split(/(?<=[.:;!?])\s|\.$|:$/)
  const short = first.replace(/[.:;]$/, '')
  return (
    capital(short.length > 90 ? `${short.slice(0, 87).replace(/\s\S*$/, '')}...` : short) || 'No description'
  )
}
