import type { z } from 'zod'
import type { HttpServer } from '../lib/http/server.ts'
import type { Result } from '../lib/result.ts'
import { type FeatureVerb, useVerbs, type Verb } from '../lib/view/button-labels.ts'
import type { Refusal } from '../lib/view/refusals.ts'
import type { Action, View } from '../lib/view/view.ts'
import type { Words } from '../lib/view/words.ts'
import type { Actor } from './command/context.ts'
import type { Command } from './command/define.ts'
import type { Candidate } from './command/pack.ts'
import type { Registry } from './command/registry.ts'
import type { Core, Log } from './core.ts'
import { type Notes, useNotes } from './law/notes.ts'
import type { LogMemory } from './log/memory.ts'
import type { Compared } from './log/verify.ts'
import type { Draft } from './messenger/bot.ts'
import type { CheckResult, Environment } from './messenger/definition.ts'
import type { Inbound, Reply } from './messenger/inbound.ts'
import type { Change, Withheld } from './model/change.ts'
import { useOldFields } from './model/notes.ts'
import { type FindDoubts, useDoubts } from './policy/file/doubts.ts'
import { type PolicySection, usePolicySections } from './policy/file/sections.ts'
import type { PolicySource } from './policy/in-force/policy-source.ts'
import { type MembersOutside, type OutsideGroups, useOutsideGroups } from './policy/outside-groups.ts'
import type { Granted, Policy } from './policy/policy.ts'
import { type FeatureTables, newestVersion, useTables } from './store/database/migrations.ts'
import type { Store } from './store/store.ts'
import type { Task } from './store/tasks.ts'
import { type Measured, type Metric, useMetrics } from './watch/metrics.ts'
import type { Tracing } from './watch/tracing.ts'

/**
 * A part of the bot that has a folder of its own under src/features/: what it is asked for, what it does by itself and what
 * follows from a step of a change. All of it but the name is optional. `features/index.ts` lists them.
 */
