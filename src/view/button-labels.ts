import { formatNumber } from './format-number.ts'
import type { Verb } from './view.ts'

/** The labels of buttons, the same on every platform. */
export const buttonLabelOf: Record<Verb, string> = {
  confirm: 'Confirm',
  cancel: 'Cancel',
  approve: 'Approve',
  reject: 'Reject',
  ask: 'Ask',
  answer: 'Answer',
  change: 'Change it',
  retime: 'Change the time',
  again: 'Ask again',
  review: 'Decide marked',
  approve_all: 'Approve all',
  reject_all: 'Reject all',
  mine: 'My requests',
  ask_access: 'Ask for it',
  share: 'Share',
  next: 'Next',
  previous: 'Previous',
  happened: 'It happened',
  did_not: 'It did not',
  mark_reviewed: 'Mark reviewed',
  look_up: 'Look up',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  show_all: 'Details',
  details: 'Details',
  why: 'Why this rule',
  remind: 'Remind',
  run_it: 'Run it',
  edit: 'Edit',
  choose: 'Choose',
  receipt: 'Receipt',
  tell: 'Tell them',
  file: 'All columns',
  act: 'Act',
}

/** Words that are asked for, as people are asked for them; a line has them after the flag. */
export type AskedWords = { label: string; hint: string; flag: string }

const whyNot: AskedWords = {
  label: 'Reason',
  hint: 'Why: the requester and everybody who sees the card read it.',
  flag: 'reason',
}

const asked: Partial<Record<Verb, AskedWords>> = {
  reject: whyNot,
  reject_all: whyNot,
  happened: { label: 'Reason', hint: 'How do you know? It goes into the record.', flag: 'reason' },
  did_not: { label: 'Reason', hint: 'How do you know? It goes into the record.', flag: 'reason' },
  mark_reviewed: {
    label: 'What you found',
    hint: 'It goes into the record, and stands on the card.',
    flag: 'reason',
  },
  ask: { label: 'Question', hint: 'The requester is told, and it stands on the card.', flag: 'question' },
  answer: { label: 'Answer', hint: 'Whoever asked is told, and it stands on the card.', flag: 'answer' },
}

/** Verbs that require words: a reason, a question, an answer. */
export const asksReason: ReadonlySet<Verb> = new Set(Object.keys(asked) as Verb[])

export const askedWordsOf = (verb: Verb): AskedWords =>
  asked[verb] ?? { label: 'Reason', hint: 'Say why in a few words.', flag: 'reason' }

/** Verbs that decide what becomes of a change. */
const decisions = [
  'approve',
  'confirm',
  'reject',
  'ask',
  'answer',
  'cancel',
  'happened',
  'did_not',
  'mark_reviewed',
  'remind',
] as const
export type Decision = (typeof decisions)[number]
export const isDecision = (verb: Verb): verb is Decision => decisions.some((one) => one === verb)

/** Verbs that decide on all changes of a list that was read, each by itself. */
const batchVerbs = ['approve_all', 'reject_all'] as const
export type BatchVerb = (typeof batchVerbs)[number]
export const isBatch = (verb: Verb): verb is BatchVerb => batchVerbs.some((one) => one === verb)

/** Verbs that change something: their press is acknowledged once that is stored. */
export const actingVerbs: ReadonlySet<Verb> = new Set([
  ...decisions,
  ...batchVerbs,
  'pause',
  'resume',
  'stop',
])

/** Verbs that ask for something as a command does: a form may be the answer, or a change with a card of its own. */
export const requestVerbs: ReadonlySet<Verb> = new Set([
  'act',
  'tell',
  'run_it',
  'edit',
  'choose',
  'change',
  'retime',
  'again',
])

/** Verbs whose answer replaces the message that they were pressed on. */
export const verbsInPlace: ReadonlySet<Verb> = new Set(['next', 'previous', 'pause', 'resume', 'stop'])

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`
