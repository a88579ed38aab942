import type { Verb } from './view.ts'

/** The labels of buttons, the same on every platform. */
export const buttonLabelOf: Record<Verb, string> = {
  confirm: 'Confirm',
  cancel: 'Cancel',
  approve: 'Approve',
  reject: 'Reject',
  share: 'Share',
  next: 'Next',
  previous: 'Previous',
  happened: 'It happened',
  did_not: 'It did not',
  look_up: 'Look up',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  show_all: 'Details',
  remind: 'Remind',
  run_it: 'Run it',
  edit: 'Edit',
  choose: 'Choose',
  receipt: 'Receipt',
  act: 'Act',
}

/** Verbs that require a reason. */
export const asksReason: ReadonlySet<Verb> = new Set(['reject', 'happened', 'did_not'])

/** Verbs that decide what becomes of a change. */
const decisions = ['approve', 'confirm', 'reject', 'cancel', 'happened', 'did_not', 'remind'] as const
export type Decision = (typeof decisions)[number]
export const isDecision = (verb: Verb): verb is Decision => decisions.some((one) => one === verb)

/** Verbs that change something: their press is acknowledged once that is stored. */
export const actingVerbs: ReadonlySet<Verb> = new Set([...decisions, 'pause', 'resume', 'stop'])

/** Verbs that ask for something as a command does: a form may be the answer, or a change with a card of its own. */
export const requestVerbs: ReadonlySet<Verb> = new Set(['act', 'run_it', 'edit', 'choose'])

/** Verbs whose answer replaces the message that they were pressed on. */
export const verbsInPlace: ReadonlySet<Verb> = new Set(['next', 'previous', 'pause', 'resume', 'stop'])

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count < 1000 ? count : count.toLocaleString('en-US')} ${count === 1 ? one : many}`
