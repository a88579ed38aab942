import { defined } from '../defined.ts'
import { asTyped, maskTheirs } from './outside.ts'
import { type Action, address, list, note, text, type View } from './view.ts'
import { visibleLine } from './visible.ts'
import { inFields, inLines, type Wording, type Writing, worded } from './wording.ts'
import { plainWords, type Words } from './words.ts'

/**
 * Every refusal of the bot: what it means, for docs/refusals.md, and what to do next. The message where the
 * refusal happens adds the details. A third sentence is the next step of who gives fields instead of typing a line.
 */
export const refusals = {
  empty_line: ['Nothing was typed.', 'Type a command, or bellhop help for the list.'],
  line_too_long: [
    'A line has at most 4,000 characters.',
    'Put long values into the form of the command, or attach a file where it takes one.',
  ],
  too_large: [
    'A value, a list or a request is larger than anybody has a reason to send.',
    'Send less at a time, or attach a file where the command takes one.',
  ],
  too_many_requests: [
    'One person has asked for more than may wait at a time.',
    'Wait until some of it is decided or cancelled. Freezing and deciding are never held back.',
  ],
  too_slow: [
    'Working it out takes longer, or more memory, than one request is given.',
    'Ask for less: a shorter text, fewer days, or a part at a time.',
  ],
  unknown_command: ['No command has this name.', 'Look at the list in bellhop help.'],
  unknown_flag: ['The command has no such flag.', 'Choose from the flags that it takes.'],
  unknown_field: ['The call has a field that the command does not have.', 'Leave it out.'],
  surplus_word: ['There are more words than the command takes.', 'Put quotes around values with spaces.'],
  missing_value: ['A flag came without its value.', 'Write the value after the flag.'],
  given_twice: ['A value was given more than once.', 'Leave one of the two out.'],
  open_quote: ['A quote was opened and never closed.', 'Close it at the end of the value.'],
  bad_value: [
    'A value is not valid for its parameter.',
    'Give another value: bellhop help and the command say what it takes.',
    'Give another value: its description says what it takes.',
  ],
  plain_word: ['A word stands where an id belongs.', 'Give the id as the service writes it.'],
  bad_file: ['The attached file cannot be used.', 'Attach a CSV or text file.'],
  bad_recipients: [
    'There are no recipients, or too many.',
    'Choose others, by address, list, segment or tag.',
  ],
  missing_arguments: [
    'Required values are missing.',
    'Add what is missing, as in the usage line.',
    'Add what is missing.',
  ],
  stranger: ['The account is not linked to a person.', 'Ask an administrator to add it to bellhop.yml.'],
  unlisted: [
    'Who asks and who decides must be two people whom bellhop.yml lists.',
    'Ask an administrator to add the account to its person in bellhop.yml.',
  ],
  not_known_yet: ['The messenger has not said yet whose people these are.', 'Try again in a moment.'],
  may_not_run: ['None of your roles may run the command.', 'Ask an administrator for the role.'],
  may_not_approve: ['The person may not decide about this change.', 'Ask one of the people it waits for.'],
  own_request: ['Nobody approves their own request.', 'Ask somebody else who may approve it.'],
  already_voted: ['This person has already voted.', 'Wait for the others.'],
  not_your_turn: ['The change waits for others first.', 'Wait until it is your turn: you are told then.'],
  no_manager: [
    'The rule asks for the approval of the requester’s manager, and bellhop.yml names none.',
    'Ask an administrator to add one to you in bellhop.yml, with manager.',
  ],
  needs_passkey: [
    'It is decided with a passkey, and a press alone counts for nothing.',
    'Open the change in the console, and sign it there.',
  ],
  no_passkey: [
    'The person has no passkey that is enrolled.',
    'Run bellhop passkey, and have the key approved by somebody else.',
  ],
  not_granted: [
    'No rule under grants of the policy lets this be given for a while.',
    'Ask for less, or ask who keeps bellhop.yml.',
  ],
  no_emergency: [
    'The policy does not let this be done alone, or the last emergency was not reviewed yet.',
    'Ask for it without the emergency, and somebody else decides.',
  ],
  bad_signature: [
    'The signature of a passkey does not fit what it was asked for.',
    'Open the change again, and sign what it shows.',
  ],
  not_requester: ['Only the requester can do this.', 'Ask the person who made the request.'],
  not_pending: ['The change is no longer waiting for this.', 'Look at its state with approval get.'],
  changed_since: ['The request changed after the card was drawn.', 'Read the new card and decide again.'],
  not_shown: [
    'A decision by its id alone is for what the person was shown, and they were shown nothing of it.',
    'Read the card, and press its button or send the same again.',
  ],
  needs_reason: ['A reason is required.', 'Say why in a few words.'],
  needs_evidence: ['Nobody has looked at what it is about.', 'Say whose it is, so that it can be looked up.'],
  too_much: ['It is more than there is.', 'Ask for less.'],
  no_such_change: ['No change has this id.', 'Look at approval list.'],
  answer_gone: ['The stored answer behind this button is gone.', 'Run the command again.'],
  not_yours: ['The button belongs to somebody else’s answer.', 'Run the command yourself.'],
  frozen: ['Changes in this area are frozen.', 'Wait, or ask for unfreeze.'],
  store_lost: [
    'The database lost what was stored last, so nothing is changed.',
    'Wait until somebody has looked at what is missing, and runs unfreeze all.',
  ],
  nothing_to_change: ['The change would change nothing.', 'Give at least one new value.'],
  not_allowed_now: [
    'This cannot be done in the current state.',
    'Look at how it stands now, and try again when that has changed.',
  ],
  bad_policy: ['The policy file has mistakes.', 'Correct them, and ask again; the old one stays in force.'],
  unknown_endpoint: ['No such endpoint is documented.', 'Compare with docs/services.md.'],
  rejected: ['The service refused the request.', 'Correct what it names.'],
  not_found: ['The service has nothing with this name.', 'Check the id or address.'],
  unauthorized: ['The service refused our credentials.', 'Ask an administrator to check the API key.'],
  rate_limited: ['The service limits how often it may be called.', 'Try again a little later.'],
  too_many_calls: ['An agent calls more often than its entry allows.', 'Wait as long as the message says.'],
  no_token: [
    'The call brings no token, or one that is not good here.',
    'Send the token of an agent of bellhop.yml as Authorization: Bearer <token>.',
  ],
  missing_key: [
    'A change was asked for without a key of its own.',
    'Send an Idempotency-Key: the same key with the same request is the same change, however often it is sent.',
  ],
  wrong_way: [
    'A look-up was sent as a request, or a change as a look-up.',
    'Send changes to /api/requests, and look-ups to /api/look-ups.',
  ],
  key_reused: [
    'The request key belongs to another request.',
    'Use a new key, or send the request as it was first sent.',
  ],
  unavailable: ['The service could not be reached.', 'Try again a little later.'],
  malformed: [
    'The answer of the service could not be read.',
    'Try again; tell an administrator if it keeps happening.',
  ],
  held: [
    'The service holds the change until somebody agrees to it there.',
    'Agree or refuse there: its card says what comes of it.',
  ],
  tools_changed: [
    'A service says other things of its tools than when somebody looked at them.',
    'Tell whoever runs the bot: bellhop doctor says what changed, and bellhop packs pin takes it in.',
  ],
  given_up: [
    'Nothing was sent: the right to send it was lost.',
    'Look at the card of the change; ask again if it failed.',
  ],
  database_down: [
    'The database cannot be reached, so nothing was done.',
    'This does not count: try again when the database is back.',
  ],
  disk_full: [
    'The disk is full, so nothing was done.',
    'This does not count: tell an administrator, and try again when there is room.',
  ],
  maybe_stored: [
    'The database was lost while this was being stored, so it may count or not.',
    'Look at the card or at approval list when the database is back, and repeat it if it is not there.',
    'Send it again with the same key: it counts once.',
  ],
  not_stored: ['The database is slow, so nothing is stored yet.', 'Press again in a moment.'],
  stopping: ['The bot is shutting down.', 'Send it again in a moment.'],
  broken: ['The bot has a fault.', 'Give the incident number to an administrator.'],
} as const satisfies Record<string, readonly [meaning: string, next: string, nextInFields?: string]>