export type Feature<Records = unknown, Acts = unknown> = {
  readonly name: string
  /** Of one from outside: the major version of `bellhop/feature` that it is written for. */
  readonly surface?: number
  /** Features that its own code imports. */
  readonly needs?: readonly Feature[]
  /** Its key of bellhop.yml. */
  // biome-ignore lint/suspicious/noExplicitAny: the feature alone reads what stands under its key
  readonly policy?: PolicySection<any>
  /** What it notes of changes beside the law. */
  readonly notes?: Notes
  /** Its tables, which it alone knows. What is released is never edited; `returns` has a rule for each table. */
  readonly tables?: readonly FeatureTables[]
  /** What is likely not meant in a policy file; a start goes on. */
  readonly doubts?: FindDoubts
  /** What it counts for /metrics, by `count({ kind: 'counted', ... })`. */
  readonly metrics?: readonly Metric[]
  /** What it measures when /metrics is read. */
  readonly gauges?: readonly Metric[]
  readonly measure?: (core: Core) => Promise<readonly Measured[]>
  /** Its lines of `bellhop status`. */
  readonly status?: (core: Core) => Promise<readonly StatusLine[]>
  /** Its lines of the doctor's report. */
  readonly doctor?: (checked: Checked) => Promise<readonly CheckResult[]>
  /** Its words of `bellhop policy`. */
  readonly policyTools?: Readonly<Record<string, PolicyTool>>
  /** Says what a draft of the policy file would have meant. */
  readonly compareDraft?: (core: Core, actor: Actor, draft: Draft) => Promise<Result<View>>
  /** What it reads of the environment. */
  readonly environment?: FeatureEnvironment
  /** Shows what becomes of requests to somebody outside, if the environment says so. */
  readonly trace?: (about: {
    settings: Readonly<Record<string, unknown>>
    version: string
    log: Log
  }) => Promise<Tracing | undefined>
  /** Groups that no messenger has, and who tells who is in them. */
  readonly outsideGroups?: {
    readonly kinds: readonly OutsideGroups[]
    readonly open: (about: { settings: Readonly<Record<string, unknown>>; log: Log }) => MembersOutside
  }
  /** Takes what comes over HTTP, with what it read of the environment. */
  readonly serve?: (core: Core, http: HttpServer, settings: unknown) => void
  /** The kinds of work that it leaves in the queue. */
  readonly tasks?: TaskKinds
  /** The rights that people have for a while by it. */
  readonly grants?: (store: Store, policy: Policy, now: number) => Promise<readonly Granted[]>
  /** Gives the votes for a request that waits which were given in advance. */
  readonly vote?: (core: Core, change: Change) => Promise<Change>
  /** Its buttons on the card of a change. */
  readonly onCard?: (change: Change) => readonly Action[]
  /** What follows from a step, in the transaction of that step; features come in the order of their list. */
  readonly onStep?: (tx: Store, step: ChangeStep) => Promise<void> | undefined
  /** Why a change of a service is not sent, although it is decided on. */
  readonly withholds?: (policy: Policy, change: NamedChange) => Withheld | undefined
  /** What commands read of it: `context.of(feature)` of a query, and of a change that prepares. */
  readonly records?: (core: Core, actor: Actor) => Records
  /** What a change does with it: `context.of(feature)` where it is applied. Nothing of it runs once the claim is lost. */
  readonly acts?: (core: Core, change: Acting) => Acts
  /** Runs when the worker starts, and when another policy comes into force. */
  readonly onPolicy?: (core: Core) => Promise<void>
  /** Forgets what is too old. Runs each hour. */
  readonly prune?: (store: Store, now: number) => Promise<unknown>
  /** Says what a sentence could mean that the bot did not read. Whatever it says becomes a draft, or a question, and no more. */
  readonly proposes?: (core: Core, unread: Unread) => Promise<(Proposal & { by: string }) | undefined>
  /** Looks, when a start begins, for what the log was outside, where this folder may have forgotten it. */
  readonly recall?: (core: Core, memory: LogMemory) => Promise<void>
  /** What those outside say of the log who know something of it. */
  readonly compareLog?: (
    core: Pick<Core, 'store' | 'policy' | 'messengers'>,
    keys: readonly string[],
  ) => Promise<readonly Compared[]>
  /** Its files of an audit pack. */
  readonly inPack?: (store: Store, until: number) => Promise<readonly PackPart[]>
  /** Channels that it posts in, beside those of approvals, and the key of bellhop.yml that names each. */
  readonly posts?: (policy: Policy) => readonly { platform: string; channel: string; key: string }[]
  /** Its buttons, each of which asks for one of its commands. It adds their names to `FeatureVerbs`. */
  readonly verbs?: Readonly<Record<string, FeatureVerb>>
  /** What somebody reads besides who may not run a command. */
  readonly onRefused?: (core: Core, actor: Actor, command: string, refused: Refusal) => Refusal
  /** What those of its buttons do that ask for no command. */
  readonly press?: OwnPress
  /** Kinds of thing that it knows by itself. */
  readonly things?: Readonly<Record<string, OwnThings>>
  /** Work that goes on beside the tasks, in each process that takes them. */
  readonly longWork?: (core: Core) => LongWork
  /** Stays, in a terminal, with the work that a reply has begun; nothing where it has begun none. */
  readonly attend?: (terminal: Terminal, reply: Reply) => Promise<Attended> | undefined
  /** What a restore does with each of its tables. */
  readonly returns?: Readonly<Record<string, Returned>>
}

/** A sentence that was not read: the commands that its writer may run, and what was recognised in it, as it was written. */
export type Unread = {
  readonly said: string
  readonly commands: readonly Command[]
  readonly recognised: readonly { kinds: readonly string[]; name: string }[]
}

/** One line as somebody would type it, or one question. */
export type Proposal = { line: string } | { question: string }

