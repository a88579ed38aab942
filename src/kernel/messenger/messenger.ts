import type { View } from '../../lib/view/view.ts'
import type { OutFile } from '../command/define.ts'
import type { ChangeState, Platform } from '../model/change.ts'

/** Where a view is to appear. `handle` is the adapter's own short-lived way to answer a request there. */
export type Place = {
  channel: string | null
  handle: string | null
  /** Only this account should see it (a confirm card). */
  onlyFor: string | null
}

/** How a request ended: the state of its change, or that it was refused and there is none. */
export type RequestEnd = { id: string | null; state: ChangeState | 'refused'; message: string }

/** What the core asks of a chat platform. An address is the adapter's own text; the core only keeps it. */
export type Messenger = {
  platform: Platform
  /** Everybody reads one conversation, also what is asked for in a direct one. */
  isShared?: boolean
  /** A file goes with the view, in one message or right after it. */
  post(place: Place, view: View, file?: OutFile): Promise<string>
  edit(address: string, view: View): Promise<void>
  /** Whether two addresses lead to one message, where the same text is not the only way to say so. */
  isSame?(one: string, other: string): boolean
  /** When the platform says that this message was posted; only the bot itself posts what has buttons of the bot's. */
  postedAt?(address: string): number | undefined
  /** Whether one message shows all of a view; what it does not is shown in parts. Without it a message shows everything. */
  isWhole?(view: View): boolean
  /** Takes back a message of the bot's that is no longer of use. */
  remove?(address: string): Promise<void>
  /** Works on a payload that was taken in by a process that died: as if it had just been acknowledged. */
  redeliver?(payload: unknown): Promise<void>
  direct(account: string, view: View, file?: OutFile): Promise<string>
  /** Says how a request ended to the program that waits for it; `handle` is that of the request. Said once, it is said. */
  complete?(handle: string, end: RequestEnd): Promise<void>
  /** The words of what the bot itself has posted in a channel, the newest first, as far back as the platform tells. */
  posted?(channel: string): AsyncIterable<string>
  /** Whether an account may read a channel now; it throws if the platform does not say. */
  mayRead?(account: string, channel: string): Promise<boolean>
  /** The time zone that an account is in, if the platform knows it. */
  zone?(account: string): Promise<string | undefined>
  /** Whether nobody can use an account any more: deactivated, or no longer a member; it throws if the platform does not say. */
  isGone?(account: string): Promise<boolean>
  /** The groups that an account is in, asked now; it throws if the platform does not say. */
  membership?(account: string): Promise<readonly string[]>
}

/**
 * `gone`: this place does not take the message (archived, closed, not a member) until somebody mends it; tell elsewhere.
 * `later`: the platform is down or limits us; try again after `retryAfterMs`.
 * `broken`: the platform does not take a message like this one; trying again changes nothing, and the log needs a look.
 */
export class MessengerError extends Error {
  override name = 'MessengerError'
  readonly kind: 'gone' | 'later' | 'broken'
  readonly retryAfterMs: number | undefined
  /** The platform's own word or number for it: a label of metrics, with nothing of a message in it. */
  readonly reason: string
  /** What the platform said, and what would make it take the message, for people to read. */
  readonly words: string
  constructor(
    kind: MessengerError['kind'],
    message: string,
    {
      retryAfterMs,
      cause,
      reason = kind,
      remedy,
    }: {
      retryAfterMs?: number
      cause?: unknown
      reason?: string | undefined
      remedy?: string | undefined
    } = {},
  ) {
    super(message, { cause })
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.reason = reason
    this.words = remedy === undefined ? message : `${message}: ${remedy}`
  }
}

/** Whether this place will not take this message, however long we wait. */
export const isRefusedForGood = (error: unknown): error is MessengerError =>
  error instanceof MessengerError && error.kind !== 'later'
