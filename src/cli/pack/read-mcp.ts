import type { Environment } from '../../kernel/messenger/definition.ts'
import { ticks } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import { defaultSettings } from '../../lib/services/client/settings.ts'
import { connectMcp } from '../../lib/services/mcp/connect.ts'
import { messageIn } from '../../lib/services/mcp/messages.ts'
import { placeWords, serverPlaceOf } from '../../lib/services/mcp/place.ts'
import type { McpServer, McpTool } from '../../lib/services/mcp/tool.ts'
import { openToolAnswer } from '../../lib/services/mcp/tool-answer.ts'
import { ConfigError } from '../start/config.ts'
import { inheritedOf, withSecrets } from '../start/environment.ts'
import { type ApiDocument, exampleOf, type Operation, type Schema, sentenceOf, toField } from './field.ts'
import { tokenUrlOf } from './token-url.ts'

export type McpQuestion = {
  /** An address, or the command that starts the server. */
  where: string
  /** The name of the service. */
  name: string
  tokenAs?: string | undefined
  /** Tools that only read and need nothing are called once, so that the sandbox answers as they did. */
  record?: boolean | undefined
}

/** The variables of such a pack. */
export const mcpVariables = (name: string) => {
  const own = name.toUpperCase()
  return {
    url: `${own}_MCP_URL`,
    token: `${own}_TOKEN`,
    clientId: `${own}_CLIENT_ID`,
    clientSecret: `${own}_CLIENT_SECRET`,
  }
}

