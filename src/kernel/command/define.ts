import type { z } from 'zod'
import type { Result } from '../../lib/result.ts'
import type { CallInput } from '../../lib/services/endpoints/open-record.ts'
import type { RowId } from '../../lib/services/endpoints/tables.ts'
import type { ServiceError } from '../../lib/services/errors.ts'
import type { ThingReference } from '../../lib/view/thing.ts'
import type { Verb, View } from '../../lib/view/view.ts'
import type { Words } from '../../lib/view/words.ts'
import type { Area, Change, OutcomeCheck, Pinned } from '../model/change.ts'
import type { Demanded, Policy } from '../policy/policy.ts'
import type { Trouble } from '../store/bulk.ts'
import type { ApplyContext, PinContext, ReadContext, WorkContext } from './context.ts'
import type { CommandWords } from './language.ts'
import type { InputSchema, Param, Suggested } from './params.ts'

/** What every command defines. */
type About<S extends InputSchema> = {
  /** "noun verb", or one word. */
  name: string
  summary: string
  /** A verb and what it is done to, as the title of its form; made of its name if not given. */
  title?: string
  input: S
  /** The parameters that need no flag, in order. */
  positional?: readonly (keyof z.infer<S> & string)[]
  /** At least one of these must be given; if none is, the first is asked for. */
  oneOf?: readonly (keyof z.infer<S> & string)[]
  /** What people say for it in words of their own. Without any, here or among the words of its pack, no sentence reaches it. */
  sayings?: CommandWords
  /** Lines that tests run; help shows the first. */
  examples: readonly [string, ...string[]]
  /** A file that help hands over with it. */
  appendix?: () => { name: string; type: string; content: string }
  /** About whoever asks, in person: no agent runs it for them. */
  personal?: true
  /** Anybody may run it about themselves; what it says of others it decides itself. */
  aboutOwn?: true
  /** What could be written for a parameter that takes no thing, given the things that stand beside it. */
  suggestions?: Partial<Record<keyof z.infer<S> & string, SuggestValues>>
  /** The endpoints it calls. */
  uses: readonly RowId[]
}

export type SuggestValues = (
  beside: readonly ThingReference[],
  context: ReadContext,
) => Promise<readonly Suggested[]>

/**
 * What a query shows. `pages` turns on the paging buttons; `file` is sent with the view. With a `secret` in it the
 * answer is not stored, so it cannot be shared.
 */
export type QueryAnswer = {
  view: View
  pages?: { previous: boolean; next: boolean }
  file?: OutFile
  secret?: boolean
  /** What a script in the terminal is told; 0 if not given. */
  exitCode?: number
}
/** `path` is set when the content is too large for memory: it names the file, and `content` is empty. */
export type OutFile = { name: string; type: string; content: string; path?: string }

export type QuerySpec<S extends InputSchema> = About<S> & {
  area: Area
  /** Other names for it: whoever may run none of them may not run it through a switch either. */
  sameAs?: readonly string[]
  /** Reads as much as there is of something: of one person, one of these runs at a time. */
  isLong?: true
  run(input: z.infer<S>, context: ReadContext): Promise<Result<QueryAnswer>>
}

/** A request to a service, before it is written down. */
export type ServiceCall = { row: RowId; input: CallInput }

/** `understood` is false when the service accepted the change with an answer that could not be read. */
export type Applied = {
  message: Words
  view?: View
  understood: boolean
  warnings?: readonly string[]
  /** How much it was by the answer of the service, in which currency. */
  moved?: { value: number; currency: string } | undefined
}

/** A change but for the writing itself. */
export type Described<S extends InputSchema, P extends z.ZodType> = About<S> & {
  area: Area
  plan: P
  /** Whether it moves money, or decides where money goes; what its rows say if not given. */
  movesMoney?: boolean | ((input: z.infer<S>) => boolean)
  /** Where what is asked for belongs to another area than the command: it then needs what changes there need. */
  areaOf?(input: z.infer<S>): Area
  /** Other commands that mean the same thing: a policy for one is a policy for all of them. */
  sameAs?: readonly string[]
  /** Two requests with the same intent count as the same request; the whole input if not given. */
  intent?(input: z.infer<S>, pinned?: Pinned): unknown
  /** The money it moves; `null` if the amount is not known yet. */
  amountOf?(plan: z.infer<P>): { value: number | null; currency: string | null }
  /** Reads only: the type of its context offers nothing else. */
  prepare(input: z.infer<S>, context: ReadContext, pinned?: Pinned): Promise<Result<z.infer<P>>>
  /** What it would do. Its title is a sentence with the amount and with `who`, the name of whom it is for, where that is known. */
  preview(plan: z.infer<P>, who?: string): View
  /** The address of the customer whom it is for; it is found out by what name people know them. */
  recipientOf?(plan: z.infer<P>): string | undefined
  /** What they are told when it is done, in words to them; whoever tells them reads it first. */
  tellWords?(plan: z.infer<P>): string
  /** The reason that was given for it, for rules that demand one; leave it out where it takes none. */
  reasonOf?(plan: z.infer<P>): string | undefined
  /** Why nobody has looked at what it is about, and what to do, for rules that demand it; undefined where somebody has. */
  evidenceOf?(plan: z.infer<P>): string | { why: string; next: string } | undefined
  /** The parameter by which somebody could look, what asks for it, and the question in full where it was left out. */
  lookedUpBy?: { param: string; title: string; question(plan: z.infer<P>): string | undefined }
  /**
   * Reads the service when the answer was lost, and says whether it shows that it happened. Only where a documented read
   * can tell.
   */
  checkOutcome?(
    plan: z.infer<P>,
    context: ReadContext,
    change: Pick<Change, 'createdAt'>,
  ): Promise<OutcomeCheck>
  /** Commands that can show whether it happened, for when the answer was lost. */
  lookUps?(plan: z.infer<P>): string[]
  /** What it needs by its nature, whatever the rules say: nothing, or at least the approval of somebody else. */
  needs?(plan: z.infer<P>, requester: string): 'nothing' | 'approval' | undefined
  /** What a part of the file that is no rule asks for it, all of which holds beside the rules. */
  demands?(plan: z.infer<P>, policy: Policy): Demanded | undefined
  /** Somebody else approves it unless a rule says otherwise, as what moves money. */
  guarded?: true
  /** A step in the workflows of a messenger that has them, where an agent of the file stands for these. */
  workflow?: true
  /** Part of the brake: nothing else that somebody does makes it wait. */
  urgent?: true
  /** Asking for it twice is no mistake: the rule about duplicates leaves it alone. */
  repeatable?: boolean
  bulk?: BulkSpec<S, P>
}

