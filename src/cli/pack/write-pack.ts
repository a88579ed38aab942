import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { OpenAPIV3 } from 'openapi-types'
import { defined } from '../../lib/defined.ts'
import { ConfigError } from '../start/config.ts'
import { asLiteral, commandText, key, zodOf } from './command-text.ts'
import type { DecidedOperation } from './decide.ts'
import type { ApiDocument, Field } from './field.ts'
import { mcpFileText } from './mcp-file.ts'
import { mcpVariables } from './read-mcp.ts'

/** Writes the files of a pack into a folder that is not there yet, and says which. */
export const writePack = (
  folder: string,
  name: string,
  document: ApiDocument,
  operations: readonly DecidedOperation[],
): string[] => {
  const files = filesOf(name, document, operations)
  const there = Object.keys(files).filter((file) => existsSync(join(folder, file)))
  if (there.length > 0)
    throw new ConfigError([
      `${folder} holds ${there.join(', ')} already, and nothing is written over it. Name another place with --out.`,
    ])
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text, { flag: 'wx' })
  }
  return Object.keys(files)
}

const filesOf = (
  name: string,
  document: ApiDocument,
  operations: readonly DecidedOperation[],
): Record<string, string> => ({
  'index.ts': indexText(name, document, operations),
  'endpoints.ts': endpointsText(name, document, operations),
  'requests.ts': requestsText(operations),
  'answers.ts': answersText(document, operations),
  ...Object.fromEntries(
    operations.map((operation) => [`commands/${operation.verb}.ts`, commandText(name, operation)]),
  ),
  'sandbox.ts': sandboxText(name, document, operations),
  'pack.test.ts': testText(document, operations),
  ...(document.mcp && { 'mcp.json': pinText(name, document.mcp, operations) }),
})

/** The tools that became rows, as the server lists them. `packs pin` compares them with it, and never runs the pack for that. */
const pinText = (
  service: string,
  { tokenAs, signIn }: NonNullable<ApiDocument['mcp']>,
  operations: readonly DecidedOperation[],
): string =>
  mcpFileText({
    service,
    ...defined({ tokenAs, signIn }),
    tools: operations.flatMap(({ tool }) => tool ?? []),
  })

const indexText = (
  name: string,
  { mcp }: ApiDocument,
  operations: readonly DecidedOperation[],
): string => `import { definePack } from 'bellhop/pack'
${operations.map(({ row, verb }) => `import { ${row} } from './commands/${verb}.ts'`).join('\n')}
import { ${name} as service } from './endpoints.ts'

export const pack = definePack({
  surface: 1,
  ...service,
  commands: [${operations.map(({ row }) => row).join(', ')}],
${mcp === undefined ? '' : wordsText(name, operations)}  sandbox: async () => (await import('./sandbox.ts')).sandbox,
})
`

/** What people say for the commands: the words of the tool, with the name of the service beside them. */
const wordsText = (name: string, operations: readonly DecidedOperation[]): string => {
  const said = operations.map(({ verb }) => {
    const words = verb.replaceAll('-', ' ')
    return {
      verb,
      concept: `${name}-${verb}`,
      phrases: [`${name} ${words}`, `${words} in ${name}`, `${words} with ${name}`],
    }
  })
  const concepts = said.map(
    ({ concept, phrases }) => `      ${asLiteral(concept)}: ${asLiteral(phrases.join('|'))},\n`,
  )
  const commands = said.map(
    ({ verb, concept }) => `      ${asLiteral(`${name} ${verb}`)}: { say: [${asLiteral(concept)}] },\n`,
  )
  return `  words: {\n    concepts: {\n${concepts.join('')}    },\n    commands: {\n${commands.join('')}    },\n  },\n`
}

const environmentText = (name: string, { auth, mcp }: ApiDocument): string => {
  const own = name.toUpperCase()
  if (mcp !== undefined) {
    const variables = mcpVariables(name)
    const keys = mcp.keys.map((field) => `${field}: ${asLiteral(variables[field as keyof typeof variables])}`)
    return `{ baseUrl: ${asLiteral(variables.url)}, keys: ${keys.length === 0 ? '{}' : `{ ${keys.join(', ')} }`} }`
  }
  return `{
    baseUrl: ${asLiteral(`${own}_BASE_URL`)},
    keys: { apiKey: ${asLiteral(`${own}_API_KEY`)}${auth === 'basic' ? `, secretKey: ${asLiteral(`${own}_SECRET_KEY`)}` : ''} },
  }`
}

