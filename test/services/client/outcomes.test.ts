import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServices, type Services } from '../../../src/lib/services/client/client.ts'
import { ServiceError } from '../../../src/lib/services/errors.ts'
import { listen } from '../../harness/listen.ts'
import {
  brisk,
  done,
  drop,
  hang,
  json,
  quiet,
  type Recorder,
  type Respond,
  raw,
  servicesAt,
  startRecorder,
} from '../recorder.ts'

let recorder: Recorder
let services: Services

beforeEach(async () => {
  recorder = await startRecorder(done)
  services = servicesAt(recorder.origin, {
    ...brisk,
    retries: 0,
    maxBytes: 10_000,
  })
})
afterEach(async () => {
  await services.close()
  await recorder.stop()
})

const read = (s: Services = services) => s.email.getSubscriber({ params: { email: 'a@example.com' } })
const refund = (s: Services = services) =>
  s.billing.refundPayment({ params: { payment_id: 'p1' }, body: { amount: 5 } })
const update = (s: Services = services) =>
  s.email.updateSubscriber({ params: { email: 'a@example.com' }, body: { firstName: 'A' } })

const errorOf = async (call: Promise<unknown>) => {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).toBeInstanceOf(ServiceError)
  return thrown as ServiceError
}

const cut: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
  response.write('{"status":"success"')
  setTimeout(() => response.socket?.destroy(), 20)
}
const stall: Respond = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"status":')
}
const page = '<!doctype html><h1>Bad gateway</h1>'
const huge = raw(JSON.stringify({ status: 'success', data: { note: 'x'.repeat(20_000) } }))

type Fault = [fault: string, respond: Respond, kind: string, onRead: string, onWrite: string, status?: number]

const faults: Fault[] = [
  ['a dropped connection', drop, 'unavailable', 'not_done', 'unknown'],
  ['silence', hang, 'unavailable', 'not_done', 'unknown'],
  ['an answer cut off', cut, 'unavailable', 'not_done', 'unknown', 200],
  ['an answer that stalls', stall, 'unavailable', 'not_done', 'unknown', 200],
  ['500', json({ message: 'oops' }, 500), 'unavailable', 'not_done', 'unknown', 500],
  ['503 with a page', raw(page, 503), 'unavailable', 'not_done', 'unknown', 503],
  ['408', json({ message: 'too slow' }, 408), 'unavailable', 'not_done', 'unknown', 408],
  ['400', json({ message: 'no' }, 400), 'rejected', 'not_done', 'not_done', 400],
  ['422 with a page', raw(page, 422), 'rejected', 'not_done', 'not_done', 422],
  ['401', json({}, 401), 'unauthorized', 'not_done', 'not_done', 401],
  ['403', json({}, 403), 'unauthorized', 'not_done', 'not_done', 403],
  ['404', json({}, 404), 'not_found', 'not_done', 'not_done', 404],
  ['429', json({}, 429), 'rate_limited', 'not_done', 'not_done', 429],
  ['a redirect', raw('', 302, { location: '/elsewhere' }), 'malformed', 'not_done', 'unknown', 302],
  ['success: false', json({ success: false, message: 'no' }), 'rejected', 'not_done', 'not_done', 200],
  ['status: error', json({ status: 'error', message: 'no' }), 'rejected', 'not_done', 'not_done', 200],
  [
    'status: failed beside data',
    json({ status: 'failed', data: {} }),
    'rejected',
    'not_done',
    'not_done',
    200,
  ],
  ['status: 422 in the body', json({ status: 422, message: 'no' }), 'rejected', 'not_done', 'not_done', 200],
]

describe.each(faults)('%s', (_, respond, kind, onRead, onWrite, status) => {
  it(`on a read is ${kind}, ${onRead}`, async () => {
    recorder.respond = respond
    expect(await errorOf(read())).toMatchObject({
      kind,
      outcome: onRead,
      status,
      service: 'email',
      row: 'getSubscriber',
    })
  })

  it(`on a refund is ${kind}, ${onWrite}, and it was sent once`, async () => {
    recorder.respond = respond
    expect(await errorOf(refund())).toMatchObject({ kind, outcome: onWrite, status, service: 'billing' })
    expect(recorder.requests).toHaveLength(1)
  })

  it(`on an idempotent write is ${kind}, ${onWrite}`, async () => {
    recorder.respond = respond
    expect(await errorOf(update())).toMatchObject({ kind, outcome: onWrite, status })
  })
})

describe.each<[string, Respond]>([
  ['a page of HTML', raw(page, 200, { 'content-type': 'text/html' })],
  ['broken JSON', raw('{"status":"success","da')],
  ['too large an answer', huge],
  ['a payload of another shape', json({ status: 'success', message: 'Done', data: 'yes' })],
])('a 200 with %s', (_, respond) => {
  it('is malformed on a read', async () => {
    recorder.respond = respond
    expect(await errorOf(read())).toMatchObject({ kind: 'malformed', outcome: 'not_done', status: 200 })
  })

  it('leaves open whether a change happened', async () => {
    recorder.respond = respond
    for (const change of [refund, update])
      expect(await errorOf(change())).toMatchObject({ kind: 'malformed', outcome: 'unknown', status: 200 })
  })
})

