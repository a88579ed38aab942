import { describe, expect, it } from 'vitest'
import { FenceError } from '../../../src/services/client/fence.ts'
import { broken, type HttpExchange } from '../../../src/services/client/http-exchange.ts'
import { interpret } from '../../../src/services/client/interpret.ts'
import { rowById } from '../../../src/services/endpoints/tables.ts'

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
  interpret(rows[effect], exchange, { now: 1_000, redact: (words) => words.replace('key', '[key]') })

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

it.each<[string, HttpExchange, boolean]>([
  ['nothing, with 200', answers(200, ' '), false],
  ['nothing, with 204', answers(204, ''), true],
  ['a page', answers(200, '<h1>Welcome</h1>'), false],
  ['half of its JSON', answers(200, '{"status":"succ'), false],
  ['more than is read', answers(299, 'too large'), false],
  ['another shape', answers(200, '{"status":"success","data":"yes"}'), false],
  ['a verdict and null', answers(200, '{"status":"success","data":null}'), true],
  ['a verdict alone', answers(200, '{"status":"success","message":"Done"}'), true],
])(
  'a change that is answered with %s is done, be the answer understood or not',
  (_, exchange, understood) => {
    for (const effect of ['idempotent', 'once'] as const)
      expect(meaningOf(effect, exchange)).toMatchObject({
        understood,
        data: undefined,
        status: exchange.status,
      })
    expect(meaningOf('read', exchange)).toMatchObject({ kind: 'malformed', outcome: 'not_done' })
  },
)

it.each<[string, HttpExchange]>([
  ['nothing', answers(200, ' ')],
  ['nothing, with 204', answers(204, '')],
  ['a verdict alone', answers(200, '{"status":"success"}')],
])('where no document shows an answer, %s is one', (_, exchange) => {
  for (const row of ['email.customFields', 'email.createSubscriber'] as const)
    expect(interpret(rowById(row), exchange, { now: 1_000, redact: (words) => words })).toMatchObject({
      understood: true,
      data: undefined,
    })
})

it('what is no JSON is kept of a refusal only', () => {
  expect(meaningOf('once', answers(299, 'half'))).toMatchObject({ understood: false, body: undefined })
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
