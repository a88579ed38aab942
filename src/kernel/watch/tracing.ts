import type { Observation } from '../../lib/services/client/caller.ts'

/** Names and ids of ours alone: whatever is put here leaves the bot. */
export type SpanFacts = Partial<
  Record<'platform' | 'command' | 'result' | 'change' | 'state' | 'task' | 'verb', string>
>

/** What becomes of a request, for whoever watches: one trace from its delivery to the outcome of the change. */
export type Tracing = {
  /** A delivery begins a trace of its own. */
  request<T>(name: string, work: (note: NoteFacts) => Promise<T>): Promise<T>
  /** A step of a change belongs to the trace that the change was asked in, whichever process takes it. */
  ofChange<T>(change: Traced, name: string, work: (note: NoteFacts) => Promise<T>): Promise<T>
  /** What is done on its own time belongs to nothing that is under way. */
  apart<T>(work: () => T): T
  /** A call of a service that is over, as a part of what is under way. */
  called(observation: Observation): void
  /** Where we are, for a change to keep. */
  here(): string | undefined
  /** Hands over what is left, if anybody takes it within the time. */
  close(withinMs: number): Promise<void>
}

export type NoteFacts = (facts: SpanFacts) => void

/** `trace` is written as W3C Trace Context has it. */
type Traced = { id: string; command: string; trace?: string | undefined }

const noNote: NoteFacts = () => undefined

export const noTracing: Tracing = {
  request: (_, work) => work(noNote),
  ofChange: (_, __, work) => work(noNote),
  apart: (work) => work(),
  called: () => undefined,
  here: () => undefined,
  close: async () => undefined,
}
