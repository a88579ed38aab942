import type { Result } from '../../lib/result.ts'
import type { Actor } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import type { Raw } from '../command/line/coerce.ts'
import type { Parsed } from '../command/line/parse.ts'
import type { Core } from '../core.ts'
import type { Inbound, Reply } from '../messenger/inbound.ts'
import type { BegunQuery } from './look-ups/query.ts'

/** A delivery that was admitted: who asks, and the bot with the one version of the policy that judges all of it. */
export type Admitted = {
  core: Core
  actor: Actor
  inbound: Inbound
  /** Counts the delivery, once. False for a copy of one that was counted before: nothing is done for it. */
  claim(): Promise<boolean>
  /** The look-up whose services are asked already. */
  begun?: { reading: Intended; query: BegunQuery } | undefined
}

export type Values = Record<string, Raw>

/** A command that a delivery can mean, and with what. */
export type Intended = {
  command: Command
  /** As they were written. A file among them is fetched for somebody who may run the command. */
  values(): Result<Values> | Promise<Result<Values>>
  /** Whether names may stand where ids belong. */
  hasNames?: boolean
  /** Somebody typed it: what is refused of it can be mended in its form, and a line can be read as words instead. */
  typed?: { line?: string }
  /** Whoever asks may see what it shows, whatever else they may run. */
  isAllowed?: boolean
  /** What is otherwise than in the delivery. */
  as?: Partial<Inbound>
  /** What is done with the values in the place of running the command. */
  instead?(parsed: Parsed): Promise<Result<Reply> | undefined>
  /** The answer as it is shown. */
  shown?(reply: Extract<Reply, { kind: 'answer' }>): Reply
  /** What follows from what came of it. */
  after?(reply: Result<Reply>): Promise<Result<Reply>>
  /** What is said where it is refused. */
  orElse?: (() => Promise<Result<Reply>>) | undefined
}

/** What a stage gives to the next one: a meaning to carry out, or an end. */
export type IntendedOrEnd = Intended | Result<Reply>

export const isIntended = (step: IntendedOrEnd | CarriedOut): step is Intended => 'command' in step

/** What came of a reading. */
export type CarriedOut = {
  reply: Result<Reply>
  /** It was refused, and may mean something else when it is read as words. */
  words?: LineOfWords
}

export type LineOfWords = {
  line: string
  /** What was wrong with it as a line of a command: that is said where the words mean nothing either. */
  refused: Result<never>
  /** Of which command alone the words are. */
  within?: Command | undefined
  orElse?: (() => Promise<Result<Reply>>) | undefined
}

/** The name of a delivery among those of all platforms. */
export const deliveryKey = ({ delivery, from }: Pick<Inbound, 'delivery' | 'from'>): string =>
  `${from.platform}:${delivery}`
