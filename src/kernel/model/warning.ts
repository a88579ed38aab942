import type { Words } from '../../lib/view/words.ts'
import { type Change, type ChangeState, openStates } from './change.ts'

type StoredWarning = Change['warnings'][number]

/** What warns of something while the change is in one of these states: it says nothing before and nothing after. */
export type Warning = Exclude<StoredWarning, Words>

export const warning = (words: Words, holds: readonly ChangeState[]): Warning => ({
  words,
  holds: [...holds],
})

/** Until it is known what became of it. */
export const untilKnown = openStates satisfies readonly ChangeState[]
/** While it can still be left undone. */
export const untilSent = ['pending', 'approved'] as const satisfies ChangeState[]

/** Those of the state that it is in. */
export const warningsIn = ({ warnings, state }: Pick<Change, 'warnings' | 'state'>): Warning[] =>
  warnings.map(statedOf).filter(({ holds }) => holds.includes(state))

/** All that there ever were, for the record. */
export const allWarnings = ({ warnings }: Pick<Change, 'warnings'>): Words[] =>
  warnings.map((one) => statedOf(one).words)

const statedOf = (one: StoredWarning): Warning =>
  typeof one === 'object' && 'words' in one ? one : warning(one, untilKnown)
