import type { z } from 'zod'
import type { Area, Pinned } from '../model/change.ts'
import type { Result } from '../model/result.ts'
import type { RowId } from '../services/endpoints/tables.ts'
import type { ServiceError } from '../services/errors.ts'
import type { Trouble } from '../storage/bulk.ts'
import type { Verb, View } from '../view/view.ts'
import type { ApplyContext, PinContext, ReadContext, WorkContext } from './context.ts'
import type { InputSchema, Param } from './params.ts'

/** What every command says about itself. */
type About<S extends InputSchema> = {
  /** "noun verb", or one word. */
  name: string
  summary: string
  input: S
  /** The parameters that need no flag, in their order. */
  positional?: readonly (keyof z.infer<S> & string)[]
  /** Of these at least one must be there; the first is the one that is asked for. */
  oneOf?: readonly (keyof z.infer<S> & string)[]
  /** Lines that really run; the first is shown in help. */
  examples: readonly [string, ...string[]]
  /** The endpoints it calls. */
  uses: readonly RowId[]
}

/** What a query shows. `pages` turns on the paging buttons; `file` is handed over beside the view. */
export type QueryAnswer = {
  view: View
  pages?: { previous: boolean; next: boolean }
  file?: OutFile
}
/** `path` is there when it is too large to hold in memory: the file is that one, and `content` is empty. */
export type OutFile = { name: string; type: string; content: string; path?: string }

export type QuerySpec<S extends InputSchema> = About<S> & {
  area: Area
  /** Other names for it: whoever may run none of them may not run it through a switch either. */
  sameAs?: readonly string[]
  run(input: z.infer<S>, context: ReadContext): Promise<Result<QueryAnswer>>
}

/** `understood` is false when the service accepted the change with an answer that nobody can read. */
export type Applied = { message: string; view?: View; understood: boolean; warnings?: readonly string[] }

/** A change but for the writing itself. */
export type Described<S extends InputSchema, P extends z.ZodType> = About<S> & {
  area: Area
  plan: P
  /** Other commands that mean the same thing: a policy for one is a policy for all of them. */
  sameAs?: readonly string[]
  /** What makes two requests the same wish; the whole input if not given. */
  intent?(input: z.infer<S>, pinned?: Pinned): unknown
  /** The money it moves; `null` for an amount that nobody knows yet. */
  amountOf?(plan: z.infer<P>): { value: number | null; currency: string | null }
  /** Reads only: the type of its context offers nothing else. */
  prepare(input: z.infer<S>, context: ReadContext, pinned?: Pinned): Promise<Result<z.infer<P>>>
  preview(plan: z.infer<P>): View
  /** Lines that could tell whether it happened, when the answer was lost. */
  lookUps?(plan: z.infer<P>): string[]
  /** Asking for it twice is no mistake: the rule about duplicates leaves it alone. */
  repeatable?: boolean
  bulk?: BulkSpec<S, P>
}

export type ChangeSpec<S extends InputSchema, P extends z.ZodType> = Described<S, P> & {
  /** The one write, from the stored plan and nothing else. */
  apply(plan: z.infer<P>, context: ApplyContext): Promise<Applied>
}

/** What a change does to a set of any size, chunk by chunk. */
export type BulkSpec<S extends InputSchema, P extends z.ZodType> = {
  /** Which exact set is meant, collected once when it is asked for; undefined for a change that applies by itself. */
  pin(
    input: z.infer<S>,
    context: PinContext,
  ): Promise<Result<{ pinned: Pinned; input: z.infer<S> } | undefined>>
  /** One chunk, at most once. What it throws is about all of its items. */
  work(plan: z.infer<P>, items: readonly unknown[], context: WorkContext): Promise<Worked>
  /** A harmless read that shows whether the service is there again. */
  probe(plan: z.infer<P>, context: ReadContext): Promise<unknown>
}

/** `rest` was not tried because of `why`, and may be tried again. */
export type Worked = { done: number; troubles: Trouble[]; rest?: readonly unknown[]; why?: ServiceError }

/** A button in words: the line does just what a click would do. */
export type DecisionSpec<S extends InputSchema> = About<S> & {
  act(input: z.infer<S>): { verb: Verb; id: string; reason?: string | undefined }
}

/** A command whose kind depends on its input. */
export type SwitchSpec<S extends InputSchema> = About<S> & {
  choose(input: z.infer<S>): Result<QueryCommand | ChangeCommand>
}

type Built = { params: readonly Param[] }
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
