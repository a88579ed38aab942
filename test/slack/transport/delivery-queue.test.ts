import type { App as Bolt, Receiver, ReceiverEvent } from '@slack/bolt'
import { expect, it } from 'vitest'
import { createDeliveryQueue } from '../../../adapters/slack/transport/delivery-queue.ts'
import { isTakenIn, type Stored } from '../../../src/kernel/messenger/intake.ts'
import { createLog } from '../../../src/lib/log.ts'

/** The queue between a receiver and Bolt, with a store that answers when the test says so. */
const openQueue = () => {
  const stored = Promise.withResolvers<boolean>()
  const begun: unknown[] = []
  const seen: { body: unknown; isTaken: unknown }[] = []
  const done: string[] = []
  const queue = createDeliveryQueue(
    {
      ackQueue: (work) => work(),
      intake: {
        take: () => stored.promise,
        done: async (_, delivery) => void done.push(delivery),
        forget: async () => undefined,
      },
    },
    createLog('silent'),
    () => undefined,
  )
  let processEvent: Bolt['processEvent'] = async () => undefined
  const receiver = {
    init: (app: Bolt) => {
      processEvent = app.processEvent
    },
  } as unknown as Receiver
  const command = async (body: unknown, storing: Promise<Stored>) => {
    begun.push(body)
    const stored = await storing
    if (isTakenIn(stored)) seen.push({ body, isTaken: stored === 'first' })
    return true
  }
  const press = async (body: unknown) => void seen.push({ body, isTaken: undefined })
  const bolt = async ({ body, customProperties }: ReceiverEvent) => {
    seen.push({ body, isTaken: customProperties?.isTaken })
  }
  queue.connect(receiver, { command, press, bolt })
  const deliver = (body: Record<string, unknown>) => {
    const acks: unknown[] = []
    const ended = processEvent({ body, ack: async (answer) => void acks.push(answer) })
    return { acks, ended }
  }
  return { queue, stored, begun, seen, done, deliver }
}

const command = { command: '/refund', text: 'pay_1 20', trigger_id: 't1', user_id: 'U1' }
const event = { type: 'event_callback', event_id: 'E1', event: { type: 'message', user: 'U1' } }

it.each([command, event])('is acknowledged when it is stored, and not before', async (body) => {
  const { stored, seen, done, deliver } = openQueue()
  const { acks, ended } = deliver(body)
  await new Promise(setImmediate)
  expect(acks).toEqual([])
  expect(seen).toEqual([])
  stored.resolve(true)
  await ended
  expect(acks).toHaveLength(1)
  await expect.poll(() => done).toHaveLength(1)
  expect(seen).toEqual([{ body, isTaken: true }])
})

it('a command is looked at while it is being stored, and an event is not', async () => {
  const { begun, deliver } = openQueue()
  deliver(command)
  deliver(event)
  await new Promise(setImmediate)
  expect(begun).toEqual([command])
})

it('a copy is acknowledged and not worked on', async () => {
  const { stored, seen, deliver } = openQueue()
  stored.resolve(false)
  const { acks, ended } = deliver(command)
  await ended
  expect([acks.length, seen.length]).toEqual([1, 0])
})

it('without a database it is worked on all the same, and is not taken for stored', async () => {
  const { stored, seen, deliver } = openQueue()
  stored.reject(new Error('down'))
  const { ended } = deliver(command)
  await ended
  await expect.poll(() => seen).toEqual([{ body: command, isTaken: false }])
})

it('a command that is not stored within two seconds says so, and is not done afterwards', async () => {
  const { stored, seen, done, deliver } = openQueue()
  const { acks, ended } = deliver(command)
  await ended
  expect(acks).toEqual([{ response_type: 'ephemeral', text: expect.stringContaining('Send it again') }])
  stored.resolve(true)
  await expect.poll(() => done).toEqual(['command:t1'])
  expect(seen).toEqual([])
})

it('an event that is not stored within two seconds is not acknowledged, and is done once it is stored', async () => {
  const { stored, seen, deliver } = openQueue()
  const { acks, ended } = deliver(event)
  await ended
  expect(acks).toEqual([])
  stored.resolve(true)
  await expect.poll(() => seen).toEqual([{ body: event, isTaken: true }])
})

it('what a dead process had acknowledged is worked on as stored', async () => {
  const { queue, seen, done } = openQueue()
  await queue.again(command)
  expect(seen).toEqual([{ body: command, isTaken: true }])
  expect(done).toEqual(['command:t1'])
})
