import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startSandbox } from '../../sandbox/sandbox.ts'
import { until } from '../harness/until.ts'
import { authorization, createSandboxClient, november, openSandbox } from './client.ts'

const { sandbox, ask } = await openSandbox()

const refund = () => ask('billing', 'POST', '/transaction/refund/pay_1001', { amount: 20 })
const refunds = () => sandbox.state.billing.refunds.filter((one) => one.payment_id === 'pay_1001').length
const raw = (signal?: AbortSignal) =>
  fetch(`${sandbox.billing.baseUrl}/transaction/refund/pay_1001`, {
    method: 'POST',
    headers: { authorization: authorization(sandbox, 'billing'), 'content-type': 'application/json' },
    body: '{"amount":20}',
    ...(signal && { signal }),
  })

/** What a plain socket receives until the other side hangs up. */
function bytesOf(body: string): Promise<string> {
  const { hostname, port, pathname } = new URL(`${sandbox.billing.baseUrl}/transaction/refund/pay_1001`)
  return new Promise((resolve) => {
    let received = ''
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        [
          `POST ${pathname} HTTP/1.1`,
          `Host: ${hostname}`,
          `Authorization: ${authorization(sandbox, 'billing')}`,
          'Content-Type: application/json',
          `Content-Length: ${body.length}`,
          '',
          body,
        ].join('\r\n'),
      ),
    )
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(received))
  })
}

test('a delayed request takes effect and is answered late', async () => {
  sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 120 })
  const begun = performance.now()
  expect((await refund()).status).toBe(200)
  // A timer may be late on a busy machine, and is never early.
  expect(performance.now() - begun).toBeGreaterThan(110)
  expect(refunds()).toBe(1)
})

test('what a delay holds back is answered when the faults are cleared', async () => {
  sandbox.fault({ row: 'refundPayment', kind: 'delay', ms: 600_000 })
  const before = sandbox.wire.length
  const answered = refund()
  await until(() => expect(sandbox.wire.length).toBe(before + 1))
  expect(refunds()).toBe(0)
  sandbox.clearFaults()
  expect((await answered).status).toBe(200)
  expect(refunds()).toBe(1)
})

test.each([
  [500, undefined],
  [503, 503],
])('a status fault answers %i and has no effect', async (status, asked) => {
  sandbox.fault({ service: 'billing', kind: 'status', ...(asked && { status: asked }) })
  expect(await refund()).toMatchObject({ status, body: { success: false } })
  expect(refunds()).toBe(0)
})

test('a rate limit says when to come back, and has no effect', async () => {
  sandbox.fault({ kind: 'rate_limit', retryAfter: 7 })
  const said = await refund()
  expect([said.status, said.headers.get('retry-after')]).toEqual([429, '7'])
  expect(refunds()).toBe(0)
})

test('an HTML page comes as a bad gateway without effect, or as a success with it', async () => {
  sandbox.fault({ kind: 'html' })
  const bad = await raw()
  expect([bad.status, bad.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
  expect(refunds()).toBe(0)
  sandbox.fault({ kind: 'html', status: 200 })
  const odd = await raw()
  expect([odd.status, (await odd.text()).includes('<html>')]).toEqual([200, true])
  expect(refunds()).toBe(1)
})

test('garbage and wrong shapes hide an effect', async () => {
  sandbox.fault({ kind: 'garbage' })
  const garbage = await (await raw()).text()
  expect(() => JSON.parse(garbage)).toThrow()
  sandbox.fault({ kind: 'wrong_shape' })
  const odd = await refund()
  expect([odd.status, odd.body.status, odd.body.success]).toEqual([200, undefined, undefined])
  expect(refunds()).toBe(2)
})

test('a huge answer goes on until the reader has had enough', async () => {
  sandbox.fault({ kind: 'huge' })
  const response = await raw()
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > 8_000_000) break
  }
  expect(size).toBeGreaterThan(8_000_000)
  expect(refunds()).toBe(1)
  expect((await refund()).status).toBe(200)
})

