import { describe, expect, it } from 'vitest'
import { FenceError } from '../../../src/lib/services/client/fence.ts'
import { broken, type HttpExchange } from '../../../src/lib/services/client/http-exchange.ts'
import { interpretAnswer } from '../../../src/lib/services/client/interpret.ts'
import { rowById } from '../../../src/lib/services/endpoints/tables.ts'

const rows = {
  read: rowById('email.getSubscriber'),
  idempotent: rowById('email.updateSubscriber'),
  once: rowById('billing.refundPayment'),
}
const effects = ['read', 'idempotent', 'once'] as const

const breaks = (over: object = {}): HttpExchange =>
  ({ ...broken(new Error('reset')), ...over }) as HttpExchange
const answers = (status: number, body: string | 'too large' = '{}', headers = {}): HttpExchange => ({
  end: 'answered',
  status,
  headers,
  body: body === 'too large' ? body : Buffer.from(body),
})
const meaningOf = (effect: (typeof effects)[number], exchange: HttpExchange) =>
  interpretAnswer(rows[effect], exchange, { now: 1_000, redact: (words) => words.replace('key', '[key]') })

/** Where it failed, what that is, and what is known of a change then. */
const points: [point: string, exchange: HttpExchange, kind: string, change: 'unknown' | 'not_done'][] = [
  ['before anything left', breaks(), 'unavailable', 'not_done'],
  ['at the fence', breaks({ left: true, cause: new FenceError() }), 'given_up', 'not_done'],
  ['after the request', breaks({ left: true }), 'unavailable', 'unknown'],
  ...[100, 199, 200, 299].map((status): (typeof points)[number] => [
    `after the head of a ${status}`,
    breaks({ left: true, status }),
    'unavailable',
    'unknown',
  ]),
  ['after the head of a 400', breaks({ left: true, status: 400 }), 'rejected', 'not_done'],
  ['after the head of a 408', breaks({ left: true, status: 408 }), 'unavailable', 'unknown'],
  ['after the head of a 500', breaks({ left: true, status: 500 }), 'unavailable', 'unknown'],
  ['with 199', answers(199), 'unavailable', 'unknown'],
  ['with 300', answers(300), 'malformed', 'unknown'],
  ['with 399', answers(399), 'malformed', 'unknown'],
  ['with 400', answers(400), 'rejected', 'not_done'],
  ['with 401', answers(401), 'unauthorized', 'not_done'],
  ['with 402', answers(402), 'rejected', 'not_done'],
  ['with 403', answers(403), 'unauthorized', 'not_done'],
  ['with 404', answers(404), 'not_found', 'not_done'],
  ['with 407', answers(407), 'rejected', 'not_done'],
  ['with 408', answers(408), 'unavailable', 'unknown'],
  ['with 409', answers(409), 'rejected', 'not_done'],
  ['with 429', answers(429), 'rate_limited', 'not_done'],
  ['with 499', answers(499), 'rejected', 'not_done'],
  ['with 500', answers(500), 'unavailable', 'unknown'],
  ['with 599', answers(599), 'unavailable', 'unknown'],
  ['with a refusal in a 200', answers(200, '{"success":false}'), 'rejected', 'not_done'],
]

describe.each(points)('a request that failed %s', (_, exchange, kind, change) => {
  it.each(effects)('as %s', (effect) => {
    const error = meaningOf(effect, exchange)
    expect(error).toMatchObject({
      name: 'ServiceError',
      kind,
      outcome: effect === 'read' ? 'not_done' : change,
      status: exchange.status,
      row: rows[effect].name,
    })
    expect((error as Error).cause).toBe(exchange.end === 'broken' ? exchange.cause : undefined)
  })
})

it.each<[string, HttpExchange]>([
  ['nothing, with 200', answers(200, ' ')],
  ['nothing, with 204', answers(204, '')],
  ['null', answers(200, 'null')],
  ['an empty list', answers(200, '[]')],
  ['an empty record', answers(200, '{}')],
  ['a page', answers(200, '<h1>Welcome</h1>')],
  ['half of its JSON', answers(200, '{"status":"succ')],
  ['more than is read', answers(299, 'too large')],
  ['another envelope', answers(200, '{"ok":true,"result":{"email":"ada@example.com"}}')],
  ['an envelope without a verdict', answers(200, '{"data":[]}')],
  ['a word that is no verdict', answers(200, '{"status":"captive","message":"Sign in"}')],
  ['another shape', answers(200, '{"status":"success","data":"yes"}')],
])('%s with a status of success is no answer of a service that shows an envelope', (_, exchange) => {
  for (const effect of effects)
    expect(meaningOf(effect, exchange)).toMatchObject({
      kind: 'malformed',
      outcome: effect === 'read' ? 'not_done' : 'unknown',
    })
})

