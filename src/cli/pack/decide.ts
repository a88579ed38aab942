import { capital, type Field, type Operation } from './read-openapi.ts'

/** What the generator makes of an operation, and what a person has to decide about it. */
export type DecidedOperation = Operation & {
  row: string
  /** The second word of its command. */
  verb: string
  effect: 'read' | 'once'
  movesMoney: boolean
  doubts: string[]
}

const moneyWords =
  /refund|charge|payment|payout|transfer|invoice|price|subscription|credit|balance|voucher|coupon|discount|order|amount/i
const readWords = /^(search|find|list|query|get|retrieve|lookup|calculate|preview)/i
const writeWords = /^(cancel|send|delete|create|remove|reset|start|stop|close|approve)/i

export const decideOperation = (operation: Operation): DecidedOperation => {
  const { id, method, path, summary } = operation
  const isRead = method === 'GET'
  const isAboutMoney =
    moneyWords.test(`${id} ${path}`) ||
    operation.body.some(({ kind, wire }) => kind === 'money' || moneyWords.test(wire))
  const amount = plainAmountOf(operation.body)
  const doubts = [
    ...(isRead && writeWords.test(summary)
      ? ['It is a GET, and its summary sounds as if it changed something.']
      : []),
    ...(!isRead && readWords.test(id)
      ? ['It may only read, as its name says. If so, it may be repeated, and its effect is idempotent.']
      : []),
    ...(method === 'PUT' || method === 'DELETE'
      ? [`${method} can be repeated by the rules of HTTP. If this one can, its effect is idempotent.`]
      : []),
    ...(isRead || !isAboutMoney
      ? []
      : ['It is taken to move money, by its words. If it does not, take movesMoney out.']),
    ...(amount === undefined
      ? []
      : [
          `Its amount is taken ${isInCents(amount) ? 'in the smallest unit, such as cents' : 'in whole units, such as dollars'}: see amountOf.`,
        ]),
  ]
  return {
    ...operation,
    row: rowOf(id),
    verb: verbOf(id),
    effect: isRead ? 'read' : 'once',
    movesMoney: !isRead && isAboutMoney,
    doubts,
  }
}

/** A sum that stands in the request as a number. */
export const plainAmountOf = (body: readonly Field[]): Field | undefined =>
  body.find(({ wire, kind }) => wire === 'amount' && (kind === 'integer' || kind === 'number'))

export const isInCents = ({ about, kind }: Field): boolean =>
  kind === 'integer' && /\bcents?\b|smallest|minor unit/i.test(about)

const wordsOf = (id: string): string[] =>
  id
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())

/** A name that a constant may have. */
const rowOf = (id: string): string => {
  const name = camel(id)
  return /^[a-z]/.test(name) && wordsOf(id).length > 1 ? name : `call${capital(name)}`
}

const camel = (id: string): string =>
  wordsOf(id)
    .map((word, at) => (at === 0 ? word : capital(word)))
    .join('')

const verbOf = (id: string): string => wordsOf(id).join('-').slice(0, 32)
