import { join } from 'node:path'
import { type ConfigReading, isOn } from '../../src/kernel/messenger/definition.ts'
import type { Agent } from '../../src/kernel/model/agent.ts'
import { isPrivateHost } from '../../src/lib/http/server.ts'

export type McpConfig = {
  agents: readonly AgentWithToken[]
  /** Where agents reach the bot. */
  publicUrl: string
  /** Who gives out tokens, where agents have a client id in the place of a token. */
  issuer: string | undefined
  /** Whom to believe that Slack's own assistant calls, and in which workspace people are at home; undefined while that is off. */
  slackbot?: { signingSecret: string; team: string } | undefined
  /** Which of its faces are on. */
  faces: { mcp: boolean; api: boolean }
}

/** `secret`: its token. `file`: where the demo keeps the one that it makes up. `client`: its id at the issuer. */
export type AgentWithToken = Agent & ({ secret: string } | { file: string } | { client: string })

/** Where agents can call. */
export const pathsOf = ({ mcp, api }: McpConfig['faces']): ('/mcp' | '/api')[] => [
  ...(mcp ? (['/mcp'] as const) : []),
  ...(api ? (['/api'] as const) : []),
]

const minLength = 32
const howTo = `set it to at least ${minLength} characters; openssl rand -hex 32 makes such a token.`

export const readMcpConfig = (reading: ConfigReading): McpConfig | undefined => {
  const { env, demo, host, port, agents, problems, warnings } = reading
  const isWanted = (said: string | undefined) => (said === undefined ? demo : isOn(said))
  const faces = { mcp: isWanted(env.MCP), api: isWanted(env.API) }
  if (!faces.mcp && !faces.api) return undefined
  const slackbot = isOn(env.SLACKBOT) ? readSlackbot(reading, faces.mcp) : undefined
  if (agents.length === 0 && !demo && slackbot === undefined) {
    const on = [...(faces.mcp ? ['MCP'] : []), ...(faces.api ? ['API'] : [])].join(' and ')
    warnings.push(
      `${on} ${on.includes(' ') ? 'are' : 'is'} on, and bellhop.yml lists no agents: nobody can call.`,
    )
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
    slackbot,
    faces,
  }
}

const readSlackbot = ({ env, problems }: ConfigReading, isMcp: boolean): McpConfig['slackbot'] => {
  const { SLACK_SIGNING_SECRET: signingSecret = '', SLACK_TEAM_ID: team = '' } = env
  if (!isMcp) problems.push('SLACKBOT=on needs MCP=on: Slackbot calls /mcp.')
  if (signingSecret === '')
    problems.push('SLACKBOT=on needs SLACK_SIGNING_SECRET, by which its calls are known.')
  if (!/^T[A-Z0-9]+$/.test(team)) {
    problems.push('SLACKBOT=on needs SLACK_TEAM_ID, the id of your workspace: it begins with T.')
  }
  return { signingSecret, team }
}

const withTokens = ({ env, agents, dataDir, demoPolicy, problems }: ConfigReading): AgentWithToken[] => {
  const ownerOf = new Map<string, string>()
  return agents.flatMap((agent): AgentWithToken[] => {
    const { id, token } = agent
    if ('workflow' in token) return []
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
  if (secret.length < minLength) return 'is too short'
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
