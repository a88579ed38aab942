import { formatNumber } from '../../lib/view/format-number.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import { isRawFile, type Raw } from '../command/line/coerce.ts'
import { maxLineLength, refuseLongLine } from '../command/line/parse.ts'
import { maxFileBytes } from '../command/line/text-file.ts'
import type { Inbound, Intent } from './inbound.ts'

/** What one request may bring, whichever way it comes; lengths are in characters. */
export const bounds = {
  line: maxLineLength,
  /** One value, or one item of a list. */
  text: 20_000,
  items: 1_000,
  /** All values together, without files. */
  total: 100_000,
  values: 100,
  name: 200,
  /** All that was marked to be decided on together, by id. */
  marked: 1_000,
  reason: 2_000,
} as const

/** Looked at before any pattern or schema sees a value: what is longer than anybody has a reason to send is refused. */
export const refuseTooLarge = ({ intent, attached = {} }: Inbound): Refusal | undefined =>
  Object.keys(attached).length > bounds.values
    ? refusal('too_large', `A request brings at most ${bounds.values} files.`)
    : inIntent(intent)

const inIntent = (intent: Intent): Refusal | undefined => {
  if (intent.kind === 'line') {
    return refuseLongLine(intent.line) ?? inValue('file', intent.file)
  }
  if (intent.kind === 'press') {
    const most = intent.verb === 'review' ? bounds.marked : bounds.name
    if (intent.id.length > most) return refusal('too_large', 'No button has an id as long as this.')
    return (intent.reason?.length ?? 0) > bounds.reason
      ? refusal('too_large', `A reason has at most ${formatNumber(bounds.reason)} characters.`)
      : undefined
  }
  if (intent.kind === 'reply') return undefined
  const values = Object.entries(intent.values)
  if (values.length > bounds.values || intent.command.length > bounds.name) {
    return refusal('too_large', `A request has at most ${bounds.values} values, each with a name of its own.`)
  }
  for (const [name, value] of values) {
    const refused = inValue(name, value)
    if (refused !== undefined) return refused
  }
  return totalOf(intent.values) > bounds.total
    ? refusal('too_large', `The values have at most ${formatNumber(bounds.total)} characters together.`)
    : undefined
}

/** How much text a request brings; files have bounds of their own. */
export const textLengthOf = ({ intent }: Inbound): number =>
  intent.kind === 'line'
    ? intent.line.length
    : intent.kind === 'press'
      ? (intent.reason?.length ?? 0)
      : intent.kind === 'reply'
        ? 0
        : totalOf(intent.values)

const totalOf = (values: Record<string, Raw>): number =>
  Object.entries(values).reduce((sum, [name, value]) => sum + name.length + sizeOf(value), 0)

const inValue = (name: string, value: Raw | undefined): Refusal | undefined => {
  const field = name.slice(0, 40)
  const no = (message: string) => refusal('too_large', message, { field })
  if (name.length > bounds.name) return no('No value has a name as long as this.')
  if (typeof value === 'string' && value.length > bounds.text) {
    return no(
      `${field} has ${formatNumber(value.length)} characters; a value has at most ${formatNumber(bounds.text)}.`,
    )
  }
  if (Array.isArray(value)) {
    if (value.length > bounds.items) {
      return no(
        `${field} has ${formatNumber(value.length)} items; a list has at most ${formatNumber(bounds.items)}.`,
      )
    }
    if (value.some((item) => String(item).length > bounds.text)) {
      return no(`An item of ${field} is too long; it has at most ${formatNumber(bounds.text)} characters.`)
    }
  }
  if (value !== undefined && isRawFile(value) && value.bytes.length > maxFileBytes) {
    return refusal('bad_file', `${value.name.slice(0, 80)} is larger than 25 MB.`, {
      next: 'Split it, and send the parts one after the other.',
    })
  }
  return undefined
}

const sizeOf = (value: Raw): number => {
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + String(item).length, value.length)
  return isRawFile(value) ? 0 : String(value).length
}
