import type { PastSpan } from '../../lib/codecs/time-words.ts'
import type { Result } from '../../lib/result.ts'
import type { FencedServices, Services } from '../../lib/services/client/client.ts'
import type { Guesses } from '../../lib/services/endpoints/guesses.ts'
import type { Some } from '../../lib/some.ts'
import type { LinkEnd, LinkKind, LinkPair } from '../../lib/things/link.ts'
import type { Refusal } from '../../lib/view/refusals.ts'
import type { Action, View } from '../../lib/view/view.ts'
import type { Words } from '../../lib/view/words.ts'
import type { Verdict } from '../log/verify.ts'
import type { AuditEntry } from '../model/audit-entry.ts'
import type { Change, ChangeState, Party, Pinned, Platform } from '../model/change.ts'
import type { MessengerReport } from '../model/connection.ts'
import type { Freeze } from '../model/freeze.ts'
import type { KnownPerson } from '../model/known-person.ts'
import type { Granted } from '../policy/policy.ts'
import type { Absence, Absences } from '../store/absences.ts'
import type { Passkey } from '../store/passkeys.ts'
import type { PolicyVersion } from '../store/policies.ts'
import type { Session } from '../store/sessions.ts'
import type { Param } from './params.ts'

/** Who is asking, as the policy knows them. */
export type Actor = {
  person: string
  name: string
  known: boolean
  roles: readonly string[]
  /** The messenger's groups that they are in, as far as it said so. */
  groups?: readonly string[]
  platform: Platform
  account: string
  workspace?: string | undefined
  /** Which of the bot's own workspaces they speak in, where it is not the first. */
  space?: string | undefined
  /** The agent that asks in this person's name. */
  agent?: string | undefined
  /** The account of the machine where somebody said to be this person. */
  operator?: string | undefined
}

/** A feature, as commands name it: it is asked for by itself, so that no type in the middle lists all features. */
export type WithRecords<Records> = {
  readonly name: string
  readonly records?: (core: never, actor: never) => Records
}
export type WithActs<Acts> = {
  readonly name: string
  readonly acts?: (core: never, change: never) => Acts
}

/** What a query, and a change while it prepares, may use: endpoints that read, and the bot's own records. */
export type ReadContext = Services['readers'] & {
  /** Calls any endpoint that reads, by the id of its row; a row that writes is refused. */
  read: Services['call']
  now: number
  /** How long the actor waits for a view of several services. */
  patienceMs: number
  /** The zone of the team, in which days and months begin. */
  zone: string
  /** The form of each field that no document shows. */
  guesses: Guesses
  actor: Actor
  /**
   * A time as the actor writes it, in their zone. It is counted from when they asked, also when a change is prepared
   * again later.
   */
  time(written: string): Promise<Result<{ at: number; zone: string; doubt?: string }>>
  /** A time that has begun as the actor writes it, in their zone; undefined for anything else. */
  past(written: string): Promise<PastSpan | undefined>
  records: BotRecords
  /** A button that goes on with a command of which this is known: it runs, or asks for the rest. It is the actor's alone. */
  button(label: string, command: string, values?: Readonly<Record<string, string>>): Promise<Action>
  /** What a feature has on record, as far as the actor may see it. */
  of<Records>(feature: WithRecords<Records>): Records
  links: {
    /** Everything that links know to belong to whom this id belongs to. */
    personOf(start: LinkEnd): Promise<KnownPerson>
    /** The same by links that may steer money alone: whatever leads to a kind of thing that money goes by asks here. */
    payerOf(start: LinkEnd): Promise<KnownPerson>
    /** The kinds of thing that some link knows by this id. */
    kindsOf(id: string): Promise<LinkKind[]>
    /** The ids of this kind that answers of the services have named, the newest first. */
    known(kind: LinkKind, limit: number): Promise<string[]>
  }
}

/** What a change may use while it is applied. */
export type ApplyContext = FencedServices & {
  now: number
  requester: Party
  /** The name of whom it is for, as people read it when they decided. */
  recipient: string | undefined
  policy: {
    /** Puts the file into force; false if it is no longer the one with this digest. */
    takeIn(digest: string): Promise<boolean>
  }
  freezes: { set(freeze: Freeze): Promise<void>; clear(area: Freeze['area']): Promise<void> }
  absences: Pick<Absences, 'set' | 'end'>
  /** False where there is no such key; a key is enrolled only with the approval of somebody else. */
  passkeys: { enrol(id: string): Promise<boolean>; remove(id: string): Promise<boolean> }
  /** What a feature does for a change. */
  of<Acts>(feature: WithActs<Acts>): Acts
  newId(): string
  links: {
    /** By hand, in the requester's name and with the approval that the change has: on, or cut. */
    say(pair: LinkPair, isOff: boolean): Promise<void>
    forget(ends: readonly LinkEnd[]): Promise<number>
    /** Whether somebody else has approved the change. */
    isApproved: boolean
  }
}

/** What collecting a set may use: it reads, and stores what it found. */
export type PinContext = ReadContext & {
  /** How many items make a chunk. */
  chunk: number
  /** Stores the members in order. */
  pin(members: readonly unknown[]): Promise<Pick<Pinned, 'set' | 'digest' | 'total'>>
}

