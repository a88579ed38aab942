import { no } from '../../lib/result.ts'
import { plural, verbNames, verbs } from '../../lib/view/button-labels.ts'
import { refusal } from '../../lib/view/refusals.ts'
import type { Action, Request, Verb } from '../../lib/view/view.ts'
import type { Admitted, CarriedOut } from './admitted.ts'
import { carriedOut } from './carry-out.ts'
import { decideOrControl } from './decide-or-control.ts'
import { lastRowsIn } from './look-ups/query.ts'

/**
 * "approve 1", "reject 2 paid back in cash": the word of a button, and rows of the list that this person was last shown in this
 * conversation. It is that button, so it counts for what the row said.
 */
export const readRow = async (request: Admitted): Promise<CarriedOut | undefined> => {
  const { core, actor, inbound } = request
  const asked =
    inbound.intent.kind === 'line' && actor.agent === undefined ? rowsIn(inbound.intent.line) : undefined
  if (asked === undefined) return undefined
  const rows = await lastRowsIn(core, actor, inbound.place)
  if (rows.length === 0) return undefined
  const numbers = asked.numbers === 'all' ? markedRows(rows) : asked.numbers
  const missing = numbers.find((one) => rows[one - 1] === undefined)
  if (missing !== undefined)
    return {
      reply: no(
        refusal(
          'no_such_change',
          `The list that you were shown has ${plural(rows.length, 'row')}, and no row ${missing}.`,
          {
            next: 'Look at it again with approval list.',
          },
        ),
      ),
    }
  const buttons = numbers.flatMap((one) => buttonOf(rows[one - 1], asked.verb) ?? [])
  const [first] = buttons
  if (first === undefined || buttons.length < numbers.length)
    return {
      reply: no(
        refusal('not_allowed_now', `You cannot ${verbs[asked.verb].label.toLowerCase()} this row.`, {
          next: 'Look at its card with approval get.',
        }),
      ),
    }
  const id = buttons.map((one) => one.id).join(',')
  const press = { verb: first.verb, id, ...(asked.reason === '' ? {} : { reason: asked.reason }) }
  return { reply: await carriedOut(request, await decideOrControl(request, press)) }
}

const markedRows = (rows: readonly Request[]): number[] =>
  rows.flatMap(({ mark }, at) => (mark ? at + 1 : []))

/** One's own is confirmed, in whichever word. */
const buttonOf = (row: Request | undefined, verb: Verb): Action | undefined =>
  row?.actions.find((one) => one.verb === verb) ??
  (verb === 'approve' ? row?.actions.find((one) => one.verb === 'confirm') : undefined)

type Asked = { verb: Verb; numbers: number[] | 'all'; reason: string }

const rowsIn = (line: string): Asked | undefined => {
  const [, word = '', numbers = '', reason = ''] =
    /^\s*([a-z]{2,12})\s+(all|#?\d{1,2}(?:(?:\s*,\s*|\s+and\s+|\s+)#?\d{1,2})*)(?:\s+(\S.*))?$/isu.exec(
      line,
    ) ?? []
  const verb = verbNames().find(
    (one) =>
      verbs[one].isOnCard &&
      [verbs[one].label, verbs[one].own].some((label) => label?.toLowerCase() === word.toLowerCase()),
  )
  if (verb === undefined) return undefined
  const given = numbers.toLowerCase() === 'all' ? 'all' : (numbers.match(/\d+/g) ?? []).map(Number)
  // A sum behind a number is no reason for it.
  return verbs[verb].asks === undefined && reason !== ''
    ? undefined
    : { verb, numbers: given, reason: reason.trim() }
}