/** What an MCP server says of itself now, with the credentials that the environment has for it. */
export const askMcp = async <T>(
  { where, name, tokenAs }: McpQuestion,
  environment: Environment,
  signIn: McpServer['signIn'],
  use: (server: ReturnType<typeof connectMcp>, given: { keys: Record<string, string> }) => Promise<T>,
): Promise<T> => {
  const variables = mcpVariables(name)
  const problems: string[] = []
  const secrets = [variables.token, variables.clientId, variables.clientSecret]
  const env = withSecrets(environment, secrets, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  const token = env[variables.token]
  const [clientId, clientSecret] = [env[variables.clientId], env[variables.clientSecret]]
  const keys = token === undefined ? defined({ clientId, clientSecret }) : { token }
  const closing = new AbortController()
  const server = connectMcp(
    {
      auth: token === undefined ? 'none' : 'bearer',
      environment: { baseUrl: variables.url, keys },
      mcp: { tools: [], ...defined({ tokenAs, signIn }) },
    },
    { baseUrl: where, ...(keys as Record<string, string>) },
    { settings: defaultSettings, ticks, closing: closing.signal, inherited: inheritedOf(env), secrets: [] },
  )
  try {
    return await use(server, { keys: keys as Record<string, string> })
  } finally {
    await server.close()
    closing.abort()
  }
}

/** Its tools, or a sentence about why there are none. */
export const listedToolsOf = async (
  server: ReturnType<typeof connectMcp>,
  where: string,
): Promise<McpTool[]> => {
  const listed = await server.list()
  if (Array.isArray(listed)) return listed
  const why =
    listed.end === 'answered'
      ? `answers with status ${listed.status}`
      : listed.cause instanceof Error
        ? `cannot be asked: ${listed.cause.message}`
        : 'cannot be asked'
  throw new ConfigError([`${placeWords(where)} ${why}.`])
}

/** The server as a document, of which the generator makes a pack. */
export const readMcp = async (question: McpQuestion, environment: Environment): Promise<ApiDocument> => {
  const { where, name, tokenAs } = question
  const wantsSignIn = environment[mcpVariables(name).clientId] !== undefined
  const signIn =
    wantsSignIn && 'url' in serverPlaceOf(where) ? { tokenUrl: await tokenUrlOf(where) } : undefined
  return askMcp(question, environment, signIn, async (server, { keys }) => {
    const tools = await listedToolsOf(server, where)
    const operations: Operation[] = []
    for (const tool of tools) {
      const recorded = question.record === true ? await recordedOf(server, tool) : undefined
      operations.push(toOperation(tool, recorded))
    }
    return {
      title: name.charAt(0).toUpperCase() + name.slice(1),
      baseUrl: `the MCP server ${placeWords(where)}`,
      auth: keys.token === undefined ? 'none' : 'bearer',
      operations,
      mcp: { keys: Object.keys(keys), tools, ...defined({ tokenAs, signIn }) },
    }
  })
}

const toOperation = (tool: McpTool, recorded: unknown): Operation => {
  const input = plainSchema(tool.inputSchema)
  const answer = tool.outputSchema === undefined ? undefined : plainSchema(tool.outputSchema)
  const made = answer === undefined ? undefined : exampleOf(answer)
  const words = made === undefined ? `${sentenceOf(tool.title ?? tool.name)}: made up` : JSON.stringify(made)
  return {
    id: tool.name,
    method: 'POST',
    path: `/${tool.name}`,
    summary: summaryOf(tool),
    params: [],
    query: [],
    body: Object.entries(input.properties ?? {}).map(([wire, schema]) =>
      toField(wire, schema as Schema, input.required?.includes(wire) === true, undefined, undefined),
    ),
    answer,
    answerExample: recorded ?? {
      content: [{ type: 'text', text: words }],
      ...defined({ structuredContent: made }),
    },
    fault: /^[A-Za-z][\w-]{0,63}$/.test(tool.name) ? undefined : 'its name is none that a command can have',
    tool,
  }
}

/** Its own first sentence; a label before it, as some servers write them, says nothing. */
const summaryOf = ({ name, title, description = '' }: McpTool): string => {
  const words = sentenceOf(description.replace(/^\s*\*\*[^*]{1,40}:\*\*/, '') || title || name)
  return words.length < shortest ? `Call the tool ${name}` : words
}
/** As every command has it. */
const shortest = 8

/** Of a tool that only reads and needs nothing. */
const recordedOf = async (
  server: ReturnType<typeof connectMcp>,
  { name, inputSchema, annotations }: McpTool,
): Promise<unknown> => {
  const { readOnlyHint } = Object(annotations) as { readOnlyHint?: unknown }
  const { required = [] } = Object(inputSchema) as { required?: readonly unknown[] }
  if (readOnlyHint !== true || required.length > 0) return undefined
  const request = { method: 'POST', path: `/${name}`, body: '{}' }
  const { signal } = new AbortController()
  const limits = { timeoutMs: defaultSettings.readDeadlineMs, maxBytes: 100_000, signal }
  const exchange = await server.send(request, 'read', limits)
  if (exchange.end === 'broken' || exchange.body === 'too large') return undefined
  const message = messageIn(exchange.body.toString('utf8'))
  return openToolAnswer(message).verdict === 'done' ? message?.result : undefined
}

const deepest = 6

/** A JSON Schema without what an OpenAPI 3.0 schema has no words for: a type of several, a part that is named elsewhere. */
const plainSchema = (given: unknown, root: unknown = given, depth = 0): Schema => {
  const schema = Object(given) as Record<string, unknown>
  if (typeof schema.$ref === 'string')
    return depth > deepest ? {} : plainSchema(partAt(root, schema.$ref), root, depth + 1)
  const { description, type, const: only, items, properties, anyOf, oneOf, default: usual, required } = schema
  const options = [anyOf, oneOf]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .filter((one) => Object(one).type !== 'null')
  if (options.length === 1)
    return { ...plainSchema(options[0], root, depth + 1), ...defined({ description }) } as Schema
  const inner = (part: unknown) => (depth > deepest ? {} : plainSchema(part, root, depth + 1))
  const parts = Object.entries(Object(properties) as object).map(([key, part]) => [key, inner(part)])
  return defined({
    description: typeof description === 'string' ? description : undefined,
    type: Array.isArray(type)
      ? type.filter((one) => one !== 'null').length === 1
        ? type.find((one) => one !== 'null')
        : undefined
      : type,
    enum: only === undefined ? schema.enum : [only],
    items: items === undefined ? undefined : inner(items),
    properties: parts.length === 0 ? undefined : Object.fromEntries(parts),
    required: Array.isArray(required) ? required : undefined,
    default: typeof usual === 'object' ? undefined : usual,
    minimum: schema.minimum,
    format: schema.format,
    example: schema.format === 'email' ? 'ada@example.com' : undefined,
  }) as Schema
}

const partAt = (root: unknown, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, key) => Object(part)[key.replaceAll('~1', '/').replaceAll('~0', '~')], root)
