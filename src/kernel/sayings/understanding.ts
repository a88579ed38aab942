import type { Refusal } from '../../lib/view/refusals.ts'
import type { ThingKind } from '../../lib/view/thing.ts'
import type { Command } from '../command/define.ts'
import type { Raw } from '../command/line/coerce.ts'
import type { Param } from '../command/params.ts'
import type { Known } from './items.ts'

/** What somebody may have meant: a command and its values. `unread` are the words that play no part in it. */
export type Reading = {
  command: Command
  values: Record<string, Raw>
  missing: readonly Param[]
  unread: readonly string[]
  /** Those of them that could say whom, how much, when or what: a look-up stops for them, and only mentions the others. */
  telling?: readonly string[]
  /** Those of them that point at one of several: which one is asked with all of them to choose from. */
  pointing?: readonly string[]
  /** Why some of them are no value. */
  wrong?: readonly Refusal[]
  /** Those of them that say what to do. A look-up is no other one for it; a name, a sum or a time makes it another. */
  verbs?: readonly string[]
  score: number
  /** Parameters that hold somebody of whose things the newest is meant. */
  newest?: readonly string[]
  /** Parameters that hold words which could be a name. */
  named?: readonly string[]
}

/** What was said, read without a model: readings from the likeliest on, or what it is instead of a command. */
export type Understanding = {
  readings: readonly Reading[]
  /** The first reading is the only likely one. */
  isClear: boolean
  social?: 'greeting' | 'thanks'
  /** It has words of its own beside names of commands and things. */
  isSentence: boolean
  /** Each reading is wanted, and not one of them. */
  isEach?: true
  /** Some words speak of the last answer. */
  refersBack: boolean
  /** It names one thing, for which the last look-up is wanted, too. */
  isSame: boolean
  /** What is asked of the last answer. */
  move?: 'again' | 'next' | 'previous'
  /** What was recognised, whatever could be made of the rest. */
  things: readonly { kinds: readonly ThingKind[]; value: string; said: string }[]
  /** It asks for something, and neither asks about it nor denies it. */
  isOrder: boolean
  /** Words that nothing is known about, where they stand together. */
  unknown: readonly string[]
  /** Commands that have to do with some of the words, the nearest first. */
  near: readonly Command[]
}

export type Surroundings = Known & {
  /** Nobody is offered what they may not run. */
  mayRun(command: Command): boolean
  /** Read as this command, whatever else it could be. */
  within?: Command
  /** A line within a sentence has none within itself. */
  isNested?: boolean
}

export type IntentReader = {
  read(saying: string, surroundings: Surroundings): Understanding
  /** Told by its looks alone: it has parts, and each of them could be a wish. */
  mayBeSeveral(saying: string): boolean
}
