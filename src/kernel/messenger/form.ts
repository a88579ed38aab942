import { defined } from '../../lib/defined.ts'
import { withoutAtEnd } from '../../lib/view/end.ts'
import type { Command } from '../command/define.ts'
import type { Raw } from '../command/line/coerce.ts'
import { alsoParam, atParam, isThingKind, type Param, type Suggested } from '../command/params.ts'

/** The parameters of a command to be asked for, with what was given already. */
export type Form = {
  command: string
  /** A verb: what filling it in does. */
  title: string
  /** What it is about, in a sentence. */
  summary: string
  /** On its button: what comes next. */
  submit: string
  /** In the order in which people meet them. */
  fields: readonly FormField[]
  /** The first of them that is empty. */
  start?: string
  values: Record<string, Raw>
  /** The field for why, and the team's usual reasons. */
  reason?: { field: string; usual: readonly string[] }
}

/** What somebody is asked for alone: the parameter, the question in a few words, and in full. */
export type Asks = { param: string; title: string; question: string }

/** A form that asks for one thing, with the rest as it was given behind it. */
export const askingFor = (form: Form, { param, title, question }: Asks): Form => ({
  ...form,
  title,
  summary: question,
  start: param,
  fields: form.fields
    .map((field) =>
      field.name === param ? { ...field, required: true, isFirst: true, hint: whoHint } : field,
    )
    .toSorted((one, other) => Number(other.name === param) - Number(one.name === param)),
})

const whoHint = 'Name, address, number or id'

/** A parameter as people read it. */
export type FormField = Param & {
  label: string
  /** What is known of it, what to write, and its limits. */
  hint: string
  /** Asked for at once; the others are rare. */
  isFirst: boolean
  /** Running text, in several lines. */
  isLong: boolean
  /** What the value in it is called, and what else could stand there: `value` is what counts. */
  chosen?: Suggested
  others?: readonly Suggested[]
}

/** What is known of a form besides its command: by the names of the fields. */
type FormKnown = {
  usual?: readonly string[]
  /** What stands beside a field, such as how much is left. */
  notes?: Readonly<Record<string, string>>
  choices?: Readonly<Record<string, Pick<FormField, 'chosen' | 'others'>>>
}

export const formFor = (
  command: Command,
  values: Form['values'],
  { usual = [], notes = {}, choices = {} }: FormKnown = {},
): Form => {
  const reason = command.params.find(isReason)?.name
  const fields = command.params.map((param): FormField => {
    const { name, required, positional } = param
    const isGiven = values[name] !== undefined
    return {
      ...param,
      ...choices[name],
      label: name === reason ? 'Reason' : labelOf(param),
      hint: hintOf(param, notes[name]),
      isFirst: required || positional || name === reason || isGiven || isOneOf(command, name),
      isLong: isRunningText(param, values[name]),
    }
  })
  const sorted = fewFirst(fields.toSorted((one, other) => rankOf(one, reason) - rankOf(other, reason)))
  return {
    command: command.name,
    title: titleOf(command),
    summary: command.summary,
    submit: submitOf(command),
    fields: sorted,
    ...defined({ start: startOf(sorted, values) }),
    values,
    ...defined({ reason: reason === undefined ? undefined : { field: reason, usual } }),
  }
}

/** More than these are asked for behind the others, unless they must be filled in. */
const maxFirst = 5

const fewFirst = (fields: readonly FormField[]): FormField[] => {
  let shown = 0
  return fields.map((field) => {
    if (!field.isFirst) return field
    shown += 1
    return field.required || shown <= maxFirst ? field : { ...field, isFirst: false }
  })
}

/** Where somebody begins to type: the first field that nothing is known of. */
const startOf = (fields: readonly FormField[], values: Form['values']): string | undefined =>
  fields.find(({ name, isFirst }) => isFirst && values[name] === undefined)?.name

/** Those that must be filled in, then what a line takes without a flag, then why, then the rest. */
const rankOf = ({ name, required, positional, isFirst }: FormField, reason: string | undefined): number => {
  if (required) return 0
  if (positional) return 1
  if (name === reason) return 2
  return isFirst ? 3 : 4
}

const isReason = ({ flag, also }: Param): boolean => flag === 'reason' || also.includes('reason')

const isOneOf = ({ oneOf = [] }: Command, name: string): boolean => oneOf.some((one) => one === name)

/** "Refund", "Create list", "Change subscriber" */
const titleOf = ({ name, title }: Command): string => {
  if (title !== undefined) return title
  const [noun = '', verb] = name.split(' ')
  return capital(verb === undefined ? noun : `${verbWords[verb] ?? verb} ${noun}`.replaceAll('-', ' '))
}

const verbWords: Readonly<Record<string, string>> = { get: 'look up', update: 'change' }

/** What a change would do is read before it is done. */
const submitOf = (command: Command): string => {
  const { kind, name } = command
  if (kind === 'query') return 'Look up'
  if (kind === 'decision') return titleOf(command)
  return `Review ${name.includes(' ') ? 'change' : name}`
}

/** "Payment", where the parameter is called payment-id: what is chosen is the payment. */
const labelOf = (param: Param): string => {
  const { flag, kinds, isId } = param
  if (param === atParam) return 'When'
  if (param === alsoParam) return 'One more approver'
  const words = flag.replaceAll('-', ' ')
  const kind = kinds.find(isThingKind)
  if (kind !== undefined && words === 'id') return capital(kind === 'change' ? 'request' : kind)
  if (kind === undefined && !isId) return capital(words)
  return capital(words.replace(/ ids$/, 's').replace(/ id$/, ''))
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)

const hintOf = (param: Param, note: string | undefined): string =>
  [note, param.description, limitOf(param)]
    .flatMap((words) => (words === undefined ? [] : withoutAtEnd(words, '.')))
    .join('. ')

/** Said once: many descriptions have their limits in them. */
const limitOf = ({ description, type, time, kinds, min, max, maxLength }: Param): string | undefined => {
  const says = (limit: number | undefined) => limit === undefined || description.includes(String(limit))
  if (type === 'integer' || type === 'number') {
    if (says(min) && says(max)) return undefined
    if (max === undefined) return `At least ${min}`
    return min === undefined ? `At most ${max}` : `From ${min} to ${max}`
  }
  // What is chosen has no length.
  return type === 'text' &&
    time === undefined &&
    kinds.length === 0 &&
    !says(maxLength) &&
    (maxLength ?? 0) <= maxShown
    ? `At most ${maxLength} characters`
    : undefined
}

/** A limit that nobody comes near is no help. */
const maxShown = 2_000

/** Text that may be longer than this is written in a field of several lines. */
const lineLength = 200

const isRunningText = (param: Param, value: Raw | undefined): boolean => {
  const { type, kinds, choices, format, maxLength = 0 } = param
  if (type === 'json' || (typeof value === 'string' && value.includes('\n'))) return true
  // Addresses are pasted by the dozen.
  if (type === 'list') return choices.length === 0 && (kinds.length === 0 || format === 'email')
  return type === 'text' && kinds.length === 0 && maxLength > lineLength
}
