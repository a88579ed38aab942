import type { CallInput } from '../../lib/services/client/request.ts'
import { echoWarnings } from '../../lib/services/echo.ts'
import { type RowId, rowById, serviceWords } from '../../lib/services/endpoints/tables.ts'
import { ifKnown, isRecord, type OpenRecord, recordsIn } from '../../lib/services/read-answer.ts'
import type { OutcomeCheck } from '../model/change.ts'
import type { ReadContext } from './context.ts'

/** What a read says about a write whose answer was lost; undefined where no documented read can tell. */
export const readBackOf = (
  row: RowId,
): ((sent: CallInput, read: ReadContext['read']) => Promise<OutcomeCheck>) | undefined => {
  const written = rowById(row)
  const back = written.row.readBack
  if (back === undefined) return undefined
  return async (input, read) => {
    const sent = { params: recordOf(input.params), body: recordOf(input.body) }
    const wanted = back.input === undefined ? { params: input.params } : back.input(sent)
    if (wanted === undefined) return { happened: null, message: 'What was sent does not say where to look.' }
    const named = rowById(`${written.service}.${back.read}` as RowId)
    const where = `${named.row.method} ${named.row.path} of ${serviceWords(named.service)}`
    const answered = await ifKnown(read(named.id, wanted))
    const data = answered?.data
    if (back.tells === 'gone') {
      return answered === undefined
        ? { happened: true, message: `It is no longer there: ${where} answers 404.` }
        : { happened: false, message: `It is still there, by ${where}.` }
    }
    if (back.tells === 'values') {
      if (answered === undefined) return { happened: false, message: `${where} has no such record.` }
      const differences = echoWarnings(written.row, input, data)
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
