import type { Verb } from '../../lib/view/button-labels.ts'
import type { Block } from '../../lib/view/view.ts'
import type { Change, Party } from '../model/change.ts'
import type { Shown } from '../model/shown.ts'
import type { NoteEvent } from './law.ts'

/** What somebody says about a change by a button. */
export type Said = { by: Party; mayVote: boolean; shown: Shown; text: string; at: number }

/** What a feature notes of changes, under `change.notes.<feature>`. */
export type Notes = {
  /** The field of a change that had it before there were notes: it is read there, and for one version written there too. */
  readonly was?: string
  /** What its buttons mean that talk about a change. */
  readonly talk: Readonly<Record<string, (said: Said) => NoteEvent>>
  /** Those that stand on its card, where it waits for people. */
  readonly actions: (change: Change) => readonly Verb[]
  /** What stands on its card: so many of the newest, or all. */
  readonly blocks: (change: Change, most?: number) => readonly Block[]
  /** What a line of a list says of it. */
  readonly needs: (change: Change) => readonly string[]
  /** What its requester presses by writing below its card. */
  readonly reply: (change: Change) => Verb | undefined
}

let kinds: readonly Notes[] = []

export const useNotes = (all: readonly Notes[]): void => {
  kinds = all
}

export const talkOf = (verb: Verb): Notes['talk'][string] | undefined =>
  kinds.flatMap(({ talk }) => (Object.hasOwn(talk, verb) ? talk[verb] : undefined) ?? [])[0]
export const noteActions = (change: Change): Verb[] => kinds.flatMap(({ actions }) => actions(change))
export const noteBlocks = (change: Change, most?: number): Block[] =>
  kinds.flatMap(({ blocks }) => blocks(change, most))
export const noteNeeds = (change: Change): string[] => kinds.flatMap(({ needs }) => needs(change))
export const replyVerb = (change: Change): Verb | undefined =>
  kinds.flatMap(({ reply }) => reply(change) ?? [])[0]
