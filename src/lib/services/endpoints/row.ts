import type { z } from 'zod'
import type { KindTraits } from '../../things/kinds.ts'
import type { McpServer } from '../mcp/tool.ts'
import type { GuessForms } from './guesses.ts'
import type { ServiceHook } from './hook.ts'
import type { Later } from './later.ts'
import type { CallInput, OpenRecord } from './open-record.ts'
import type { ReadBack } from './read-back.ts'
import type { ServiceLinks } from './service-links.ts'

/** The endpoint tables by the name of their service: each pack merges its own into this. */
// biome-ignore lint/suspicious/noEmptyInterface: packs merge into it, and the core knows none of them.
export interface Tables {}

export type ServiceName = keyof Tables & string

/**
 * `read` changes nothing; `idempotent` may be repeated; `once` is never sent again after any part of it may
 * have been sent.
 */
export type Effect = 'read' | 'idempotent' | 'once'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What can be told of money from a request alone, for whoever sends it without the command for it. */
export type MoneyTerms = {
  /** Equal for two requests that are the same request, however they were written: the command's own intent. */
  readonly intent?: (params: Readonly<Record<string, string>>, body: OpenRecord | undefined) => unknown
  /** The amount; without it, no budget and no rule about amounts knows it. */
  readonly amount?: (body: OpenRecord | undefined) => { value: number | null; currency: string | null }
}

export type Row = {
  readonly method: Method
  /** A template: `/things/{id}`. */
  readonly path: string
  /** Whose endpoint it is: a policy for `thing *` holds for every row of that noun. */
  readonly noun: string
  readonly effect: Effect
  /** It moves money, or changes what somebody pays: somebody else approves that unless a rule says otherwise. */
  readonly movesMoney?: true | MoneyTerms
  /** The row of the same service that does to one what this one does to many at once. */
  readonly widens?: string
  /** Whether the request and the answer are documented. If not, both may be anything. */
  readonly shown: boolean
  readonly summary: string
  readonly params?: z.ZodObject
  /** The values in the path that are free text and may hold a slash. */
  readonly freeText?: readonly string[]
  readonly query?: z.ZodType
  /** What it reads is named in the query, so that 404 means that there is none. */
  readonly byQuery?: true
  readonly body?: z.ZodType
  /** The schema of the payload inside the envelope. */
  readonly answer: z.ZodType
  /** Which fields of the answer say what it is about, and the value of the request that each repeats: another one is another answer. */
  readonly identity?: Readonly<Record<string, string>>
  /** The fields of the answer that repeat the request, under the names of the request; the record in the answer if not given. */
  readonly echo?: (data: never, body: Readonly<Record<string, unknown>>) => unknown
  /** How a read tells whether this write happened, for when its answer was lost. */
  readonly readBack?: ReadBack
  /** How its answer says that the service holds it, or that it took it and has not settled it. */
  readonly later?: Later
  /**
   * Of a tool: an error that its server declares proves that nothing was done. Without it, such an error leaves a change
   * unknown, because a server says the same where it was cut off in the middle.
   */
  readonly errorMeansNotDone?: true
  /** Fields of the request that nobody decides by: a card counts them where it has no room for them. */
  readonly details?: readonly string[]
  /** Fields of a documented body whose form is a guess. */
  readonly guessed?: readonly string[]
}

export type Rows = Readonly<Record<string, Row>>

/** What several rows that share a method and a path are told apart by. */
export type Choice = {
  rows: readonly string[]
  params: Readonly<Record<string, string>>[]
  query: Readonly<Record<string, string>>
  body: unknown
}

/** What the client, the policy and the links know of one service; a pack is this and all that people see of it. */
export type Service = {
  /** One lower-case word: its area, its prefix in `name.row`, and its label in metrics. */
  readonly name: string
  /** What people call it, with a capital letter. */
  readonly title: string
  /** The first key as a bearer token, the first two as user and password, or the first in a header of its own. */
  readonly auth: 'bearer' | 'basic' | 'none' | { readonly header: string }
  /** It is an MCP server: its rows are tools, called by POST under their names, and its address may be a command that starts it. */
  readonly mcp?: McpServer
  /** The environment names of its address and of each key. */
  readonly environment: { readonly baseUrl: string; readonly keys: Readonly<Record<string, string>> }
  /** What its address ends in. */
  readonly prefix?: string
  readonly rows: Rows
  /** Its document says that every answer says by `status` or `success` how it went, with `message` and usually `data`. */
  readonly envelope?: true
  /** The cheapest read that needs no id, with which the doctor proves the key; the first such row if not given. */
  readonly proof?: { readonly row: string; readonly input?: CallInput }
  /** Needed where rows share a method and a path: which of them is meant. */
  readonly choose?: (choice: Choice) => { row: string | undefined; summary?: string }
  /** What it tells by itself, and how it signs that. */
  readonly hook?: ServiceHook
  /** The kinds of thing that it has. */
  readonly kinds?: Readonly<Record<string, KindTraits>>
  /** Which ids its answers and requests name together. */
  readonly links?: ServiceLinks
  /** The forms of fields that no document shows, for `guesses` in bellhop.yml. */
  readonly guesses?: GuessForms
}

export const defineRow = <const R extends Row>(row: R): R => row

export const defineService = <const S extends Service>(service: S): S => service
