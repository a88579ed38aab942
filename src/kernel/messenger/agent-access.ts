import type { Result } from '../../lib/result.ts'
import type { Refusal } from '../../lib/view/refusals.ts'
import type { Agent } from '../model/agent.ts'
import type { Change, ChangeState } from '../model/change.ts'
import type { Sender } from './inbound.ts'

/** What the messenger of agents is given besides what every messenger is. */
export type AgentAccess = {
  /** As bellhop.yml lists them now. */
  all: readonly Agent[]
  /** Why agents are not served at the moment, if they are not. */
  refuseFrozen(from: Sender): Promise<Refusal | undefined>
  policyFor(from: Sender): AgentPolicy
  /** A change that it may know of. */
  change(from: Sender, id: string): Promise<Change | undefined>
  /** Whether it has asked for this change itself. */
  owns(from: Sender, change: Change): boolean
  /** What it has asked for and what still waits for people, the newest first. */
  waiting(from: Sender): Promise<Change[]>
  /** What it has asked for, page by page, the last changed first; `more` is there while a page may follow. */
  changes(from: Sender, page: ChangesPage): Promise<{ changes: Change[]; more: PageMark | undefined }>
  /** What a request that its sender has named was first answered with; kept for some days. Nothing is handed out under a freeze. */
  firstAnswer(from: Sender, changeId: string): Promise<Result<unknown>>
  keepAnswer(from: Sender, changeId: string, answer: unknown): Promise<void>
  /** That it looked at one of its own records. */
  recordRead(from: Sender, line: string): Promise<void>
  count(agent: string, tool: string, result: string): void
  /** Has the program that waits for a refused request told so, until its messenger takes it; told of one handle once. */
  oweRefusal(platform: string, handle: string, message: string): Promise<void>
}

export type PageMark = { updatedAt: number; id: string }
export type ChangesPage = {
  states?: readonly ChangeState[] | undefined
  limit: number
  before?: PageMark | undefined
}

/** The policy as one agent sees it: what it may ask for, and what each change needs. */
export type AgentPolicy = {
  agent: string
  owner: string
  roles: readonly string[]
  callsPerMinute: number
  lookUps: string[]
  changes: { command: string; rules: { rule: string; amount?: object; needs: string }[] }[]
  budgets: { name: string; commands: readonly string[]; window: string; limit: number; beyond: string }[]
  duplicatesWithin: string | null
}
