import type { z } from 'zod'
import type { HttpServer } from '../../lib/http/server.ts'
import type { Log } from '../../lib/log.ts'
import type { Drawing } from '../../lib/view/drawing.ts'
import type { View } from '../../lib/view/view.ts'
import type { Registry } from '../command/registry.ts'
import type { Agent } from '../model/agent.ts'
import type { Bot } from './bot.ts'
import type { PlatformConnection } from './connection.ts'
import type { Messenger } from './messenger.ts'

/**
 * All that the bot knows of a messenger before it is started. The file that exports one loads no SDK: `create` and
 * `preview` do that when they are called. `C` is the messenger's own configuration.
 */
export type MessengerDefinition<C = unknown> = {
  /** As it stands in bellhop.yml, in the audit log and in metrics. */
  name: string
  /** As people write it. */
  title: string
  /** With one of these variables set, the bot is meant for people: it is no demo, and its services must be named. */
  variables: readonly string[]
  /** Variables that hold a secret: each may be given by a file, too, with `_FILE` behind its name. */
  secrets: readonly string[]
  /** Variables that are on or off. */
  switches: readonly string[]
  /** What else it reads of the environment. */
  others?: readonly string[]
  /** Its keys in bellhop.yml, or whose ids in it the accounts are. */
  accounts: AccountKeys | 'people' | 'agents'
  /** What to set, for those who read that it is off. */
  turnOn: string
  /** Undefined when it is off. Each mistake is a sentence in `problems`. */
  readConfig(reading: ConfigReading): C | undefined
  /** What `npm run doctor` finds out about it, and about what bellhop.yml names of it. */
  check(config: C, registry: Registry, named: NamedByPolicy): Promise<CheckResult[]>
  create(deps: MessengerDeps<C>): Promise<RunningMessenger>
  /** The JSON that it would send for a view, and how that looks there; the console shows both beside its own. */
  preview?(view: View): Promise<Preview>
}

/** The keys of bellhop.yml that a messenger brings, each under its own name. A schema's message says what was expected. */
export type AccountKeys = {
  /** The account of a person. */
  account: Id
  /** A group whose members have roles, with what such groups are called. */
  group?: { id: Id; plural: string }
  /** The channel where approval cards are mirrored. */
  channel?: Id
  /** A further workspace that the bot may work in: ids there have its own before them, with a slash between. */
  workspace?: {
    id: Id
    /** Whether what is named so stands for many workspaces, each with an id of its own. */
    isOrganization?(id: string): boolean
  }
  /** The account as which workflows of the platform's own ask, where it has them: no person can have it. */
  workflow?: string
}

type Id = z.ZodType<string, string>

/** What the policy reads of a definition. */
export type PlatformKeys = Pick<MessengerDefinition, 'name' | 'title' | 'accounts'>

/** A channel that the bot must be able to post in, and its key in bellhop.yml. */
export type PostingChannel = { id: string; key: string }

/** Of one messenger: the channels that the bot posts in, the groups whose members have roles, and further workspaces. */
export type NamedByPolicy = {
  channels: readonly PostingChannel[]
  groups: readonly string[]
  workspaces?: readonly string[]
}

/** One line of the doctor's report. A finding that is not ok says what to do about it. */
export type CheckResult = { ok: boolean; about: string; words: string }

export const checkPassed = (about: string, words: string): CheckResult => ({ ok: true, about, words })

export const checkFailed = (about: string, words: string): CheckResult => ({ ok: false, about, words })

export type ConfigReading = {
  /** Without what is set to nothing. */
  env: Environment
  demo: boolean
  host: string
  port: number
  dataDir: string
  /** Those of bellhop.yml, as far as it could be read. */
  agents: readonly Agent[]
  /** Whether bellhop.yml has something decided with a passkey. */
  asksPasskeys: boolean
  /** There is no bellhop.yml: the demo's own stands in for it. */
  demoPolicy: boolean
  problems: string[]
  warnings: string[]
}

export type Environment = Readonly<Record<string, string | undefined>>

export type MessengerDeps<C = unknown> = {
  config: C
  bot: Bot
  http: HttpServer
  log: Log
  /** What the others would send for a view, by their titles. */
  previews: Previews
}

export type Preview = { json: unknown; drawing: Drawing }
export type Previews = Readonly<Record<string, (view: View) => Promise<Preview>>>

export type RunningMessenger = {
  messenger: Messenger
  start(): Promise<void>
  /** Takes nothing more in, and resolves when what it took in is answered. Whoever calls it does not wait for ever. */
  stop(): Promise<void>
  /** Each way between the bot and the platform. */
  connections: readonly PlatformConnection[]
  /** More about it, in a word or two, for people. */
  remark?(): string
  /** Where to open it in a browser, given where the server listens. */
  address?(base: string): string
}

/** What a switch means; one that is neither is refused before it is read. */
export const isOn = (value: string | undefined): boolean => /^(on|true|yes|1)$/i.test(value ?? '')

export const isOff = (value: string): boolean => /^(off|false|no|0)$/i.test(value)
