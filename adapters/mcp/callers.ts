import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import type { Agent } from '../../src/kernel/model/agent.ts'
import type { McpConfig } from './config.ts'
import { createTokenReader } from './issuer.ts'

/** The agent behind an Authorization header, if there is one. */
export type FindCaller = (authorization: string | undefined) => Promise<Agent | undefined>

/** Tokens are those of the start; what an agent may do is what bellhop.yml says now, if it still lists it. */
export const createCallers = (
  { agents, issuer, publicUrl }: McpConfig,
  { agents: listed, ...clock }: Pick<Bot, 'agents' | 'now' | 'ticks'>,
  path: '/mcp' | '/api',
): FindCaller => {
  // By digest, so that the time of a look-up says nothing about a token.
  const bySecret = new Map<string, string>()
  const byClient = new Map<string, string>()
  for (const agent of agents) {
    if ('client' in agent) byClient.set(agent.client, agent.id)
    else bySecret.set(digestOf('secret' in agent ? agent.secret : keptToken(agent.file)), agent.id)
  }
  const clientOf = issuer === undefined ? undefined : createTokenReader(issuer, `${publicUrl}${path}`, clock)
  const idOf = async (token: string): Promise<string | undefined> => {
    const known = bySecret.get(digestOf(token))
    if (known !== undefined || clientOf === undefined) return known
    return byClient.get((await clientOf(token)) ?? '')
  }
  return async (authorization) => {
    const token = /^Bearer ([\x21-\x7e]{1,8192})$/i.exec(authorization ?? '')?.[1]
    const id = token === undefined ? undefined : await idOf(token)
    return listed.all.find((agent) => agent.id === id)
  }
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** The demo has nobody who could set a token, so it makes one up and keeps it beside its data. */
const keptToken = (file: string): string => {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}
