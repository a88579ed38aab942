import type { Guesses } from '../../lib/services/endpoints/guesses.ts'
import type { LinkFields } from '../../lib/services/endpoints/service-links.ts'
import type { Agent } from '../model/agent.ts'
import type { ApprovalClause, Escalation, Notify } from '../model/change.ts'
import type { Space } from '../model/workspace.ts'

/** What bellhop.yml says, checked and normalised. `load.ts` is the only place that makes one. */
export type Policy = {
  readonly version: 1
  /** SHA-256 of the text of the file: the name of this version. */
  readonly digest: string
  readonly people: readonly Person[]
  readonly agents: readonly (Agent & Pick<Person, 'accounts' | 'elsewhere'>)[]
  readonly groups: ByPlatform<RolesByGroup>
  readonly roles: Readonly<Record<string, Role>>
  /** What anybody may run, listed or not. */
  readonly everyone: { readonly run: readonly Pattern[] }
  /** The further workspaces of each messenger that the bot may work in, by their ids. */
  readonly workspaces: ByPlatform<readonly string[]>
  /** Every workspace that the file speaks of, the first one included. */
  readonly spaces: readonly Space[]
  /** The channels where approval cards are mirrored: at most one of each messenger in each workspace. */
  readonly approvals: readonly { readonly platform: string; readonly channel: string }[]
  /** The people who hear of what the bot cannot mend by itself, by their ids. */
  readonly administrators: readonly string[]
  /** In file order: the first that matches decides. */
  readonly policies: readonly Rule[]
  readonly budgets: readonly Budget[]
  readonly duplicates: { readonly windowMs: number } | null
  /** Whether whoever asks for something that nobody could look at is asked about it first, or those who decide get it so. */
  readonly unseen: 'ask' | 'pass'
  /** The team's usual reasons, to pick from. */
  readonly reasons: readonly string[]
  /** The zone of the team, in which days and months begin. */
  readonly zone: string
  /** The fields of services that hold the ids of things in other services, by the kind of those. */
  readonly links: LinkFields
  /** The kinds of thing whose ids customers can write into a field themselves: what stands there is their word. */
  readonly customersWrite: readonly string[] | 'all'
  /** The form in which each field is sent that no document shows. */
  readonly guesses: Guesses
  /** Long work: how many in a chunk, how many chunks at a time, how many requests a second to one service. */
  readonly bulk: { readonly chunk: number; readonly concurrency: number; readonly rate: number }
  /** Whose signatures the next version of the file needs; null where it needs none. */
  readonly seal: Seal | null
  /** Who may do what alone; null where nobody may. */
  readonly emergency: EmergencyRule | null
  /** Every variable of the environment that it names. */
  readonly variables: readonly string[]
  /** What stands under the keys of features, which alone read it. */
  readonly sections: Readonly<Record<string, unknown>>
  /** The rights that people have for a while: no part of the file, but as the store has them at this moment. */
  readonly granted?: readonly Granted[]
}

/** A right that somebody has for a while, as a rule of the file lets it be given. */
export type Granted = {
  readonly id: string
  /** The id of the person or the agent who has it. */
  readonly holder: string
  /** The roles of which its holder must have one; empty: whoever the file lists. */
  readonly to: readonly string[]
  readonly endsAt: number
  /** The commands that its holder may run. */
  readonly run: readonly string[]
  /** Which of its holder's requests somebody has approved in advance. */
  readonly advance?: Advance
}

/** `giver` has approved these commands in advance, each request within all of these bounds. */
export type Advance = {
  readonly giver: string
  readonly commands: readonly string[]
  /** The largest sum of one request; what moves money is covered by none without it. */
  readonly upTo?: { readonly value: number; readonly currency: string }
  /** The payer, or the list, that it has to be about. */
  readonly payer?: string
  readonly list?: string
}

export type EmergencyRule = {
  readonly from: readonly string[]
  readonly commands: readonly Pattern[]
  readonly upTo?: number
  /** How long somebody has to sign it. */
  readonly forMs: number
}

/** `key` is a line of an OpenSSH public key. */
export type Seal = {
  readonly keys: readonly { readonly name: string; readonly key: string }[]
  readonly count: number
}

/** `campaign send`, `campaign *` or `*`; see `pattern.ts`. */
export type Pattern = string

export type Person = {
  readonly id: string
  readonly name: string
  /** The first of each messenger. Where accounts are people's ids, as in the console, that is the id. */
  readonly accounts: ByPlatform<string>
  /** Those in further workspaces of the same messengers. */
  readonly elsewhere?: readonly { readonly platform: string; readonly account: string }[]
  readonly roles: readonly string[]
  /** Their mail address, in lower case. */
  readonly address?: string
  /** The groups outside of messengers that they are in now; what those give is among their roles. */
  readonly within?: readonly string[]
  /** A time zone, for messengers that do not know it. */
  readonly zone?: string
  /** The id of the person whom `from: [manager]` asks. */
  readonly manager?: string
}

/** By the messenger's name. */
export type ByPlatform<T> = Readonly<Record<string, T>>

/** Roles by the id of a messenger's group. */
export type RolesByGroup = Readonly<Record<string, readonly string[]>>

export type Role = {
  readonly run: readonly Pattern[]
  readonly approve: readonly Pattern[]
  /** Whether somebody who has it may let another person vote for them while they are away. */
  readonly delegate?: boolean
}

/** A clause as the file writes it; the change adds why it is there. */
export type Need =
  | { readonly kind: 'confirm' }
  | Readonly<Pick<ApprovalClause, 'kind' | 'count' | 'from' | 'stage' | 'sign'>>

/** What a part of the file that is no rule asks for a change. */
export type Demanded = {
  because: string
  needs: Pick<Extract<Need, { kind: 'approvals' }>, 'kind' | 'count' | 'from' | 'sign'>[]
}

export type Rule = {
  readonly name: string
  readonly commands: readonly Pattern[]
  readonly amount?: AmountRange
  /** All of them; an empty list asks for nothing. */
  readonly require: readonly Need[]
  readonly expiresInMs?: number
  /** How long an approved change waits, and can still be cancelled, before it runs. */
  readonly holdMs?: number
  /** The part of long work, from 0 to 1, that runs before somebody says go on. */
  readonly canary?: number
  /** How those whose turn it is are told; `mention` if not said. */
  readonly notify?: Notify
  /** How long after the request people are reminded, the shortest first. */
  readonly remindMs?: number[]
  /** Roles whose members may satisfy its clauses too, once it has waited so long. */
  readonly escalate?: Escalation
  /** What cannot be looked up is refused. */
  readonly evidence?: 'required'
  /** What comes without a reason is refused. */
  readonly reason?: 'required'
}

/** `from` and `upTo` include their own value, `over` does not. */
export type AmountRange = { readonly from?: number; readonly over?: number; readonly upTo?: number }

export type Budget = {
  readonly name: string
  readonly commands: readonly Pattern[]
  /** Whose changes are added up: the requester's own, or everybody's. */
  readonly per: 'requester' | 'everyone'
  readonly windowMs: number
  /** The sum that is still allowed, in each currency by itself unless there are rates; the first amount past it asks for `then`. */
  readonly limit: number
  /** What all currencies are counted in, and how much of it one of each other was worth on a day. */
  readonly rates?: {
    readonly day: string
    readonly to: string
    readonly of: Readonly<Record<string, number>>
  }
  readonly then: readonly Need[]
}
