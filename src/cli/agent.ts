import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client'
import { lex } from '../kernel/command/line/lexer.ts'
import { toolLine } from '../kernel/tool-words.ts'
import { readNumber } from '../lib/codecs/read-number.ts'
import { refusalLine } from '../lib/view/refusals.ts'
import { exitCodes } from './exit-codes.ts'
import { ownEnvironment, withSecrets } from './start/environment.ts'

/**
 * `npm run agent -- "refund pay_1001 20 --customer cus_1001"`: a small agent with the official client. It knows nothing of Bellhop but what
 * the tools say of themselves, asks, and waits for the people who decide.
 */
const longestWaitSeconds = 50
const open = new Set(['pending', 'approved', 'applying'])

try {
  process.exitCode = await run(process.argv.slice(2).join(' '))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = exitCodes.refused
}

async function run(line: string): Promise<number> {
  const client = await connect()
  try {
    const { tools } = await client.listTools()
    if (line.trim() === '') {
      process.stdout.write(`${tools.map(({ name, description }) => `${name}: ${description}`).join('\n')}\n`)
      return exitCodes.done
    }
    const { tool, given } = callOf(line, tools)
    const isChange = tool.inputSchema.properties?.request_key !== undefined
    const own = isChange ? { request_key: randomUUID() } : {}
    let result = await call(client, tool.name, { ...given, ...own })
    process.stdout.write(`${textOf(result)}\n`)
    while (open.has(stateOf(result))) {
      const { id } = Object(result.structuredContent) as { id: string }
      process.stdout.write(
        `\nWaiting for people to decide about ${id}. Stop with Ctrl-C; it goes on without us.\n`,
      )
      result = await call(client, 'change_get', { id, wait_seconds: longestWaitSeconds })
      if (!open.has(stateOf(result))) process.stdout.write(`\n${textOf(result)}\n`)
    }
    if (['held', 'accepted'].includes(stateOf(result))) return exitCodes.waiting
    if (!result.isError && ['answered', 'applied'].includes(stateOf(result))) return exitCodes.done
    return ['failed', 'unknown'].includes(stateOf(result)) ? exitCodes.failed : exitCodes.refused
  } finally {
    await client.close()
  }
}

async function connect(): Promise<Client> {
  const problems: string[] = []
  const env = withSecrets(ownEnvironment(), ['BELLHOP_TOKEN'], problems)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const { PORT = '3000', DATA_DIR = './data' } = env
  const url = env.BELLHOP_URL ?? `http://127.0.0.1:${PORT}/mcp`
  const kept = join(DATA_DIR, 'helper.token')
  const token = env.BELLHOP_TOKEN ?? (existsSync(kept) ? readFileSync(kept, 'utf8').trim() : undefined)
  if (token === undefined) {
    throw new Error(
      `There is no token: start the demo with ${toolLine('start')}, or set BELLHOP_TOKEN to that of your agent.`,
    )
  }
  const sdk = await import('@modelcontextprotocol/client').catch(() => {
    throw new Error('The client is not installed here: npm install --no-save @modelcontextprotocol/client')
  })
  const client = new sdk.Client(
    { name: 'bellhop-agent', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  try {
    await client.connect(new sdk.StreamableHTTPClientTransport(new URL(url), { requestInit }))
  } catch (error) {
    throw new Error(
      `${url} does not let us in: ${(error as Error).message}. Is the bot running, with MCP=on?`,
    )
  }
  return client
}

async function call(client: Client, name: string, given: Record<string, unknown>): Promise<CallToolResult> {
  return client.callTool(
    { name, arguments: given },
    {
      timeout: (longestWaitSeconds + 10) * 1_000,
      resetTimeoutOnProgress: true,
      onprogress: ({ message }) => process.stdout.write(`  ${message}\n`),
    },
  )
}

/** The words of a line, given to the properties of the tool in their order; `--name value` says which. */
function callOf(line: string, tools: readonly Tool[]): { tool: Tool; given: Record<string, unknown> } {
  const lexed = lex(line)
  if (!lexed.ok) throw new Error(refusalLine(lexed.refusal))
  const words = lexed.value.flatMap((token) => (token.kind === 'word' ? [token.text] : []))
  const named = (name: string) => tools.find((tool) => tool.name === name)
  const two = named(`${words[0]}_${words[1]}`)
  const tool = two ?? named(String(words[0]))
  if (tool === undefined) throw new Error(`There is no tool for "${line}". Without a line, all are listed.`)
  const properties = Object.entries(tool.inputSchema.properties ?? {}) as [string, { type?: string }][]
  const given: Record<string, unknown> = {}
  const set = (name: string, text: string) => {
    // What is no number, or two, the bot itself refuses in its own words.
    const type = properties.find(([key]) => key === name)?.[1].type
    const read = type === 'integer' || type === 'number' ? readNumber(text) : undefined
    if (read?.ok && read.unit === null) given[name] = read.value
    else given[name] = type === 'array' ? text.split(',') : text
  }
  const rest = lexed.value.slice(two === undefined ? 1 : 2)
  for (let at = 0; at < rest.length; at++) {
    const token = rest[at]
    if (token?.kind === 'word') {
      const free = properties.find(([key]) => !(key in given))?.[0]
      if (free === undefined) throw new Error(`"${token.text}" is one word too many for ${tool.name}.`)
      set(free, token.text)
    } else if (token?.kind === 'flag') {
      const next = rest[at + 1]
      const value = token.value?.text ?? (next?.kind === 'word' ? next.text : undefined)
      if (value === undefined) throw new Error(`--${token.name} came without its value.`)
      if (token.value === undefined || token.value === null) at++
      set(token.name.replaceAll('-', '_'), value)
    }
  }
  return { tool, given }
}

function stateOf({ structuredContent }: CallToolResult): string {
  return (Object(structuredContent) as { state?: string }).state ?? 'answered'
}

function textOf({ content }: CallToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