/** What one chunk of a bulk job may use. Call `throttle` before every request. */
export type WorkContext = ApplyContext & { throttle(): Promise<void> }

/** The policy as commands see it. */
export type PolicyRecords = {
  /** What would happen to a line if the actor said it now, or somebody else, and why. */
  explain(line: string, as?: string): Promise<Result<View>>
  /** The version that judges this request. */
  inForce(): Promise<{ digest: string; text: string | undefined; version: PolicyVersion | undefined }>
  /** The newest first, each with what it changed. */
  versions(page: { limit: number; page: number }): Promise<{ version: PolicyVersion; changes: string[] }[]>
  /** The file as it is now, if it can be taken in and is not what is in force. */
  candidate(): Promise<
    Result<{ digest: string; source: string; changes: string[]; sealedBy: string[]; warnings: string[] }>
  >
}

/** A command as shown in help. */
export type Listed = {
  name: string
  summary: string
  params: readonly Param[]
  examples: readonly string[]
  appendix?: () => { name: string; type: string; content: string }
}

/** The bot's own records and state, for reading. */
export type BotRecords = {
  commands: { all: readonly Listed[] }
  mayRun(name: string): boolean
  /** The agents of bellhop.yml, each with the name of its owner. */
  agents(): { name: string; owner: string }[]
  /** Whether a vote of the actor would count, their own or for somebody who is away. */
  mayDecide(change: Change): Promise<boolean>
  /** Which changes wait for the actor: to confirm them, to decide about them, or to say what came of them. */
  turns(): Promise<(change: Change) => boolean>
  /** The names of the people whose turn a change is: to decide about it, or to say what came of it. */
  deciders(): Promise<(change: Change) => string[]>
  /** Changes, as far as the actor may see them: those of others are as if they were not there. */
  change(id: string): Promise<Change | undefined>
  changesById(ids: readonly string[]): Promise<Change[]>
  /** The budgets of the policy. */
  budgets(): readonly BudgetRecord[]
  changes(filter: {
    states?: readonly ChangeState[]
    requester?: string
    limit: number
    page: number
  }): Promise<Some<Change>>
  audit: {
    /** Everybody's for those who may read the audit log, and the actor's own for others. */
    find(filter: {
      /** A person's id, name or account. */
      who?: string
      command?: string
      since?: number
      /** Without that moment. */
      until?: number
      /** Without the entries of look-ups. */
      changesOnly?: boolean
      /** Those with a lower number. */
      before?: number
      /** Of one entry. */
      id?: string
      limit: number
      page: number
    }): Promise<AuditEntry[]>
    /** All of it, or what follows the last verification or the last checkpoint before a time. */
    verify(since?: 'last' | number): Promise<Verdict>
    /** Why the actor is not given the log as a whole: it is of all workspaces. */
    refusePartial(): Refusal | undefined
  }
  freezes(): Promise<Freeze[]>
  policy: PolicyRecords
  /** Who is away now. */
  absences(): Promise<Absence[]>
  /** What the actor has for a while. */
  granted(): readonly Granted[]
  /** A person of the file by their id, name or account. */
  person(written: string): { id: string; name: string } | undefined
  /**
   * The actor's roles with which this person may vote for them; and `theirs`, which that person has already: with those
   * everybody votes once, for themselves.
   */
  delegatedTo(person: string): { roles: string[]; theirs: string[] }
  status(): Promise<Status>
  /** A link that signs the actor in to the console, once. */
  signInLink(): Promise<Result<string>>
  passkeys: {
    /** A link by which the actor makes a passkey, once. */
    link(): Promise<Result<string>>
    get(id: string): Promise<Passkey | undefined>
    /** Those that are enrolled: everybody's for those who may read the audit log or approve keys, and the actor's own for others. */
    list(): Promise<PasskeyRecord[]>
  }
  /** Sessions in the console: the actor's own, or, for administrators, somebody else's. */
  sessions(of?: string): Result<SessionRecords>
}

/** `number` is short, and nobody else's key has it. */
export type PasskeyRecord = {
  id: string
  number: string
  person: string
  owner: string
  name: string
  enrolledAt: number
  approvedBy: string
}

export type SessionRecords = {
  person: string
  list(): Promise<Session[]>
  /** Ends one, or all with their unused links; returns how many. */
  end(id: string | 'all'): Promise<number>
}

export type BudgetRecord = {
  name: string
  commands: readonly string[]
  per: 'requester' | 'everyone'
  windowMs: number
  limit: number
  rates?: { readonly day: string; readonly to: string; readonly of: Readonly<Record<string, number>> }
}

export type Status = {
  version: string
  startedAt: number
  database: 'sqlite' | 'postgres'
  services: { name: string; sandbox: boolean; breaker: string; pausedForMs: number }[]
  platforms: MessengerReport[]
  waiting: number
  queue: number
  /** The key that signs the audit log, and its newest checkpoint. */
  log: { key: string; entries: number; checkpointAt: number | undefined }
  /** What features say of themselves. */
  ofFeatures: readonly (readonly [label: string, state: Words])[]
}
