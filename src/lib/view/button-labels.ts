import { formatNumber } from './format-number.ts'

/** Words that are asked for, as people are asked for them; a line has them after the flag. */
type AskedWords = { label: string; hint: string; flag: string }

/**
 * What a press does: it votes, decides, talks about a change or says what became of it; it decides on all of a list that
 * was read; it does what its feature says; it leads back to the form of a request, or asks for something as a command does, where a form may be the
 * answer or a change with a card of its own; it turns the page; or it is answered there.
 */
type Does =
  | ('vote' | 'decision' | 'talk' | 'finding')
  | ('batch' | 'own')
  | ('reopening' | 'request')
  | ('page' | 'answer')

type VerbRow = {
  /** The same on every platform. */
  label: string
  does: Does
  /** It stands on the card of a change, which shows afterwards what is true. */
  isOnCard?: true
  /** It requires words: a reason, a question, an answer. */
  asks?: AskedWords
  /** Whose it is: the requester's, or somebody else's who says something about the request. */
  isFor?: 'requester' | 'others'
  /** What it says to the requester, who reads alone. */
  own?: string
  /** Its place before the others, for the requester who waits. */
  ownPlace?: number
  /** It is left for the requester when all is over. */
  isAtEnd?: true
  /** Always safe, so it needs nobody who is known. */
  isSafe?: true
  /** The command that it asks for, with the id of the button as the value of this parameter. */
  runs?: { command: string; param: string }
  /** Said to a question that came with what was typed. */
  goesOn?: true
  look?: 'primary' | 'danger'
}

const whyNot: AskedWords = {
  label: 'Reason',
  hint: 'Why: the requester and everybody who sees the card read it.',
  flag: 'reason',
}
const howKnown: AskedWords = {
  label: 'Reason',
  hint: 'How do you know? It goes into the record.',
  flag: 'reason',
}
const whatFound: AskedWords = {
  label: 'What you found',
  hint: 'It goes into the record, and stands on the card.',
  flag: 'reason',
}

/** Every button, once: what it says and what it does. All that tells verbs apart reads this. */
const rows = {
  confirm: { label: 'Confirm', does: 'vote', isOnCard: true, look: 'primary' },
  cancel: {
    ...{ label: 'Cancel', own: 'Withdraw', ownPlace: 4 },
    ...{ does: 'decision', isOnCard: true, isFor: 'requester' },
  },
  approve: { label: 'Approve', does: 'vote', isOnCard: true, isFor: 'others', look: 'primary' },
  reject: {
    ...{ label: 'Reject', does: 'decision', isOnCard: true, isFor: 'others', asks: whyNot },
    look: 'danger',
  },
  change: { label: 'Change it', ownPlace: 3, does: 'reopening', isOnCard: true },
  retime: { label: 'Change the time', does: 'reopening', isOnCard: true },
  suggest: { label: 'Suggest', does: 'reopening', isOnCard: true, isFor: 'others' },
  take: {
    ...{ label: 'Take the suggestion', ownPlace: 1 },
    ...{ does: 'reopening', isOnCard: true, isFor: 'requester' },
  },
  again: { label: 'Ask again', does: 'reopening', isOnCard: true, isAtEnd: true },
  review: { label: 'Decide marked', does: 'answer' },
  approve_all: { label: 'Approve all', does: 'batch', look: 'primary' },
  reject_all: { label: 'Reject all', does: 'batch', asks: whyNot, look: 'danger' },
  mine: { label: 'My requests', does: 'answer' },
  share: { label: 'Share', does: 'answer' },
  next: { label: 'Next', does: 'page' },
  previous: { label: 'Previous', does: 'page' },
  happened: { label: 'It happened', does: 'finding', isOnCard: true, isFor: 'others', asks: howKnown },
  did_not: { label: 'It did not', does: 'finding', isOnCard: true, isFor: 'others', asks: howKnown },
  mark_reviewed: {
    ...{ label: 'Mark reviewed', does: 'decision', isOnCard: true, isFor: 'others' },
    asks: whatFound,
  },
  look_up: { label: 'Look up', does: 'answer', isOnCard: true },
  show_all: { label: 'Details', does: 'answer', isOnCard: true, isAtEnd: true },
  details: { label: 'Details', does: 'answer' },
  why: { label: 'Why this rule', does: 'answer', isOnCard: true },
  remind: { label: 'Remind', ownPlace: 2, does: 'talk', isOnCard: true, isSafe: true },
  run_it: { label: 'Run it', does: 'request', goesOn: true },
  edit: { label: 'Edit', does: 'request' },
  choose: { label: 'Choose', does: 'request', goesOn: true },
  receipt: { label: 'Receipt', does: 'answer', isOnCard: true, isAtEnd: true },
  tell: { label: 'Tell them', does: 'request', isOnCard: true, isAtEnd: true },
  unfreeze: {
    ...{ label: 'Unfreeze', does: 'request', goesOn: true },
    runs: { command: 'unfreeze', param: 'area' },
  },
  file: { label: 'All columns', does: 'answer' },
  act: { label: 'Act', does: 'request' },
} as const satisfies Record<string, VerbRow>

/** Verbs of features: each adds the names of its own here, and brings their rows. */
// biome-ignore lint/suspicious/noEmptyInterface: it is for others to fill
export interface FeatureVerbs {}
export type FeatureVerb = VerbRow &
  ({ does: 'request'; runs: NonNullable<VerbRow['runs']> } | { does: 'own' | 'answer' | 'talk' })

export type Verb = keyof typeof rows | keyof FeatureVerbs
export const verbs = { ...rows } as Record<Verb, VerbRow>
export const verbNames = (): Verb[] => Object.keys(verbs) as Verb[]
export const isVerb = (word: string): word is Verb => Object.hasOwn(verbs, word)

/** From here on there are these verbs too. */
export const useVerbs = (all: readonly Readonly<Record<string, FeatureVerb>>[]): void => {
  const names = all.flatMap((one) => Object.keys(one))
  const twice = names.find((name, at) => Object.hasOwn(rows, name) || names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two buttons are called ${twice}`)
  Object.assign(verbs, ...all)
}

export const askedWordsOf = (verb: Verb): AskedWords =>
  verbs[verb].asks ?? { label: 'Reason', hint: 'Say why in a few words.', flag: 'reason' }

type VerbThat<D extends Does> = {
  [V in keyof typeof rows]: (typeof rows)[V]['does'] extends D ? V : never
}[keyof typeof rows]
const does =
  <D extends Does>(...wanted: readonly D[]) =>
  (verb: Verb): verb is VerbThat<D> =>
    wanted.some((one) => one === verbs[verb].does)

const deciding = ['vote', 'decision', 'talk', 'finding'] as const
export type Decision = VerbThat<(typeof deciding)[number]>
export type BatchVerb = VerbThat<'batch'>
export type Reopening = VerbThat<'reopening'>

/** What decides what becomes of a change. */
export const isDecision = does(...deciding)
export const isBatch = does('batch')
export const isReopening = does('reopening')
/** What changes something: its press is acknowledged once that is stored. */
export const isActing = does(...deciding, 'batch', 'own')
/** What asks for something as a command does. */
export const isRequesting = does('reopening', 'request')
/** Its answer replaces the message that it was pressed on. */
export const isInPlace = does('own', 'page')

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`
