import { readFileSync } from 'node:fs'
import type { OpenAPIV3 } from 'openapi-types'
import { plainYaml, readYaml, sizeWithReferences } from '../../lib/codecs/bounded-yaml.ts'
import { formatNumber } from '../../lib/view/format-number.ts'
import {
  type ApiDocument,
  exampleOf,
  type Field,
  isWrapped,
  type Operation,
  type Schema,
  sentenceOf,
  toField,
  withParts,
} from './field.ts'

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

const exampleIn = (example: unknown, name: string): unknown => {
  const inner = isWrapped(example) ? example.request_body : example
  return typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined
}
