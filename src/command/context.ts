import type { CountedChange } from '../audit/figures.ts'
import type { Proof } from '../audit/receipt.ts'
import type { Verdict } from '../audit/verify.ts'
import type { ZipFile } from '../audit/zip.ts'
import type { AuditEntry } from '../model/audit-entry.ts'
import type { Change, ChangeState, FreezeArea, Party, Pinned, Platform } from '../model/change.ts'
import type { LogSigner } from '../model/checkpoint.ts'
import type { MessengerReport } from '../model/connection.ts'
import type { KnownPerson } from '../model/known-person.ts'
import type { LinkEnd, LinkKind, LinkPair } from '../model/link.ts'
import type { Result } from '../model/result.ts'
import type { FencedServices, Services } from '../services/client/client.ts'
import type { Guesses } from '../services/endpoints/guesses.ts'
import type { Absence, Absences } from '../storage/absences.ts'
import type { Passkey } from '../storage/passkeys.ts'
import type { PolicyVersion } from '../storage/policies.ts'
import type { Schedule } from '../storage/schedules.ts'
import type { Session } from '../storage/sessions.ts'
import type { Refusal } from '../view/refusals.ts'
import type { View } from '../view/view.ts'
import type { Param } from './params.ts'

/** Who is asking, as the policy knows them. */
export type Asker = {
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

/** What a query, and a change while it prepares, may use: endpoints that read, and the bot's own records. */
export type ReadContext = Services['readers'] & {
  /** Calls any endpoint that reads, by the id of its row; a row that writes is refused. */
  read: Services['call']
  now: number
  /** How long the asker waits for a view of several services. */
  patienceMs: number
  /** The zone of the team, in which days and months begin. */
  zone: string
  /** The form of each field that no document shows. */
  guesses: Guesses
  asker: Asker
  /**
   * A time as the asker writes it, in their zone. It is counted from when they asked, also when a change is prepared
   * again later.
   */
  time(written: string): Promise<Result<{ at: number; zone: string; doubt?: string }>>
  /** A time that is over as the asker writes it, in their zone; undefined for anything else. */
  past(written: string): Promise<number | undefined>
  records: BotRecords
  links: {
    /** Everything that links know to belong to whom this id belongs to. */
    personOf(start: LinkEnd): Promise<KnownPerson>
    /** The same by links that may steer money alone: whatever leads to a kind of thing that money goes by asks here. */
    payerOf(start: LinkEnd): Promise<KnownPerson>
    /** The kinds of thing that some link knows by this id. */
    kindsOf(id: string): Promise<LinkKind[]>
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
  webhooks: {
    /** Tries dead letters again, of one change or of all. */
    resend(changeId?: string): Promise<void>
  }
  newId(): string
  /** The next time of a schedule. */
  nextTime(every: string, zone: string): number
  schedules: {
    add(schedule: Omit<Schedule, 'runningAt'>): Promise<void>
    remove(id: string): Promise<boolean>
  }
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

export type Freeze = { area: FreezeArea; by: string; name: string; reason: string; at: number }

/** The policy as commands see it. */
export type PolicyRecords = {
  /** What would happen to a line if the asker said it now, or somebody else, and why. */
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
  /** Whether a vote of the asker would count, their own or for somebody who is away. */
  mayDecide(change: Change): Promise<boolean>
  /** Which changes wait for the asker: to confirm them, to decide about them, or to say what came of them. */
  turns(): Promise<(change: Change) => boolean>
  /** The names of the people whose turn a change is: to decide about it, or to say what came of it. */
  deciders(): Promise<(change: Change) => string[]>
  /** Changes, as far as the asker may see them: those of others are as if they were not there. */
  change(id: string): Promise<Change | undefined>
  changesById(ids: readonly string[]): Promise<Change[]>
  /** The budgets of the policy. */
  budgets(): readonly BudgetRecord[]
  changes(filter: {
    states?: readonly ChangeState[]
    requester?: string
    limit: number
    page: number
  }): Promise<Change[]>
  audit: {
    /** Everybody's for those who may read the audit log, and the asker's own for others. */
    find(filter: {
      /** A person's id, name or account. */
      who?: string
      command?: string
      since?: number
      /** Without the entries of look-ups. */
      changesOnly?: boolean
      limit: number
      page: number
    }): Promise<AuditEntry[]>
    /** What the log says since then of every change; of those that the asker may not see, nothing that names anybody. */
    changes(since: number): Promise<CountedChange[]>
    /** All of it, or what follows the last verification or the last checkpoint before a time. */
    verify(since?: 'last' | number): Promise<Verdict>
    /** What the log says about a change that the asker may see, proved, and who can seal a page about it. */
    prove(changeId: string): Promise<{ proof: Proof; signer: Pick<LogSigner, 'seal'> } | undefined>
    /** The files of a pack about a period, with what verification found. */
    pack(period: { since: number; until: number }, verdict: Verdict): AsyncIterable<ZipFile>
    export(filter: { who?: string; command?: string; since?: number }): AsyncIterable<string>
    /** Why the asker is not given the log as a whole: it is of all workspaces. */
    whyNotWhole(): Refusal | undefined
  }
  freezes(): Promise<Freeze[]>
  policy: PolicyRecords
  schedules: {
    /** The asker's own, and everybody's for those who may read the audit log. */
    list(): Promise<Schedule[]>
    /** What a schedule would be: refused where it could not run, or where its answer could not be read. */
    check(wanted: {
      line: string
      every: string
      channel: string | undefined
    }): Promise<Result<{ every: string; zone: string; nextAt: number; channel: string | null }>>
  }
  webhooks: {
    /** Those of the policy, and others that are still owed something, each with how much. */
    list(): Promise<WebhookRecord[]>
    /** Dead letters about changes that the asker may see, the oldest first. */
    dead(): Promise<DeadLetter[]>
  }
  /** Who is away now. */
  absences(): Promise<Absence[]>
  /** A person of the file by their id, name or account. */
  person(written: string): { id: string; name: string } | undefined
  /** The asker's roles with which another person may vote for them. */
  delegatedRoles(): string[]
  /** Bulk jobs: the state of one job, and all jobs that have not ended. */
  job(id: string): Promise<View | undefined>
  jobs(): Promise<{ id: string; state: string; title: string; total: number; updatedAt: number }[]>
  status(): Promise<Status>
  /** A link that signs the asker in to the console, once. */
  signInLink(): Promise<Result<string>>
  passkeys: {
    /** A link by which the asker makes a passkey, once. */
    link(): Promise<Result<string>>
    get(id: string): Promise<Passkey | undefined>
    /** Those that are enrolled: everybody's for those who may read the audit log or approve keys, and the asker's own for others. */
    list(): Promise<PasskeyRecord[]>
  }
  /** Sessions in the console: the asker's own, or, for administrators, somebody else's. */
  sessions(of?: string): Result<SessionRecords>
}

/** `url` is undefined for a hook that the policy no longer lists. */
export type WebhookRecord = {
  id: string
  url: string | undefined
  events: readonly string[]
  owed: number
  dead: number
  since: number | undefined
}

export type DeadLetter = { hook: string; changeId: string; type: string; at: number; error: string | null }

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
  /** How far behind the receiver of the audit log's stream is, where there is one. */
  stream?:
    | { to: string; behind: number; lagMs: number; away: { since: number; why: string } | undefined }
    | undefined
  /** Who keeps checkpoints outside; `away` while it does not have what it should. */
  witnesses: {
    name: string
    latest: { size: number; at: number } | undefined
    away: { since: number; why: string } | undefined
  }[]
}
