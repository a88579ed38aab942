import { capital, type Field, type Operation } from './field.ts'

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

const removeWords = /^(remove|delete|destroy|purge|revoke|cancel)/i

export const decideOperation = (operation: Operation): DecidedOperation => {
  const { id, method, path, summary, tool } = operation
  const hints = Object(tool?.annotations) as Hints
  const isRead = tool === undefined ? method === 'GET' : hints.readOnlyHint === true
  const isAboutMoney =
    moneyWords.test(`${id} ${path}`) ||
    operation.body.some(({ kind, wire }) => kind === 'money' || moneyWords.test(wire))
  const amount = plainAmountOf(operation.body)
  const doubts = [
    ...(isRead && (writeWords.test(summary) || (tool !== undefined && writeWords.test(id)))
      ? [
          `It is ${tool === undefined ? 'a GET' : 'said to read only'}, and its words sound as if it changed something.`,
        ]
      : []),
    ...(isRead || tool === undefined ? [] : doubtsOf(id, hints)),
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

/** What a server says of a tool. Nobody vouches for it. */
type Hints = { readOnlyHint?: unknown; destructiveHint?: unknown; idempotentHint?: unknown }

const doubtsOf = (id: string, { destructiveHint, idempotentHint }: Hints): string[] => [
  ...(destructiveHint === true || (destructiveHint !== false && removeWords.test(id))
    ? [
        'It may destroy something, by its hints or its name. Where somebody else is to approve that, write a rule for it, or movesMoney: true.',
      ]
    : []),
  ...(idempotentHint === true
    ? ['The server says that it may be repeated. If that is so, its effect is idempotent.']
    : []),
]

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
