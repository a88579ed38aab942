import type { Command } from '../command/define.ts'
import type { Raw } from '../command/line/coerce.ts'
import type { Param } from '../command/params.ts'
import { defined } from '../defined.ts'

/** The parameters of a command to be asked for, with what was given already. */
export type Form = {
  command: string
  /** A verb: what filling it in does. */
  title: string
  summary: string
  /** On its button: what comes next. */
  submit: string
  fields: readonly Param[]
  values: Record<string, Raw>
  /** What stands beside a field, by its name, such as how much is left. */
  notes?: Readonly<Record<string, string>>
  /** The field for why, and the team's usual reasons. */
  reason?: { field: string; usual: readonly string[] }
}

export const formFor = (
  command: Command,
  values: Form['values'],
  { usual = [], notes }: { usual?: readonly string[]; notes?: Form['notes'] } = {},
): Form => {
  const field = command.params.find(isReason)?.name
  return {
    command: command.name,
    title: titleOf(command.name),
    summary: command.summary,
    submit: submitOf(command),
    fields: command.params,
    values,
    ...defined({ notes, reason: field === undefined ? undefined : { field, usual } }),
  }
}

/** Those that must be filled in, then why, then what may be. */
export const inFormOrder = ({ fields, reason }: Form): Param[] => {
  const rank = ({ name, required }: Param): number => (required ? 0 : name === reason?.field ? 1 : 2)
  return fields.toSorted((one, other) => rank(one) - rank(other))
}

const isReason = ({ flag, also }: Param): boolean => flag === 'reason' || also.includes('reason')

/** "Refund", "Send campaign" */
const titleOf = (name: string): string => {
  const [noun = '', verb] = name.split(' ')
  const words = verb === undefined ? noun : `${verb} ${noun}`.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What a change would do is read before it is done. */
const submitOf = ({ kind, name }: Command): string => {
  if (kind === 'query') return 'Look up'
  if (kind === 'decision') return 'Go on'
  return name.includes(' ') ? 'Review' : `Review ${name}`
}
