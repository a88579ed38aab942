import type { IncomingMessage } from 'node:http'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import type { Agent } from '../../../src/kernel/model/agent.ts'
import type { AgentRequests, CallListener } from '../requests.ts'
import type { CallProblem } from './problem.ts'

export type ApiDeps = { bot: Bot; requests: AgentRequests }

/** One call that was let in. */
export type ApiCall = {
  agent: Agent
  request: IncomingMessage
  /** What stands behind the question mark. */
  query: URLSearchParams
  /** Nobody waits for the answer any more. */
  gone: AbortSignal
}

type Answer = { status: number; body: object; headers?: Record<string, string> }

/** One way of calling: what it is answered with, or why not. */
export type Answering = (deps: ApiDeps, call: ApiCall) => Promise<Answer | CallProblem>

export const isProblem = (answer: Answer | CallProblem): answer is CallProblem => 'code' in answer

/** Nothing is told while a call waits: the answer is all there is. */
export const listenerOf = ({ gone }: ApiCall): CallListener => ({ signal: gone, tell: async () => undefined })
