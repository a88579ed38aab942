import type { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import type { DataOf, InputOf } from '../../lib/services/client/client.ts'
import type { ServiceAnswer } from '../../lib/services/client/interpret.ts'
import type { CallInput } from '../../lib/services/client/request.ts'
import { echoWarnings } from '../../lib/services/echo.ts'
import { fieldWordsOf } from '../../lib/services/endpoints/field-words.ts'
import type { ServiceName, Tables } from '../../lib/services/endpoints/row.ts'
import { type RowId, rowById } from '../../lib/services/endpoints/tables.ts'
import { isRecord } from '../../lib/services/read-answer.ts'
import { note, type View } from '../../lib/view/view.ts'
import type { ReadContext } from './context.ts'
import { type Applied, type ChangeCommand, type Described, defineChange } from './define.ts'
import { onDemand } from './on-demand.ts'
import type { InputSchema } from './params.ts'
import { readBackOf } from './read-back.ts'
import { withSentFacts } from './sent-facts.ts'

type RowOf<I> = I extends `${infer N extends ServiceName}.${infer K}`
  ? K extends keyof Tables[N]['rows']
    ? Tables[N]['rows'][K]
    : never
  : never

type ServiceChangeSpec<S extends InputSchema, P extends z.ZodType, I extends RowId> = Described<S, P> & {
  row: I
  /**
   * All that is sent: from here it is shown on the card, sent, and compared with what comes back. What a service wants to be
   * new with every request is of `newId`, and known when it is sent.
   */
  request(plan: z.infer<P>, newId: () => string): InputOf<RowOf<I>>
  done(
    plan: z.infer<P>,
    answer: ServiceAnswer<DataOf<RowOf<I>>>,
    who?: string,
  ): Pick<Applied, 'message' | 'moved'> & { view?: View | undefined }
}

/** A change that is one request to a service. */
export const defineServiceChange = <const S extends InputSchema, P extends z.ZodType, const I extends RowId>({
  row,
  request,
  done,
  preview,
  ...spec
}: ServiceChangeSpec<S, P, I>): ChangeCommand => {
  const change = defineChange<S, P>({
    ...(spec as Described<S, P>),
    preview: (plan, who) => {
      const input: CallInput = request(plan, () => 'made when it is sent')
      const { details, body } = rowById(row).row
      const about = { details, quote: spec.reasonOf?.(plan), words: fieldWordsOf(body) }
      const shown = withSentFacts(preview(plan, who), input, about)
      return withForms(withGuesses(shown, row, input), row, input)
    },
    requests: (plan, newId) => [{ row, input: request(plan, newId) }],
    async apply(plan, { call, newId, recipient }) {
      const input: CallInput = request(plan, newId)
      const answer = await call(row, input)
      const { message, view, moved } = done(plan, answer as ServiceAnswer<DataOf<RowOf<I>>>, recipient)
      return {
        message,
        ...defined({ view, moved }),
        understood: answer.understood,
        warnings: echoWarnings(rowById(row).row, input, answer.data),
      }
    },
  })
  // The tables are known when the bot starts, which is after this.
  return spec.checkOutcome === undefined
    ? (onDemand(change, 'checkOutcome', () => checkBy(row, request)) as ChangeCommand)
    : change
}

/** Where a documented read can tell whether it happened, it does; a change with a way of its own says so. */
const checkBy = <P>(row: RowId, request: (plan: P, newId: () => string) => CallInput) => {
  const check = readBackOf(row)
  return check === undefined
    ? undefined
    : (plan: P, { read }: ReadContext) =>
        check(
          request(plan, () => ''),
          read,
        )
}

/** The service documents no shape for these rows, so every name in the body is a guess. */
const withGuesses = (view: View, id: RowId, { query, body }: CallInput): View => {
  const names = [query, body].flatMap((part) => (isRecord(part) ? definedKeys(part) : []))
  if (rowById(id).row.shown || names.length === 0) return view
  const words = `No document of the service shows this request. It is sent by our reading of it: ${names.join(', ')}.`
  return { ...view, blocks: [...view.blocks, note('plain', words)] }
}

/** What no document shows is shown as it goes out, letter by letter. */
const withForms = (view: View, id: RowId, { body }: CallInput): View => {
  const sent = isRecord(body) ? body : {}
  const notes = (rowById(id).row.guessed ?? [])
    .filter((field) => sent[field] !== undefined && sent[field] !== null)
    .map((field) =>
      note('plain', `The form of ${field} is not documented. It is sent as ${JSON.stringify(sent[field])}.`),
    )
  return notes.length === 0 ? view : { ...view, blocks: [...view.blocks, ...notes] }
}

const definedKeys = (part: Record<string, unknown>) =>
  Object.keys(part).filter((key) => part[key] !== undefined)
