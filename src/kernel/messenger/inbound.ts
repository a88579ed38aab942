import type { Result } from '../../lib/result.ts'
import type { Refusal } from '../../lib/view/refusals.ts'
import type { Verb, View } from '../../lib/view/view.ts'
import { joinWords } from '../../lib/view/words.ts'
import type { OutFile } from '../command/define.ts'
import type { Raw, RawFile } from '../command/line/coerce.ts'
import type { Change, Platform } from '../model/change.ts'
import type { Assertion } from '../model/passkey.ts'
import type { Form } from './form.ts'
import type { Stored } from './intake.ts'

/** What an adapter makes of a payload, before anybody has looked at what it means. */
export type Inbound = {
  /** Unique per delivery on its platform; a repeated one is handled once. */
  delivery: string
  from: Sender
  place: {
    channel: string | null
    /** The adapter's own short-lived way to answer here. */
    handle: string | null
    /** A conversation with the bot alone. */
    direct: boolean
    /** A program waits there for the end, and reads nothing: it is told by `complete`. */
    waits?: true
  }
  /** Acknowledged only when it is stored or answered: it may come again after a crash, and is worked on until it is answered. */
  taken?: boolean | undefined
  /** It is being stored: a look-up asks its service meanwhile, and everything else waits until it is. */
  storing?: Promise<Stored> | undefined
  /** The id that a change will have, where the sender names its requests: asked again, it is the same request. */
  changeId?: string | undefined
  /** Whether this platform can open a form for what is missing, here and now. */
  forms: boolean
  /** Whether the sender can be asked something first and answer it by a press. */
  canBeAsked?: boolean | undefined
  /** Asked for as it is, though nobody could look at what it is about. */
  isUnseen?: boolean | undefined
  intent: Intent
  /** By the name of its parameter, or under `file` for a line: fetched once the sender may run the command. */
  attached?: Readonly<Record<string, FetchFile>> | undefined
  /** The address of the message whose button was pressed, where the platform tells it. */
  pressedOn?: string | undefined
  /** Called as soon as a decision is stored, long before what follows from it is done. */
  stored?: (() => void) | undefined
}

/** Who sent it, as the platform says. */
export type Sender = {
  platform: Platform
  account: string
  /** The workspace of the account, where the bot is not installed there: whoever comes from there is a stranger. */
  workspace?: string | undefined
  name: string
  groups: readonly string[]
  /** Whoever has this account of the machine says who it is: they may look up and ask, and decide nothing. */
  operator?: string | undefined
  /** The assistant through which they ask, where it is no agent of the file: it is treated as an agent of theirs. */
  through?: string | undefined
  /** Which agent speaks, as the door knows that let it in: it is one still when the file lists it no more. */
  agent?: string | undefined
}

export type Intent =
  | { kind: 'line'; line: string; file?: RawFile }
  | { kind: 'options' | 'form'; command: string; values: Record<string, Raw> }
  | {
      kind: 'press'
      verb: Verb
      id: string
      reason?: string | undefined
      /** What they signed with a passkey. */
      assertion?: Assertion | undefined
    }
  /** What somebody wrote below a message of the bot, which is at this address. */
  | { kind: 'reply'; to: string; text: string }

/** Hands over an attached file, or says why it cannot be had. */
export type FetchFile = () => Promise<Result<RawFile>>

/** What the core answers. A card is posted and kept up to date by the worker; the reply only names it. */
export type Reply =
  /**
   * `isChoice`: nothing was run, because a typed word could mean several things. `isDetails`: more of what the actor
   * looks at, to be opened over it where the platform can.
   */
  | {
      kind: 'answer'
      command: string
      view: View
      file?: OutFile
      isChoice?: boolean
      isDetails?: boolean
      exitCode?: number
    }
  | { kind: 'share'; view: View; command: string }
  /** `isDecided`: somebody decided about it, and reads what became of it; otherwise it was just asked for. */
  | { kind: 'change'; change: Change; view: View; isDecided?: boolean }
  | { kind: 'form'; form: Form }
  | { kind: 'reason'; verb: Verb; id: string; title: string }
  | { kind: 'refused'; refusal: Refusal; view: View }
  | { kind: 'repeated' }

/** An answer as everybody in the channel sees it: with who shared it, and without the buttons, which were the actor's own. */
export const sharedView = (view: View, name: string): View => {
  const by = `Shared by ${name}`
  return {
    ...view,
    actions: [],
    footer: joinWords([...(view.footer === undefined ? [] : [view.footer]), by], ' · '),
  }
}