describe('nothing listens', () => {
  it('so nothing was done, not even a refund', async () => {
    await recorder.stop()
    expect(await errorOf(refund())).toMatchObject({ kind: 'unavailable', outcome: 'not_done' })
    expect(await errorOf(read())).toMatchObject({ kind: 'unavailable', outcome: 'not_done' })
  })

  it('under that name, so nothing was done', async () => {
    const nowhere = servicesAt('http://nowhere.invalid', { retries: 0 })
    expect(await errorOf(refund(nowhere))).toMatchObject({ kind: 'unavailable', outcome: 'not_done' })
    await nowhere.close()
  })

  it('that speaks TLS, so nothing was done and nothing was said in the clear', async () => {
    const plain = createServer((socket) => socket.resume().end('HTTP/1.1 200 OK\r\n\r\n'))
    const { port, close } = await listen(plain)
    const tls = servicesAt(`https://127.0.0.1:${port}`, { retries: 0 })
    expect(await errorOf(refund(tls))).toMatchObject({ kind: 'unavailable', outcome: 'not_done' })
    await tls.close()
    await close()
  })
})

describe('an empty answer', () => {
  it.each([204, 200, 202])('with %i is not the one that the document shows', async (status) => {
    recorder.respond = raw('', status)
    expect(await errorOf(refund())).toMatchObject({ kind: 'malformed', outcome: 'unknown', status })
  })

  it('is one where no document shows any, if its status says that it is empty', async () => {
    const remove = () => services.billing.deleteAddon({ params: { addon_id: 'a' } })
    recorder.respond = raw('', 204)
    await expect(remove()).resolves.toMatchObject({ understood: true })
    recorder.respond = raw('', 200)
    expect(await errorOf(remove())).toMatchObject({ kind: 'malformed', outcome: 'unknown' })
  })

  it('to a read of a shown row is malformed, and so is one without data', async () => {
    recorder.respond = raw('', 204)
    expect(await errorOf(read())).toMatchObject({ kind: 'malformed' })
    recorder.respond = json({ status: 'success', message: 'Done' })
    expect(await errorOf(read())).toMatchObject({ kind: 'malformed' })
    await expect(services.email.findLists()).resolves.toMatchObject({ understood: true, data: undefined })
  })
})

describe("the service's own words", () => {
  const saidFor = async (respond: Respond) => {
    recorder.respond = respond
    return (await errorOf(refund())).serviceMessage
  }

  it('are found wherever a body keeps them', async () => {
    expect(await saidFor(json({ message: ' Payment \n already   refunded ' }, 400))).toBe(
      'Payment already refunded',
    )
    expect(await saidFor(json({ error: 'Too much' }, 400))).toBe('Too much')
    expect(await saidFor(json({ error: { message: 'Too much' } }, 400))).toBe('Too much')
    expect(await saidFor(json({ errors: [{ message: 'One' }, 'Two'] }, 400))).toBe('One; Two')
    expect(await saidFor(json({ success: false, message: 'Card expired' }))).toBe('Card expired')
    expect(await saidFor(raw('plain words', 400))).toBe('plain words')
    expect(await saidFor(json('quoted words', 400))).toBe('quoted words')
  })

  it('are short, and are not markup', async () => {
    const long = await saidFor(json({ message: '😀'.repeat(500) }, 400))
    expect(long).toHaveLength(299)
    expect(long?.isWellFormed()).toBe(true)
    expect(await saidFor(raw(page, 400))).toBeUndefined()
    expect(await saidFor(json({}, 400))).toBeUndefined()
  })

  it('do not repeat our keys, not even with a success', async () => {
    recorder.respond = json({ status: 'success', message: 'Refunded for billing-secret-1' })
    await expect(refund()).resolves.toMatchObject({ message: 'Refunded for [key]' })
    expect(await saidFor(json({ message: 'bad key billing-key-1:billing-secret-1' }, 401))).toBe(
      'bad key [key]:[key]',
    )
  })

  it('keep what only looks like a key that is empty or very short', async () => {
    const baseUrl = recorder.origin
    const short = createServices(
      {
        email: { baseUrl, apiKey: '' },
        chat: { baseUrl, apiKey: 'abc' },
        billing: { baseUrl, apiKey: 'four', secretKey: 'x' },
      },
      { log: quiet },
    )
    recorder.respond = json({ status: 'success', message: 'abc, x and four' })
    await expect(refund(short)).resolves.toMatchObject({ message: 'abc, x and [key]' })
    await short.close()
  })
})
