import { defined } from '../defined.ts'
import { note, type View } from './view.ts'

/**
 * Every way in which the bot says no: what it means, for docs/refusals.md, and what to do next.
 * A sentence written where the refusal happens says the particulars.
 */
export const refusals = {
  empty_line: ['Nothing was typed.', 'Type a command, or bellhop help for the list.'],
  unknown_command: ['No command has this name.', 'Look at the list in bellhop help.'],
  unknown_flag: ['The command has no such flag.', 'Compare with the usage line.'],
  surplus_word: ['There is a word more than the command takes.', 'Put quotes around values with spaces.'],
  missing_value: ['A flag came without its value.', 'Write the value after the flag.'],
  given_twice: ['A value was given more than once.', 'Give it once.'],
  open_quote: ['A quote was opened and never closed.', 'Close it at the end of the value.'],
  bad_value: ['A value does not fit its parameter.', 'Change the value as the sentence says.'],
  bad_file: ['The attached file cannot be used.', 'Attach a CSV or text file.'],
  bad_recipients: ['Nobody can be written to, or too many.', 'Do what the sentence says.'],
  missing_arguments: ['Required values are missing.', 'Add what is missing, as in the usage line.'],
  stranger: ['The account is not linked to a person.', 'Ask an administrator to add it to bellhop.yml.'],
  may_not_run: ['No role of the asker may run the command.', 'Ask an administrator for the role.'],
  may_not_approve: ['The asker may not decide about this change.', 'Ask one of the people it waits for.'],
  own_request: ['Nobody approves their own request.', 'Ask somebody else who may approve it.'],
  already_voted: ['This person has voted already.', 'Wait for the others.'],
  not_requester: ['Only the requester can do this.', 'Ask the person who made the request.'],
  not_pending: ['The change no longer waits for this.', 'Look at its state with approval get.'],
  changed_since: ['The request changed after the card was drawn.', 'Read the new card and decide again.'],
  needs_reason: ['A reason is required.', 'Say why in a few words.'],
  no_such_change: ['No change has this id.', 'Look at approval list.'],
  answer_gone: ['The stored answer behind this button is gone.', 'Run the command again.'],
  not_yours: ['The button belongs to somebody else’s answer.', 'Run the command yourself.'],
  frozen: ['Changes in this area are frozen.', 'Wait, or ask for unfreeze.'],
  nothing_to_change: ['The change would change nothing.', 'Give at least one new value.'],
  not_allowed_now: ['What is asked cannot be done in its present state.', 'Do what the sentence says first.'],
  unknown_endpoint: ['The services document no such endpoint.', 'Compare with docs/services.md.'],
  rejected: ['The service refused the request.', 'Correct what it complains about.'],
  not_found: ['The service knows nothing by this name.', 'Check the id or address.'],
  unauthorized: ['The service refused our credentials.', 'Ask an administrator to check the API key.'],
  rate_limited: ['The service limits how often it may be asked.', 'Try again a little later.'],
  unavailable: ['The service could not be reached.', 'Try again a little later.'],
  malformed: [
    'The service answered with something unreadable.',
    'Try again; tell an administrator if it stays.',
  ],
  given_up: [
    'Nothing was sent: the right to send it was lost.',
    'Look at the card of the change; ask again if it failed.',
  ],
  database_down: ['The database cannot be reached.', 'Try again when it is back; nothing was done.'],
  stopping: ['The bot is shutting down.', 'Send it again in a moment.'],
  broken: ['Something in the bot broke.', 'Give the incident number to an administrator.'],
} as const satisfies Record<string, readonly [meaning: string, next: string]>

export type RefusalCode = keyof typeof refusals

/** `message` says what is wrong here; `next` what to do; `field` names the parameter for forms. */
export type Refusal = {
  code: RefusalCode
  message: string
  next: string
  usage?: string
  field?: string
}

export const refusal = (
  code: RefusalCode,
  message: string,
  more: { next?: string; usage?: string; field?: string } = {},
): Refusal => ({
  code,
  message,
  next: more.next ?? refusals[code][1],
  ...defined({ usage: more.usage, field: more.field }),
})

const broken: ReadonlySet<RefusalCode> = new Set([
  'unauthorized',
  'unavailable',
  'malformed',
  'database_down',
  'broken',
])

export const refusalView = (said: Refusal): View => ({
  title: said.message,
  tone: broken.has(said.code) ? 'bad' : 'warn',
  blocks: [
    note('plain', said.next),
    ...(said.usage === undefined ? [] : [{ kind: 'code' as const, text: said.usage }]),
  ],
})
