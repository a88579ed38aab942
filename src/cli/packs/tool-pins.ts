import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../kernel/messenger/definition.ts'
import { toolLine } from '../../kernel/tool-words.ts'
import { toolChanges } from '../../lib/services/mcp/tool.ts'
import { type McpFile, mcpFile, mcpFileSchema, mcpFileText } from '../pack/mcp-file.ts'
import { askMcp, listedToolsOf, mcpVariables } from '../pack/read-mcp.ts'
import { ConfigError, policyFileOf, readText } from '../start/config.ts'
import { isPath, type PinnedCode, pinnedCodeOf } from './lock.ts'

/**
 * Asks the servers of packs that were made from MCP servers what they say of their tools now, and puts that into the packs, so
 * that it is pinned with them. Nothing of a pack runs for it. Gives a line for everything that became otherwise.
 */
export const takeInTools = async (env: Environment): Promise<string[]> => {
  const packs = pinnedCodeOf(env, readText(policyFileOf(env)) ?? '').filter(
    ({ kind, code }) => kind === 'pack' && existsSync(join(code.folder, mcpFile)),
  )
  const lines: string[] = []
  for (const pack of packs) lines.push(...(await takeIn(env, pack)))
  return lines
}

const takeIn = async (env: Environment, { name, code }: PinnedCode): Promise<string[]> => {
  const path = join(code.folder, mcpFile)
  const file = fileAt(path)
  const { url } = mcpVariables(file.service)
  const where = env[url]
  if (where === undefined) return [`${name}: ${url} is not set, so its server was not asked about its tools.`]
  const question = { where, name: file.service, tokenAs: file.tokenAs }
  const listed = await askMcp(question, env, file.signIn, (server) => listedToolsOf(server, where)).catch(
    (error: Error) => error,
  )
  if (listed instanceof Error) {
    if (!(listed instanceof ConfigError)) throw listed
    return [`${name}: its server was not asked about its tools. ${listed.message}`]
  }
  const changes = toolChanges(file.tools, listed)
  if (changes.length === 0) return [`${name}: its server says of its tools what the pack says.`]
  if (!isPath(name))
    throw new ConfigError([
      `${name}: its server says other things of its tools.`,
      ...changes,
      'The pack is a package: take a version of it that has them so.',
    ])
  const now = file.tools.map((tool) => listed.find((one) => one.name === tool.name))
  const gone = file.tools.filter((_, at) => now[at] === undefined)
  if (gone.length > 0)
    throw new ConfigError([
      `${name}: its server no longer has ${gone.map((tool) => tool.name).join(', ')}. Write the pack again without: ${toolLine('pack', 'new --mcp')}`,
    ])
  const tools = now.flatMap((tool) => tool ?? [])
  writeFileSync(path, mcpFileText({ ...file, tools }))
  const isOther = toolChanges(withoutWords(file.tools), withoutWords(tools)).length > 0
  return [
    `${name}: taken in, as its server says it now:`,
    ...changes.map((change) => `  ${change}`),
    ...(isOther
      ? [`  The commands are as they were. Where they should follow: ${toolLine('pack', 'new --mcp')}`]
      : []),
  ]
}

const withoutWords = (tools: McpFile['tools']): McpFile['tools'] =>
  tools.map(({ name, inputSchema, outputSchema, annotations }) => ({
    name,
    inputSchema,
    outputSchema,
    annotations,
  }))

const fileAt = (path: string): McpFile => {
  try {
    return mcpFileSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) as McpFile
  } catch {
    throw new ConfigError([
      `${path} cannot be read as the tools of a pack. Write the pack again: ${toolLine('pack', 'new --mcp')}`,
    ])
  }
}
