import { join } from 'node:path'
import { isPrivateHost } from '../../src/http/server.ts'
import { type ConfigReading, isOn } from '../../src/messenger/definition.ts'
import type { Agent } from '../../src/model/agent.ts'

export type McpConfig = {
  agents: readonly AgentWithToken[]
  /** Where agents reach the bot. */
  publicUrl: string
  /** Who gives out tokens, where agents have a client id in the place of a token. */
  issuer: string | undefined
}

/** `secret`: its token. `file`: where the demo keeps the one that it makes up. `client`: its id at the issuer. */
export type AgentWithToken = Agent & ({ secret: string } | { file: string } | { client: string })

const leastLength = 32
const howTo = `set it to at least ${leastLength} characters; openssl rand -hex 32 makes such a token.`

export const readMcpConfig = (reading: ConfigReading): McpConfig | undefined => {
  const { env, demo, host, port, agents, problems, warnings } = reading
  if (env.MCP === undefined ? !demo : !isOn(env.MCP)) return undefined
  if (agents.length === 0 && !demo) {
    warnings.push('MCP is on, and bellhop.yml lists no agents: nobody can call it.')
  }
  const local = `http://${isPrivateHost(host) ? host.replace('::1', '[::1]') : 'localhost'}:${port}`
  const publicUrl = originOf(env.PUBLIC_URL ?? local)
  if (publicUrl === undefined) problems.push('PUBLIC_URL must be a web address that starts with https://.')
  const issuer = env.MCP_ISSUER
  if (issuer !== undefined && !isIssuer(issuer)) {
    problems.push(
      'MCP_ISSUER must be the https address of the server that gives out tokens, without a query.',
    )
  }
  return {
    agents: withTokens(reading),
    publicUrl: publicUrl ?? local,
    issuer,
  }
}

const withTokens = ({ env, agents, dataDir, demoPolicy, problems }: ConfigReading): AgentWithToken[] => {
  const ownerOf = new Map<string, string>()
  return agents.flatMap((agent): AgentWithToken[] => {
    const { id, token } = agent
    if ('client' in token) {
      if (env.MCP_ISSUER === undefined) {
        problems.push(`The agent ${id} has a client id, so MCP_ISSUER must say who gives out its tokens.`)
      }
      return [{ ...agent, client: token.client }]
    }
    const secret = env[token.env]
    if (secret === undefined && demoPolicy) return [{ ...agent, file: join(dataDir, `${id}.token`) }]
    const wrong = secret === undefined ? 'is missing' : whyNoToken(secret)
    if (wrong !== undefined) problems.push(`${token.env}, the token of the agent ${id}, ${wrong}: ${howTo}`)
    const other = secret === undefined ? undefined : ownerOf.get(secret)
    if (other !== undefined) {
      problems.push(`The agents ${other} and ${id} have the same token: give each of them its own.`)
    }
    if (secret === undefined) return []
    ownerOf.set(secret, id)
    return [{ ...agent, secret }]
  })
}

const whyNoToken = (secret: string): string | undefined => {
  if (secret.length < leastLength) return 'is too short'
  return /^[\x21-\x7e]+$/.test(secret) ? undefined : 'holds a space or a letter that no token has'
}

const originOf = (url: string): string | undefined =>
  /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).origin : undefined

/** On this machine http will do. */
const isIssuer = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, search, hash } = new URL(url)
  return search + hash === '' && (protocol === 'https:' || (protocol === 'http:' && isPrivateHost(hostname)))
}