const endpointsText = (
  name: string,
  document: ApiDocument,
  operations: readonly DecidedOperation[],
): string => {
  const { title, auth, baseUrl, mcp } = document
  return `import { defineRow, defineService } from 'bellhop/pack'
import * as answers from './answers.ts'
${mcp === undefined ? '' : "import mcp from './mcp.json' with { type: 'json' }\n"}import * as requests from './requests.ts'

// ${title}, at ${baseUrl || 'an address that its document does not say'}. A line that begins with "Decide" is for you: change what follows it, or take the line out.
export const ${name} = defineService({
  name: ${asLiteral(name)},
  title: ${asLiteral(title.slice(0, 40))},
  auth: ${typeof auth === 'string' ? asLiteral(auth) : `{ header: ${asLiteral(auth.header)} }`},
${mcp === undefined ? '' : '  mcp,\n'}  environment: ${environmentText(name, document)},
  rows: {
${operations.map((operation) => rowText(name, operation, operations)).join('\n')}
  },
})

declare module 'bellhop/pack' {
  interface Tables {
    ${name}: typeof ${name}
  }
}
`
}

const rowText = (name: string, operation: DecidedOperation, all: readonly DecidedOperation[]): string => {
  const { row, method, path, effect, movesMoney, summary, doubts } = operation
  const parts = (['params', 'query', 'body'] as const).filter((part) => operation[part].length > 0)
  return [
    ...doubts.map((doubt) => `    // Decide: ${doubt}`),
    `    ${row}: defineRow({`,
    `      method: ${asLiteral(method)},`,
    `      path: ${asLiteral(path)},`,
    `      noun: ${asLiteral(name)},`,
    `      effect: ${asLiteral(effect)},`,
    ...(movesMoney ? ['      movesMoney: true,'] : []),
    '      shown: true,',
    `      summary: ${asLiteral(summary)},`,
    ...parts.map((part) => `      ${part}: requests.${row}.${part},`),
    `      answer: answers.${row},`,
    ...identityText(operation),
    ...laterText(operation, all),
    '    }),',
  ].join('\n')
}

/** What is asked for by the id that ends the path is answered under that id, in the record or in the one around it. */
const identityText = ({ method, path, answer }: DecidedOperation): string[] => {
  const param = lastParam(path)
  const place = method === 'POST' ? undefined : recordIn(answer)
  return param === undefined || place === undefined
    ? []
    : [`      identity: { ${key(place.at('id'))}: ${asLiteral(param)} },`]
}

const lastParam = (path: string): string | undefined => /\{(\w+)\}$/.exec(path)?.[1]

type Fields = Record<string, OpenAPIV3.SchemaObject>

/** The one record with an id in an answer: it is the payload, or stands alone in it. */
const recordIn = (
  answer: DecidedOperation['answer'],
): { fields: Fields; at: (field: string) => string } | undefined => {
  const payload = typeof answer === 'object' ? payloadIn(answer) : undefined
  const fields = ((typeof payload === 'object' && payload.properties) || {}) as Fields
  if (fields.id !== undefined) return { fields, at: (field) => field }
  const [found, ...others] = Object.entries(fields).filter(([, part]) => part.properties?.id !== undefined)
  if (found === undefined || others.length > 0) return undefined
  return { fields: found[1].properties as Fields, at: (field) => `${found[0]}.${field}` }
}

/** Where the document lists the states of what is written, and one of them is open: what each is taken for. */
const laterText = (operation: DecidedOperation, all: readonly DecidedOperation[]): string[] => {
  const { effect, answer } = operation
  const record = effect === 'once' ? recordIn(answer) : undefined
  const status = record?.fields.status
  if (record === undefined || status === undefined) return []
  const words = (status.enum ?? (status.description ?? '').match(/`[A-Z][A-Z_]+`/g) ?? []).map((word) =>
    String(word).replaceAll('`', ''),
  )
  const those = (pattern: RegExp) => words.filter((word) => pattern.test(word))
  const states = { accepted: those(openWords), done: those(doneWords), failed: those(failedWords) }
  if (states.accepted.length === 0 || states.done.length === 0) return []
  const id = record.at('id')
  const read = all.find(
    (one) =>
      one.effect === 'read' && lastParam(one.path) !== undefined && recordIn(one.answer)?.at('id') === id,
  )
  return [
    '      // Decide: It is settled later, by the states that its document lists. What is each of them?',
    '      later: {',
    `        says: [{ id: ${asLiteral(id)}, state: ${asLiteral(record.at('status'))}, ${Object.entries(states)
      .map(([state, those]) => `${state}: [${those.map(asLiteral).join(', ')}]`)
      .join(', ')} }],`,
    ...(read === undefined
      ? []
      : [`        ask: { row: ${asLiteral(read.row)}, by: ${asLiteral(lastParam(read.path) ?? '')} },`]),
    '      },',
  ]
}

const openWords = /^(?:PENDING|PROCESSING|IN_PROGRESS|SUBMITTED|QUEUED)$/i
const doneWords = /^(?:COMPLETED?|SUCCEEDED|SUCCESS|PAID|DONE|SETTLED)$/i
const failedWords = /^(?:FAILED|REJECTED|CANCELL?ED|DECLINED|ERROR)$/i

const requestsText = (operations: readonly DecidedOperation[]): string => {
  const made = operations.flatMap((operation) => {
    const parts = (['params', 'query', 'body'] as const).filter((part) => operation[part].length > 0)
    if (parts.length === 0) return []
    const schemas = parts.map(
      (part) => `  ${part}: z.object({\n${fieldsText(operation[part], part === 'params')}  }),\n`,
    )
    return [`export const ${operation.row} = {\n${schemas.join('')}}\n`]
  })
  return made.length === 0 ? 'export {}\n' : `import { z } from 'bellhop/pack'\n\n${made.join('\n')}`
}

