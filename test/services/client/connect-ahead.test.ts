import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { connectAhead } from '../../../src/lib/services/client/connect-ahead.ts'
import { openRecorder, servicesAt } from '../recorder.ts'

const { recorder, services } = await openRecorder()
let sockets: Socket[] = []
recorder.server.on('connection', (socket: Socket) => sockets.push(socket))
beforeEach(() => {
  recorder.requests.length = 0
  sockets = []
})

const refund = () => services.billing.refundPayment({ params: { payment_id: 'pay_1' }, body: {} })
const expectRefund = async () => {
  services.expect(['billing.refundPayment', 'billing.findTransactions'])
  await expect.poll(() => sockets.length).toBe(1)
}
const portsUsed = () => recorder.requests.map(({ port }) => port)

it('a request that was expected leaves on the connection that was opened for it, and the next one on its own', async () => {
  await expectRefund()
  const [ahead] = sockets.map(({ remotePort }) => remotePort)
  await refund()
  expect(sockets).toHaveLength(1)
  expect(portsUsed()).toEqual([ahead])
  await refund()
  expect(sockets).toHaveLength(2)
})

it('one that comes before its connection stands waits for it and opens no other', async () => {
  services.expect(['billing.refundPayment'])
  await refund()
  expect(sockets).toHaveLength(1)
  expect(recorder.requests).toHaveLength(1)
})

it.each([
  ['the server has closed it', (socket: Socket | undefined) => socket?.end()],
  ['the server has reset it', (socket: Socket | undefined) => socket?.resetAndDestroy()],
  ['the server has spoken first', (socket: Socket | undefined) => socket?.write('HTTP/1.1 408 late\r\n\r\n')],
])('it takes a new connection when %s', async (_, spoil) => {
  await expectRefund()
  spoil(sockets[0])
  await sleep(50)
  expect((await refund()).understood).toBe(true)
  expect(recorder.requests).toHaveLength(1)
  expect(sockets).toHaveLength(2)
})

it.each([
  ['that stands is handed out', 'ahead', {}, 0],
  ['within a second is handed out', 'ahead', {}, 999],
  ['a second ago is not handed out', 'new', {}, 1_000],
  ['that the server has ended is not handed out', 'new', { readyState: 'writeOnly' }, 0],
  ['that is closed is not handed out', 'new', { readyState: 'closed' }, 0],
  ['on which something came is not handed out', 'new', { readableLength: 1 }, 0],
])('a connection opened ahead %s', async (_, taken, state, ageMs) => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(5_000)
  onTestFinished(() => clock.mockRestore())
  const destroyed: string[] = []
  const socket = (name: string, more = {}) =>
    ({
      name,
      readyState: 'open',
      readableLength: 0,
      destroy: () => destroyed.push(name),
      ...more,
    }) as unknown as Socket
  const opening = [socket('ahead', state), socket('new')]
  const connector = connectAhead(
    (_, callback) => callback(null, opening.shift() as Socket),
    'http://127.0.0.1',
  )
  connector.expect()
  clock.mockReturnValue(5_000 + ageMs)
  const { promise, resolve } = Promise.withResolvers<Socket | null>()
  const options = { hostname: '127.0.0.1', protocol: 'http:', port: '80' }
  connector.connect(options, (...[, given]) => resolve(given))
  expect(await promise).toMatchObject({ name: taken })
  expect(destroyed).toEqual(taken === 'new' ? ['ahead'] : [])
})

it('a connection that nobody used for a second is given up', async () => {
  await expectRefund()
  await expect.poll(() => sockets[0]?.readableEnded).toBe(true)
  await refund()
  expect(sockets).toHaveLength(2)
})

it('after a standstill of the process an old connection is not used, though no timer has run', async () => {
  await expectRefund()
  await sleep(20)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_100)
  await refund()
  expect(sockets).toHaveLength(2)
  expect(recorder.requests).toHaveLength(1)
})

it('what may be repeated needs no connection of its own', async () => {
  services.expect(['billing.findTransactions', 'email.updateSubscriber'])
  await sleep(50)
  expect(sockets).toHaveLength(0)
})

it('a service that cannot be reached is told by the request, not by the attempt before it', async () => {
  const nowhere = servicesAt('http://127.0.0.1:9')
  nowhere.expect(['billing.refundPayment'])
  await sleep(20)
  const error = await nowhere.billing
    .refundPayment({ params: { payment_id: 'pay_1' }, body: {} })
    .catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ kind: 'unavailable', outcome: 'not_done' })
  await nowhere.close()
})
