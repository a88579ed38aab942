import { basename, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { toolLine } from '../kernel/tool-words.ts'
import { whyNoPlace } from '../lib/services/mcp/place.ts'
import { exitCodes } from './exit-codes.ts'
import { decideOperation } from './pack/decide.ts'
import { readMcp } from './pack/read-mcp.ts'
import { readOpenApi } from './pack/read-openapi.ts'
import { writePack } from './pack/write-pack.ts'
import { ConfigError } from './start/config.ts'
import { ownEnvironment } from './start/environment.ts'

/** `npm run pack -- new`: exit code 0, or 2 with a sentence about what to do. */
const usage = `Writes a pack for a service from its OpenAPI 3 description, or from what an MCP server says of itself.

  ${toolLine('pack', 'new')} --openapi <file> --out <folder> --operations <id,id|all>
  ${toolLine('pack', 'new')} --mcp <url | command> --out <folder> --tools <name,name|all>

  --openapi      the document, JSON or YAML
  --mcp          the address of the server, or the command that starts it, in quotes
  --out          where the pack goes; the last part of it is the name of the service, one word
  --operations   which of its operations become commands, by their ids, or all
  --tools        which of its tools, by their names, or all
  --token-as     the variable in which a server that is started as a command wants its token
  --record       calls the tools that only read and need nothing once, and keeps what they answer for the sandbox

An MCP server is asked with <NAME>_TOKEN, or with <NAME>_CLIENT_ID and <NAME>_CLIENT_SECRET, if they are set.
Nothing is written over. What the document cannot say is listed at the end, and marked in the pack: whatever writes is sent
once and never again, until somebody says otherwise.`

/** Of one word; a messenger's limit. */
const maxCommands = 25

try {
  console.log(await run())
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  console.error(error.message)
  process.exitCode = exitCodes.refused
}

async function run(): Promise<string> {
  const { words, openapi, mcp, out, operations, tools, help, record, ...given } = readArguments()
  if (help) return usage
  if (words.join(' ') !== 'new') throw new ConfigError([`There is no "${words.join(' ')}" here.\n\n${usage}`])
  if (openapi && mcp) throw new ConfigError([`Say --openapi or --mcp, and not both.\n\n${usage}`])
  const source = mcp ?? openapi
  const choice = mcp === undefined ? operations : tools
  const needed = mcp === undefined ? { openapi, out, operations } : { mcp, out, tools }
  const missing = Object.entries(needed).filter(([, value]) => !value)
  if (!source || !out || !choice)
    throw new ConfigError([`Say ${missing.map(([flag]) => `--${flag}`).join(', ')} too.\n\n${usage}`])
  const name = basename(resolve(out))
  if (!/^[a-z]{2,20}$/.test(name))
    throw new ConfigError([
      `"${name}" cannot be the name of a service: let --out end in one word of small letters.`,
    ])
  const wrong = mcp === undefined ? undefined : whyNoPlace(mcp)
  if (wrong !== undefined) throw new ConfigError([`--mcp ${wrong}`])
  const question = { where: source, name, record, tokenAs: given['token-as'] }
  const reading = mcp === undefined ? readOpenApi(source) : readMcp(question, ownEnvironment())
  const document = await reading.catch((error: Error) => {
    throw new ConfigError([
      `${source} cannot be used: ${error.message.split('\n')[0]}.`.replace(/\.\.$/, '.'),
    ])
  })
  const kind = mcp === undefined ? 'operation' : 'tool'
  const ids = document.operations.map(({ id }) => id)
  const wanted = choice === 'all' ? ids : choice.split(',').map((id) => id.trim())
  const unknown = wanted.filter((id) => !ids.includes(id))
  if (unknown.length > 0)
    throw new ConfigError([`${source} has no ${kind} ${unknown.join(', ')}. It has: ${ids.join(', ')}.`])
  if (wanted.length > maxCommands)
    throw new ConfigError([
      `${wanted.length} ${kind}s are chosen, and messengers show at most ${maxCommands} commands under one word: choose some of ${ids.join(', ')}.`,
    ])
  const chosen = document.operations.filter(({ id }) => wanted.includes(id)).map(decideOperation)
  const twice = chosen.find(({ verb }, at) => chosen.findIndex((other) => other.verb === verb) !== at)
  if (twice !== undefined)
    throw new ConfigError([`Two ${kind}s would be the command ${name} ${twice.verb}: choose one of them.`])
  const faults = chosen.flatMap(({ id, fault }) => (fault === undefined ? [] : [`${id}: ${fault}.`]))
  if (faults.length > 0) throw new ConfigError([...faults, 'Leave these out.'])
  const files = writePack(resolve(out), name, document, chosen)
  const doubts = chosen.flatMap(({ verb, doubts: all }) => all.map((doubt) => `  ${name} ${verb}: ${doubt}`))
  return [
    `Wrote ${files.join(', ')} to ${out}.`,
    ...(doubts.length === 0 ? [] : ['', 'Decide, and change endpoints.ts where it is otherwise:', ...doubts]),
    '',
    `Then put it under packs: in bellhop.yml, and run ${toolLine('packs', 'pin')}.`,
  ].join('\n')
}

function readArguments() {
  const text = { type: 'string' } as const
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        openapi: text,
        out: text,
        operations: text,
        mcp: text,
        tools: text,
        'token-as': text,
        record: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    return { words: positionals, ...values }
  } catch (error) {
    throw new ConfigError([`${(error as Error).message}\n\n${usage}`])
  }
}