const ada = { params: { email: 'ada@example.com' } }

it.each([
  ['another record', '{"login":"here"}'],
  ['the record of somebody else', '{"email":"grace@example.com"}'],
])('%s in the envelope is no answer either', (_, data) => {
  const exchange = answers(200, `{"status":"success","message":"Done","data":${data}}`)
  for (const effect of ['read', 'idempotent'] as const)
    expect(interpretAnswer(rows[effect], exchange, { now: 0, redact: String, sent: ada })).toMatchObject({
      kind: 'malformed',
    })
})

it.each([
  ['the record that was asked for', '{"email":"ADA@example.com "}', true],
  ['nothing of it', '{}', false],
  ['null', 'null', false],
])('a change that is done is told with %s', (_, data, understood) => {
  const exchange = answers(200, `{"status":"success","message":"Done","data":${data}}`)
  expect(interpretAnswer(rows.idempotent, exchange, { now: 0, redact: String, sent: ada })).toMatchObject({
    understood,
    message: 'Done',
  })
})

it('a refund that is done says so in words, and one that does not is marked', () => {
  expect(meaningOf('once', answers(200, '{"status":"success","message":"Done"}'))).toMatchObject({
    understood: true,
  })
  expect(meaningOf('once', answers(200, '{"status":"success"}'))).toMatchObject({ understood: false })
})

it.each<[string, HttpExchange]>([
  ['nothing, with 204', answers(204, '')],
  ['a verdict alone', answers(200, '{"status":"success"}')],
])('where no document shows an answer, %s is one', (_, exchange) => {
  for (const row of ['email.customFields', 'email.createSubscriber'] as const)
    expect(interpretAnswer(rowById(row), exchange, { now: 1_000, redact: (words) => words })).toMatchObject({
      understood: true,
      data: undefined,
    })
})

it('a look-up that no document shows may come without an envelope, if it says anything', () => {
  const readOf = (body: string) =>
    interpretAnswer(rowById('email.findLists'), answers(200, body), { now: 0, redact: String })
  expect(readOf('[{"id":"l1"}]')).toMatchObject({ data: [{ id: 'l1' }] })
  expect(readOf('{"lists":[]}')).toMatchObject({ data: { lists: [] } })
  for (const body of ['[]', '{}', '7', '"yes"', 'null'])
    expect(readOf(body)).toMatchObject({ kind: 'malformed' })
})

it('an answer is read with a mark before it, and without our key in its words', () => {
  const body = '\uFEFF{"status":"success","message":"the key is good","data":{"email":"a@b.c"}}'
  expect(meaningOf('read', answers(200, body))).toMatchObject({
    understood: true,
    message: 'the [key] is good',
  })
  expect(meaningOf('read', answers(400, 'bad key'))).toMatchObject({ serviceMessage: 'bad [key]' })
  expect(meaningOf('read', answers(400, ' <h1>bad</h1>'))).toMatchObject({ serviceMessage: undefined })
  expect(meaningOf('read', answers(400, 'too large'))).toMatchObject({ serviceMessage: undefined })
  const waits = answers(429, '{}', { 'retry-after': '2' })
  expect(meaningOf('once', waits)).toMatchObject({ retryAfterMs: 2_000 })
})

it('plain words are looked for in the first two thousand characters only', () => {
  const late = (blanks: number) => meaningOf('read', answers(400, `${' '.repeat(blanks)}no`))
  expect(late(1_998)).toMatchObject({ serviceMessage: 'no' })
  expect(late(1_999)).toMatchObject({ serviceMessage: 'n' })
})

it('an answer of half a million values is read, and one of one more is not', () => {
  const holding = (values: number) =>
    answers(200, `{"data":{"email":"a@b.c","tags":[${'0,'.repeat(values - 8)}0]}}`)
  expect(meaningOf('read', holding(500_000))).toMatchObject({ understood: true })
  expect(meaningOf('read', holding(500_001))).toMatchObject({ kind: 'malformed' })
})