const fieldsText = (fields: readonly Field[], isPath: boolean): string =>
  fields
    .map(
      (field) =>
        `    ${key(field.wire)}: ${isPath ? 'z.string()' : zodOf(field)}${field.isRequired ? '' : '.optional()'},\n`,
    )
    .join('')

const answersText = ({ mcp }: ApiDocument, operations: readonly DecidedOperation[]): string =>
  `import { z } from 'bellhop/pack'\n\n${operations
    .map(
      ({ row, answer }) =>
        `export const ${row} = ${answerText(mcp === undefined ? payloadIn(answer) : answer, 0)}\n`,
    )
    .join('\n')}`

/** What stands under `data` is the payload, as the client opens it. */
const payloadIn = (schema: DecidedOperation['answer']): DecidedOperation['answer'] =>
  typeof schema === 'object' && schema.properties?.data !== undefined
    ? (schema.properties.data as OpenAPIV3.SchemaObject)
    : schema

const deepest = 4

/**
 * What the document requires tells its answer from another one, at the top and in a record around the payload. Otherwise
 * liberal: a field may be missing or null, and others may come.
 */
const answerText = (schema: DecidedOperation['answer'], depth: number): string => {
  if (schema === 'noContent') return 'z.undefined()'
  if (schema === undefined || '$ref' in schema || depth > deepest) return 'z.unknown()'
  const indent = '  '.repeat(depth)
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length > 0) {
    const inner = fields.map(
      ([name, part]) =>
        `${indent}  ${key(name)}: ${answerText(part as OpenAPIV3.SchemaObject, depth + 1)}${optionText(schema, name, depth)},\n`,
    )
    return `z.looseObject({\n${inner.join('')}${indent}})`
  }
  if (schema.type === 'array')
    return `z.array(${answerText(schema.items as OpenAPIV3.SchemaObject, depth + 1)})`
  if (schema.type === 'integer' || schema.type === 'number') return 'z.number()'
  if (schema.type === 'string' || schema.type === 'boolean') return `z.${schema.type}()`
  return 'z.unknown()'
}

const optionText = (
  { required = [], properties = {} }: OpenAPIV3.SchemaObject,
  name: string,
  depth: number,
) => {
  if (depth > 1 || !required.includes(name)) return '.nullish()'
  return (properties[name] as OpenAPIV3.SchemaObject).nullable === true ? '.nullable()' : ''
}

const sandboxText = (name: string, { mcp }: ApiDocument, operations: readonly DecidedOperation[]): string => {
  const answering = mcp === undefined ? 'answersWith' : 'answersAsRecorded'
  const words =
    mcp === undefined
      ? 'Answers with the examples of the document, and with what it was sent.'
      : 'Answers each tool with a result: one that the server gave, or one that is made up in the form of its schema.'
  return `import { ${answering}, defineSandbox } from 'bellhop/pack'
import type { ${name} } from './endpoints.ts'

/** ${words} */
export const sandbox = defineSandbox<Record<string, never>, typeof ${name}.rows>({
  seed: () => ({}),
  handlers: {
${operations.map(({ row, answer, answerExample }) => `    ${row}: ${answering}(${answer === 'noContent' ? undefined : JSON.stringify(answerExample ?? {})}),`).join('\n')}
  },
})
`
}

const testText = (
  { mcp }: ApiDocument,
  operations: readonly DecidedOperation[],
): string => `import type { Row } from 'bellhop/pack'
import { expect, test } from 'vitest'
import { pack } from './index.ts'

const { handlers } = await pack.sandbox()
const rows: [string, Row][] = Object.entries(pack.rows)

test.each(rows)('the sandbox answers %s with what its schema reads', (name, { answer }) => {
  const call = { state: {} as never, params: ['example'], query: new URLSearchParams(), body: {}, now: 0 }
  const { body } = handlers[name]?.(call) ?? { body: undefined }
  const payload = ${mcp === undefined ? "Object.hasOwn(Object(body), 'data') ? Object(body).data : body" : 'Object(body).structuredContent ?? {}'}
  expect(answer.safeParse(payload).error).toBeUndefined()
})

test('whatever writes is sent once', () => {
  const writing = rows.filter(([, { ${mcp === undefined ? 'method' : 'effect'} }]) => ${mcp === undefined ? "method !== 'GET'" : "effect !== 'read'"}).map(([name, { effect }]) => [name, effect])
  expect(writing).toEqual([${operations
    .filter(({ effect }) => effect === 'once')
    .map(({ row }) => `[${asLiteral(row)}, 'once']`)
    .join(', ')}])
})

test('every example begins with the name of its command', () => {
  for (const { name, examples } of pack.commands) for (const line of examples) expect(line.startsWith(name)).toBe(true)
})
`