export type RefusalCode = keyof typeof refusals

/**
 * `message` says what is wrong, `next` what to do; `field` names the parameter for forms. `fields` has the words for who
 * gives fields, where they differ from those for who types a line.
 */
export type Refusal = {
  code: RefusalCode
  message: string
  next: Words
  usage?: string
  field?: string
  fields?: { message: string; next: Words }
  /** Values that would do, where there are few. */
  would?: readonly string[]
  /** What can be pressed about it. */
  actions?: Action[]
  /** A page of the bot where it can be done instead. */
  url?: string
}

export const refusal = (
  code: RefusalCode,
  message: Wording,
  more: { next?: Wording<Words>; usage?: string; field?: string; lines?: string[] } = {},
): Refusal => {
  const [, next, nextInFields = next] = refusals[code] as readonly [string, string, string?]
  /** Nothing in it begins a line but what is said to. */
  const said = (as: Writing) => [worded(message, as), ...(more.lines ?? [])].map(visibleLine).join('\n')
  const words = { message: said(inLines), next: worded<Words>(more.next ?? next, inLines) }
  const fields = {
    message: said(inFields),
    next: worded<Words>(more.next ?? nextInFields, inFields),
  }
  const isSame = fields.message === words.message && fields.next === words.next
  return {
    code,
    ...words,
    ...defined({ usage: more.usage, field: more.field, fields: isSame ? undefined : fields }),
  }
}