export type PolicyTool = {
  /** How it is said, and what it does, for the help. */
  readonly line: string
  readonly does: string
  /** Gives what is printed. */
  readonly run: (
    args: readonly string[],
    desk: {
      registry: Registry
      /** Reads a file as a start would. */
      source(): Pick<PolicySource, 'load' | 'from'>
      withStore<T>(use: (store: Store) => Promise<T>): Promise<T>
      /** Ends it with these sentences. */
      refuse(...problems: string[]): never
    },
  ) => Promise<View | string>
}

/** A file of an audit pack, with what its README says of it. */
export type PackPart = { name: string; about: string; json: unknown }

export type OwnPress = {
  act(core: Core, actor: Actor, press: { verb: Verb; id: string }): Promise<Result<Reply>>
  /** Brings what was pressed up to date. */
  show?(core: Core, actor: Actor, button: string, pressed: Pick<Inbound, 'pressedOn' | 'from'>): Promise<void>
}

export type OwnThings = {
  /** The commands that show them to whoever may run them. */
  readonly shownBy: readonly string[]
  readonly all: (core: Core, actor: Actor) => Promise<Candidate[]>
  /** The buttons of one of them as it is now. */
  readonly verbs: (core: Core, id: string) => Promise<readonly Verb[]>
}

export type LongWork = {
  /** Looks, soon, whether there is anything to do. */
  wake(): void
  /** Does one piece of work until nothing of it is left. */
  run(id: string): Promise<void>
  /** Does everything that there is, and returns when it is done. */
  drain(): Promise<void>
  /** Begins nothing more, and waits for what is under way. */
  stop(): Promise<void>
}

export type Terminal = {
  readonly store: Store
  run(id: string): Promise<void>
  press(verb: Verb, id: string): Promise<unknown>
  /** Where decisions are made. */
  readonly place: string
}

/** What is said at the end, and how the process ends. */
export type Attended = { words: readonly string[]; exitCode: 'done' | 'waiting' | 'failed' }

/** What comes of a table when a backup is restored, which may be older than what it holds. */
export type Returned =
  /** It stays, because of what it is. */
  | { readonly stays: string }
  /** Those rows end. How many they were is told in a sentence, unless nobody would miss them. */
  | { readonly sql: string; readonly said: (n: number) => string | undefined }
  /** `backup/settle.ts` does it, row by row. */
  | { readonly settled: string }

/** A step of a change that was just stored; the first has nothing before it. */
export type ChangeStep = {
  readonly before: Change | undefined
  readonly after: Change
  readonly policy: Partial<Policy>
}

/** The change that acts, as it was when it was claimed. */
export type Acting = Pick<Change, 'id' | 'requester' | 'votes' | 'recipient'>

export type StatusLine = readonly [label: string, state: Words]

export type FeatureEnvironment = {
  readonly variables: readonly string[]
  /** Those of them that hold a secret: each may be given by a file, too, with `_FILE` behind its name. */
  readonly secrets: readonly string[]
  /** The settings of the feature; undefined when it is off. Each mistake is a sentence in `problems`. */
  readonly read: (env: Environment, problems: string[]) => unknown
}

/** What a start would rely on. */
export type Checked = {
  readonly policy: Policy
  /** What features read of the environment, by their names. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The configuration of each messenger that is on. */
  readonly messengers: Readonly<Record<string, unknown>>
  /** Nothing where there is no database yet, or where it cannot be read. */
  readonly fromStore: (look: (store: Store) => Promise<CheckResult[]>) => Promise<CheckResult[]>
}

/** Does a task. A number is the time when it is to be done again. */
type RunTask<Doc> = (core: Core, doc: Doc, task: Task) => Promise<unknown>

export type TaskKinds = Readonly<Record<string, (core: Core, task: Task) => Promise<number | undefined>>>

/** A kind of task: the shape of what is stored with it, and what is done. */
export const taskOf =
  <Doc>(doc: z.ZodType<Doc>, run: RunTask<Doc>): TaskKinds[string] =>
  async (core, task) => {
    const again = await run(core, doc.parse(task.doc), task)
    return typeof again === 'number' ? again : undefined
  }