test('a connection dropped before the effect sends no byte and does nothing', async () => {
  sandbox.fault({ kind: 'drop_before' })
  expect(await bytesOf('{"amount":20}')).toBe('')
  expect(refunds()).toBe(0)
})

test('a connection dropped after the effect sends no byte and has done it', async () => {
  sandbox.fault({ kind: 'drop_after' })
  expect(await bytesOf('{"amount":20}')).toBe('')
  expect(refunds()).toBe(1)
})

test('a request that hangs has been done, and closing ends it', async () => {
  const own = await startSandbox({ now: () => november })
  own.fault({ kind: 'hang_after' })
  const asked = createSandboxClient(own)('billing', 'POST', '/transaction/refund/pay_1001', { amount: 20 })
  const ended = asked.then(
    () => 'answered',
    () => 'cut',
  )
  expect(await Promise.race([ended, pause(150, 'silent')])).toBe('silent')
  expect(own.state.billing.refunds.at(-1)).toMatchObject({ payment_id: 'pay_1001', amount: 20 })
  await own.close()
  expect(await ended).toBe('cut')
})

test('closing cuts a delayed answer, and the delayed effect does not happen afterwards', async () => {
  const own = await startSandbox({ now: () => november })
  own.fault({ kind: 'delay', ms: 300 })
  const asked = createSandboxClient(own)('billing', 'POST', '/transaction/refund/pay_1001', {}).catch(
    () => 'cut',
  )
  while (own.wire.length === 0) await pause(5)
  await own.close()
  expect(await asked).toBe('cut')
  await pause(400)
  expect(own.state.billing.refunds.some((one) => one.payment_id === 'pay_1001')).toBe(false)
})

test('a reset forgets the faults', async () => {
  sandbox.fault({ kind: 'status' })
  sandbox.reset()
  expect((await refund()).status).toBe(200)
})

test('a fault is for its service, row, method and path, and as often as it says', async () => {
  sandbox.fault({ service: 'email', kind: 'status' })
  sandbox.fault({ row: 'findRefunds', kind: 'status' })
  sandbox.fault({ method: 'PUT', kind: 'status' })
  sandbox.fault({ path: '/transaction/refund/pay_1002', kind: 'status' })
  expect((await refund()).status).toBe(200)
  sandbox.clearFaults()
  sandbox.fault({ path: '/transaction/refund', kind: 'status', times: 2 })
  expect([(await refund()).status, (await refund()).status, (await refund()).status]).toEqual([500, 500, 200])
  sandbox.fault({ kind: 'status', times: Number.POSITIVE_INFINITY })
  for (let round = 0; round < 5; round++) expect((await refund()).status).toBe(500)
  sandbox.clearFaults()
  expect((await refund()).status).toBe(200)
})

test('a fault that names no row of the tables is an error, not a surprise', () => {
  expect(() => sandbox.fault({ row: 'refundPaymnt' as 'refundPayment', kind: 'status' })).toThrow()
})

test('faults, the wire and the reset can be reached over HTTP', async () => {
  const { origin } = new URL(sandbox.email.baseUrl)
  const post = (path: string, body: string) => fetch(`${origin}${path}`, { method: 'POST', body })
  expect((await post('/faults', '{"kind":"status","status":418}')).status).toBe(200)
  expect((await refund()).status).toBe(418)
  expect((await post('/faults', '{"kind":"earthquake"}')).status).toBe(400)
  expect((await post('/faults', 'hello')).status).toBe(400)
  await refund()
  const { wire } = (await (await fetch(`${origin}/wire`)).json()) as {
    wire: { row: string; headers: { authorization: string } }[]
  }
  expect(wire.map((one) => one.row)).toEqual(['refundPayment', 'refundPayment'])
  expect(wire[0]?.headers.authorization).toBe('withheld')
  await post('/reset', '')
  expect([sandbox.wire.length, refunds()]).toEqual([0, 0])
})
