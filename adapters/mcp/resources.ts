import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { type AgentCaller, agentSender } from './requests.ts'
import { changeResult } from './results.ts'

const policyUri = 'bellhop://policy'
const waitingUri = 'bellhop://changes/waiting'
const mimeType = 'application/json'

const all: Resource[] = [
  {
    uri: policyUri,
    name: 'policy',
    title: 'The policy as this agent sees it',
    description: 'What it may run, and what people must say to each change.',
    mimeType,
  },
  {
    uri: waitingUri,
    name: 'waiting changes',
    title: 'What this agent has asked for and what still waits',
    description: 'Its own changes that have not ended, with what each of them needs.',
    mimeType,
  },
]

/** The policy as an agent of the file sees it is for those alone. */
export const resourcesOf = ({ sender }: AgentCaller): Resource[] =>
  sender === undefined ? all : all.filter(({ uri }) => uri !== policyUri)

export const readResource = async (
  bot: Bot,
  agent: AgentCaller,
  uri: string,
): Promise<ReadResourceResult> => {
  const from = agentSender(agent)
  const show = async (data: unknown): Promise<ReadResourceResult> => {
    await bot.agents.recordRead(from, `read ${uri}`)
    return { contents: [{ uri, mimeType, text: JSON.stringify(data, null, 1) }] }
  }
  if (!resourcesOf(agent).some((one) => one.uri === uri)) throw new ResourceNotFoundError(uri.slice(0, 200))
  if (uri === policyUri) return show(bot.agents.policyFor(from))
  const waiting = await bot.agents.waiting(from)
  return show(waiting.map((change) => changeResult(change, bot.now()).data))
}
