import type { Ticks } from '../../lib/clock.ts'
import type { AckQueue } from '../../lib/limits/ack-queue.ts'
import type { Result } from '../../lib/result.ts'
import type { ThingReference } from '../../lib/view/thing.ts'
import type { Menu, View } from '../../lib/view/view.ts'
import type { ReadContext } from '../command/context.ts'
import type { Raw } from '../command/line/coerce.ts'
import type { Param, Suggested } from '../command/params.ts'
import type { Registry } from '../command/registry.ts'
import type { Change } from '../model/change.ts'
import type { Assertion, MadeKey } from '../model/passkey.ts'
import type { AgentAccess } from './agent-access.ts'
import type { Asks, Form } from './form.ts'
import type { Inbound, Reply, Sender } from './inbound.ts'
import type { Intake } from './intake.ts'
import type { MessengerError } from './messenger.ts'

/** Another text of the policy file, and how far back it is tried. */
export type Draft = { text: string; sinceMs: number }

/** All that an adapter is given of the bot. */
export type Bot = {
  /** The commands, as data. */
  registry: Registry
  now(): number
  ticks: Ticks
  handle(inbound: Inbound): Promise<Reply>
  intake: Intake
  /** What an adapter has acknowledged is worked on in its turn. */
  ackQueue: AckQueue
  /**
   * What a half-typed value could become for this person, beside the things that were chosen already; never more than
   * they may read, and nothing is thrown.
   */
  suggest(
    from: Sender,
    param: Pick<Param, 'kinds' | 'by'>,
    typed: string,
    within?: readonly ThingReference[],
  ): Promise<Suggested[]>
  /** The line that a saying would be for this person, if it has one clear meaning. */
  reading(from: Sender, said: string): Promise<string | undefined>
  /**
   * What this person may do with the things of a stored answer of theirs; undefined if nothing, or if it is gone. Of a choice
   * that is open, also what is found for what they typed.
   */
  menuOf(from: Sender, answer: string, typed?: string): Promise<Menu | undefined>
  /** Who somebody is, what they may do, and the records that they may read: what a Home tab or a panel shows. */
  readsOf(from: Sender): ReadContext
  /** What a draft of the policy file would have meant for what was asked, for whoever may read both. */
  compareDraft(from: Sender, draft: Draft): Promise<Result<View>>
  /** For the messenger through which agents ask. */
  agents: AgentAccess
  /** The people of the policy as it is now. */
  people: readonly { id: string; name: string; roles: readonly string[] }[]
  /** The groups that somebody is in now, as their messengers say; those that cannot be asked give none. */
  groupsNow(from: Pick<Sender, 'platform' | 'account'>): Promise<readonly string[]>
  /** The groups of a platform that give roles, in one of its workspaces; in the first, if none is named. */
  groupsOf(platform: string, workspace?: string): readonly string[]
  /** The further workspaces of a platform that the policy lists now. */
  workspacesOf(platform: string): readonly string[]
  /** Counts a delivery that was not taken in. */
  countRefused(platform: string, reason: string): void
  /**
   * The answer to somebody could not be shown where they asked: they hear of it elsewhere if they can, and it is on record.
   * Nothing is thrown.
   */
  undelivered(from: Sender, error: MessengerError): Promise<void>
  /** What people are told of something that broke. Only `fields` go to the log: an error of an SDK may carry its request. */
  failureView(error: unknown, fields: object): View
  drafts: FormDrafts
  /** The form of a command with these values and what is known of them; undefined for a command that is gone. */
  formOf(from: Sender, draft: FormDraft): Promise<Form | undefined>
  signIns: SignIns
  passkeys: Passkeys
  cards: CardCopies
  /** What the bot was given where it was installed in further workspaces, sealed by its adapter. */
  installations: {
    all(platform: string): Promise<{ id: string; sealed: string }[]>
    put(platform: string, installation: { id: string; sealed: string }): Promise<void>
    remove(platform: string, id: string): Promise<boolean>
    /** For the audit log. */
    record(what: 'installed' | 'uninstalled', platform: string, id: string): Promise<void>
    /** True exactly once for what somebody brings back who was sent away to allow it. */
    isFirstUse(id: string): Promise<boolean>
  }
  /** Something that only one process may hold at a time, such as a connection. */
  leases: { acquire(name: string, ms: number): Promise<boolean>; release(name: string): Promise<void> }
}

/** What somebody has typed so far, kept so that nothing is lost and a button need carry only an id. */
export type FormDraft = {
  command: string
  values: Record<string, Raw>
  isUnseen?: boolean | undefined
  /** The digest of the card that was shown with it: what is asked is confirmed at once if it is the same. */
  shown?: string | undefined
  /** What was left out, and the question for it. */
  asks?: Asks | undefined
}

export type FormDrafts = {
  /** Without files, which are attached again. */
  save(from: Sender, draft: FormDraft): Promise<string>
  /** Undefined when it is gone or somebody else's. */
  find(from: Sender, id: string): Promise<FormDraft | undefined>
}

/** For a messenger that people enter by a link which another one has given them. */
export type SignIns = {
  /** The page that takes links. */
  openAt(page: string): void
  /** The secret of a new session in exchange for that of a link; undefined when it was used or is too old. */
  redeem(link: string): Promise<{ secret: string; seconds: number } | undefined>
  /**
   * A session of the one listed person with this address, which somebody outside has verified; undefined where there is none, or
   * more than one.
   */
  vouched(
    address: string,
    about: { id: string; via: string; ms: number },
  ): Promise<{ secret: string; seconds: number } | undefined>
  /** Ends the sessions with such ids, and says how many. */
  endThose(isEnded: (id: string) => boolean): Promise<number>
  /** The id of the person whose session this is, while it lasts. */
  personOf(secret: string): Promise<string | undefined>
}

/** For a messenger with pages on which people make and use passkeys. What browsers are given is JSON. */
export type Passkeys = {
  /** Under this address, which is https or this machine: browsers allow them nowhere else. */
  openAt(origin: () => string): void
  /** What a browser needs to make a key for whoever was given the link. */
  begin(link: string): Promise<Result<{ person: string; options: object }>>
  /** Takes in a key that was made. It is worth nothing until somebody else has approved it. */
  keep(link: string, name: string, made: MadeKey): Promise<Result<{ person: string; key: string }>>
  /** What a browser needs to sign a change as it stands, for this person. */
  toSign(person: string, change: Change): Promise<Result<object>>
  /** Whether anybody has a key to sign in with. */
  isOffered(): Promise<boolean>
  toSignIn(): Promise<Result<object>>
  /** A session for whoever has the key. */
  signIn(assertion: Assertion): Promise<Result<{ secret: string; seconds: number }>>
}

/** For a messenger whose messages do not outlive the process: which cards it has shown. */
export type CardCopies = {
  open(platform: string): Promise<CardCopy[]>
  of(platform: string, change: Change): Promise<CardCopy[]>
  add(platform: string, change: Change, address: string): Promise<void>
  /** A card that was drawn as an answer: from now on it is kept up to date as the others are. */
  keep(platform: string, view: View, address: string): Promise<void>
  /** Whether a card stands at this address. */
  isAt(platform: string, address: string): Promise<boolean>
  /** The card as it is shown there now. */
  view(change: Change, place: string): Promise<View>
}

export type CardCopy = { change: Change; address: string; place: string }