export type ChangeSpec<S extends InputSchema, P extends z.ZodType> = Described<S, P> & {
  /**
   * All that it sends to services: it is shown as it leaves, every vote is bound to it, and nothing else leaves. What a
   * service wants to be new with every request is of `newId`.
   */
  requests?(plan: z.infer<P>, newId: () => string): readonly ServiceCall[]
  /** Makes the change, from the stored plan and nothing else. */
  apply(plan: z.infer<P>, context: ApplyContext): Promise<Applied>
}

/** How a change processes a set of any size, chunk by chunk. */
export type BulkSpec<S extends InputSchema, P extends z.ZodType> = {
  /**
   * Collects the exact set once, when the change is requested; undefined if the change is small enough to
   * apply directly.
   */
  pin(
    input: z.infer<S>,
    context: PinContext,
  ): Promise<Result<{ pinned: Pinned; input: z.infer<S> } | undefined>>
  /** What is sent for these members, in order. */
  requests(plan: z.infer<P>, items: readonly unknown[]): readonly ServiceCall[]
  /** Processes one chunk, at most once. An error that it throws counts for all of its items. */
  work(plan: z.infer<P>, items: readonly unknown[], context: WorkContext): Promise<Worked>
  /** A read that shows whether the service is available again. */
  probe(plan: z.infer<P>, context: ReadContext): Promise<unknown>
}

/** `rest` was not tried because of `why`, and may be tried again. */
export type Worked = { done: number; troubles: Trouble[]; rest?: readonly unknown[]; why?: ServiceError }

/** A command that does what a button does. */
export type DecisionSpec<S extends InputSchema> = About<S> & {
  /** An agent does it too, about its own requests. */
  forAgents?: true
  act(input: z.infer<S>): { verb: Verb; id: string; reason?: string | undefined }
}

/** A command that becomes a query or a change depending on its input. */
export type SwitchSpec<S extends InputSchema> = About<S> & {
  /** False where nothing that it can become moves money. */
  movesMoney?: false
  choose(input: z.infer<S>): Result<QueryCommand | ChangeCommand>
}

/** `suggest` leaves it to the requester, and `insist` is said after it was told what it costs. */
export type Amends = { id: string; isWhole: boolean; as?: 'suggest' | 'insist' | undefined }

type Built = {
  params: readonly Param[]
  /** The change that it is about to change; `isWhole` where what is not given is left out, and not kept. */
  amends?: Amends
}
export type QueryCommand = { kind: 'query' } & QuerySpec<InputSchema>
export type ChangeCommand = { kind: 'change' } & ChangeSpec<InputSchema, z.ZodType>
export type DecisionCommand = { kind: 'decision' } & DecisionSpec<InputSchema>
export type SwitchCommand = { kind: 'switch' } & SwitchSpec<InputSchema>
export type Definition = QueryCommand | ChangeCommand | DecisionCommand | SwitchCommand
export type Command = Definition & Built

export const defineQuery = <const S extends InputSchema>(spec: QuerySpec<S>): QueryCommand =>
  ({ kind: 'query', ...spec }) as unknown as QueryCommand

export const defineChange = <const S extends InputSchema, P extends z.ZodType>(
  spec: ChangeSpec<S, P>,
): ChangeCommand => ({ kind: 'change', ...spec }) as unknown as ChangeCommand

export const defineDecision = <const S extends InputSchema>(spec: DecisionSpec<S>): DecisionCommand =>
  ({ kind: 'decision', ...spec }) as unknown as DecisionCommand

export const defineSwitch = <const S extends InputSchema>(spec: SwitchSpec<S>): SwitchCommand =>
  ({ kind: 'switch', ...spec }) as unknown as SwitchCommand
