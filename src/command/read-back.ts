import type { OutcomeCheck } from '../model/change.ts'
import type { CallInput } from '../services/client/request.ts'
import { echoWarnings } from '../services/echo.ts'
import { type RowId, rowById } from '../services/endpoints/tables.ts'
import { ifKnown, isRecord, type OpenRecord, recordsIn } from '../services/read-answer.ts'
import type { ReadContext } from './context.ts'

/** How a documented read tells whether a write happened: its values are there, its record is there, or it is gone. */
type ReadBack = {
  read: RowId
  /** What to read, from what was sent; undefined where that does not say. */
  input(sent: Sent): CallInput | undefined
  tells: 'values' | 'gone' | ((records: OpenRecord[], sent: Sent) => boolean)
}
type Sent = { params: OpenRecord; body: OpenRecord }

const byParams = ({ params }: Sent): CallInput => ({ params: params as Record<string, string> })
const hasText =
  (name: string, keys: readonly string[]) =>
  (records: OpenRecord[], { body }: Sent) =>
    records.some((record) => keys.some((key) => sameText(record[key], body[name])))
const sameText = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' &&
  typeof other === 'string' &&
  one.trim().toLowerCase() === other.trim().toLowerCase()

/** Writes that some documented read can tell. What is not here can only be looked up by somebody. */
const readBacks: Partial<Record<RowId, ReadBack>> = {
  'email.updateSubscriber': { read: 'email.getSubscriber', input: byParams, tells: 'values' },
  'email.createSubscriber': {
    read: 'email.getSubscriber',
    input: ({ body }) => (typeof body.email === 'string' ? { params: { email: body.email } } : undefined),
    tells: (records) => records.length > 0,
  },
  'email.createList': {
    read: 'email.findLists',
    input: () => ({}),
    tells: hasText('name', ['name', 'listName']),
  },
  'chat.updateContact': { read: 'chat.getContact', input: byParams, tells: 'values' },
  'chat.createContact': {
    read: 'chat.findContacts',
    input: () => ({}),
    tells: (records, { body }) => records.some(({ mobile }) => sameText(digits(mobile), digits(body.mobile))),
  },
  'billing.updateAddon': { read: 'billing.getAddon', input: byParams, tells: 'values' },
  'billing.deleteAddon': { read: 'billing.getAddon', input: byParams, tells: 'gone' },
  'billing.createAddon': { read: 'billing.findAddons', input: byParams, tells: hasText('code', ['code']) },
  'billing.updateMultiplan': { read: 'billing.getMultiplan', input: byParams, tells: 'values' },
  'billing.deleteMultiplan': { read: 'billing.getMultiplan', input: byParams, tells: 'gone' },
  'billing.createMultiplan': {
    read: 'billing.findMultiplans',
    input: () => ({}),
    tells: hasText('page_title', ['page_title', 'title']),
  },
  'billing.deleteLicense': { read: 'billing.getLicense', input: byParams, tells: 'gone' },
}

const digits = (value: unknown): string => String(value ?? '').replace(/\D/g, '')

/** What a read says about a write whose answer was lost; undefined where no documented read can tell. */
export const readBackOf = (
  row: RowId,
): ((sent: CallInput, read: ReadContext['read']) => Promise<OutcomeCheck>) | undefined => {
  const back = readBacks[row]
  if (back === undefined) return undefined
  return async (input, read) => {
    const sent = { params: recordOf(input.params), body: recordOf(input.body) }
    const wanted = back.input(sent)
    if (wanted === undefined) return { happened: null, message: 'What was sent does not say where to look.' }
    const named = rowById(back.read)
    const where = `${named.row.method} ${named.row.path} of the ${named.service} service`
    const answered = await ifKnown(read(back.read, wanted))
    const data = answered?.data
    if (back.tells === 'gone') {
      return answered === undefined
        ? { happened: true, message: `It is no longer there: ${where} answers 404.` }
        : { happened: false, message: `It is still there, by ${where}.` }
    }
    if (back.tells === 'values') {
      if (answered === undefined) return { happened: false, message: `${where} has no such record.` }
      const differences = echoWarnings(rowById(row).row, input, data)
      return differences.length === 0
        ? { happened: true, message: `All that was sent is there, by ${where}.` }
        : { happened: false, message: `It is not there yet, by ${where}. ${differences.join(' ')}` }
    }
    const records =
      isRecord(data) && named.row.params !== undefined && !Array.isArray(data)
        ? [data, ...recordsIn(data)]
        : recordsIn(data)
    return back.tells(records, sent)
      ? { happened: true, message: `It is there, by ${where}.` }
      : { happened: false, message: `It is not there, by ${where}.` }
  }
}

const recordOf = (value: unknown): OpenRecord => (isRecord(value) ? value : {})