/** The same with another next step. */
export const withNext = (said: Refusal, next: Wording<Words>): Refusal => ({
  ...said,
  next: worded(next, inLines),
  fields: { message: said.fields?.message ?? said.message, next: worded(next, inFields) },
})

/** A refusal for whoever gives fields and no line: without the usage, and in the words of fields. */
export const fieldRefusal = ({ code, message, next, field, fields }: Refusal): Refusal => ({
  code: code === 'unknown_flag' ? 'unknown_field' : code,
  message,
  next,
  ...fields,
  ...defined({ field: field === undefined ? undefined : inFields.name(field) }),
})

/** In one line, for where only text is taken. */
export const refusalLine = ({ message, next, url = '' }: Pick<Refusal, 'message' | 'next' | 'url'>): string =>
  `${message} ${plainWords(next)} ${url}`.trim()

/** What is refused with these is not stored, or nobody knows that it is: it is not acknowledged as if it were. */
export const unstoredCodes: ReadonlySet<RefusalCode> = new Set([
  'database_down',
  'disk_full',
  'maybe_stored',
  'not_stored',
  'broken',
  'stopping',
])

const broken: ReadonlySet<RefusalCode> = new Set([
  'unauthorized',
  'unavailable',
  'malformed',
  'database_down',
  'disk_full',
  'maybe_stored',
  'broken',
])

/** What is not possible, why, and what to do now. */
export const refusalView = (said: Refusal): View => {
  const [title, why, lines] = sentencesOf(said.message)
  return {
    kind: 'refusal',
    title,
    tone: broken.has(said.code) ? 'bad' : 'warn',
    blocks: [
      ...(why === '' ? [] : [text(why)]),
      ...(lines.length === 0 ? [] : [list(lines)]),
      note('plain', said.next),
      ...(said.url === undefined ? [] : [address('Sign it', said.url)]),
      ...(said.usage === undefined ? [] : [{ kind: 'code' as const, text: said.usage }]),
    ],
    ...(said.actions === undefined ? {} : { actions: said.actions }),
  }
}

/** The first sentence, the others, and the lines below them; a short line is its own title. */
const sentencesOf = (message: string): [first: string, rest: string, lines: string[]] => {
  const [line = '', ...lines] = message.split('\n')
  // What somebody else wrote is never cut in two: no part of it stands as a sentence of ours.
  const end = line.length <= longestTitle ? -1 : maskTheirs(line).search(/[.:] /)
  const isWhole = end === -1 || end > longestTitle
  const title = isWhole ? line : line.slice(0, end + 1)
  const rest = isWhole ? '' : capital(line.slice(end + 2))
  return [isWhole && lines.length === 0 ? title : title.replace(/:$/, ''), rest, lines]
}
const longestTitle = 120
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

export const noSuchChange = (id: string): Refusal =>
  refusal('no_such_change', `There is no change ${asTyped(id.slice(0, 40))}.`)