export const defineFeature = <Records = undefined, Acts = undefined>(
  feature: Feature<Records, Acts>,
): Feature<Records, Acts> => feature

let installed: readonly Feature[] = []

/** From here on the process has these features. Two that claim one kind of task, or need what is missing, are a fault. */
export const useFeatures = (features: readonly Feature[]): void => {
  const kinds = features.flatMap(({ tasks = {} }) => Object.keys(tasks))
  const twice = kinds.find((kind, at) => kinds.indexOf(kind) !== at)
  if (twice !== undefined) throw new Error(`two features have tasks called ${twice}`)
  for (const { name, needs = [], tables = [] } of features) {
    tables
      .filter(({ id }) => typeof id === 'string' || id > newestVersion)
      .forEach(({ id }, at) => {
        if (id !== `${name}/${at + 1}`)
          throw new Error(`the tables ${id} of the feature ${name} are called ${name}/${at + 1}`)
      })
    const missing = needs.find((one) => !features.includes(one))
    if (missing !== undefined) throw new Error(`the feature ${name} needs the feature ${missing.name}`)
  }
  usePolicySections(features.flatMap(({ policy }) => policy ?? []))
  useNotes(features.flatMap(({ notes }) => notes ?? []))
  useOldFields(
    Object.fromEntries(
      features.flatMap(({ name, notes }) => (notes?.was === undefined ? [] : [[name, notes.was]])),
    ),
  )
  useTables(features.flatMap(({ tables }) => tables ?? []))
  useOutsideGroups(features.flatMap(({ outsideGroups }) => outsideGroups?.kinds ?? []))
  useDoubts(features.flatMap(({ doubts }) => doubts ?? []))
  useVerbs(features.map(({ verbs = {} }) => verbs))
  useMetrics({
    counters: features.flatMap(({ metrics }) => metrics ?? []),
    gauges: features.flatMap(({ gauges }) => gauges ?? []),
  })
  installed = features
}

export const allFeatures = (): readonly Feature[] => installed

/** What the feature does that this verb is of. */
export const ownPress = (verb: Verb): OwnPress | undefined =>
  installed.find(({ verbs = {} }) => Object.hasOwn(verbs, verb))?.press

export const ownThings = (kind: string): OwnThings | undefined =>
  installed.flatMap(({ things }) => things?.[kind] ?? [])[0]

/** A refusal to run a command, with what features say besides. */
export const refusedByFeatures = (core: Core, actor: Actor, command: string, refused: Refusal): Refusal =>
  installed.reduce((said, { onRefused }) => onRefused?.(core, actor, command, said) ?? said, refused)

/** What the features say, in the order of their list. */
export const toldByFeatures = async <T>(
  ask: (feature: Feature) => Promise<readonly T[]> | undefined,
): Promise<T[]> => (await Promise.all(installed.map(ask))).flatMap((told) => told ?? [])

/** What a change is called, and of which service it is. */
type NamedChange = { readonly names: readonly string[]; readonly area: string }

/** Why a change is not sent; what the bot does with its own memory always is. */
export const withheldByFeatures = (policy: Policy, change: NamedChange): Withheld | undefined =>
  change.area === 'bellhop'
    ? undefined
    : installed.flatMap(({ withholds }) => withholds?.(policy, change) ?? [])[0]

/** A request with the votes that were given in advance. */
export const votedInAdvance = async (core: Core, change: Change): Promise<Change> => {
  let voted = change
  for (const { vote } of installed) voted = (await vote?.(core, voted)) ?? voted
  return voted
}

export const buttonsOfFeatures = (change: Change): Action[] =>
  installed.flatMap(({ onCard }) => onCard?.(change) ?? [])

/** All that follows from a step, one feature after the other. */
export const followStep = async (tx: Store, step: ChangeStep): Promise<void> => {
  for (const { onStep } of installed) await onStep?.(tx, step)
}
