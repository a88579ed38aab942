import type { App as Bolt, Receiver, ReceiverEvent } from '@slack/bolt'
import type { Log } from '../../../src/log.ts'
import type { AckQueue } from '../../../src/messenger/ack-queue.ts'
import { slackErrorFields } from '../api/errors.ts'

/** What a delivery passes on its way to Bolt, whichever way it came. It knows what is under way. */
export type DeliveryQueue = {
  /** A receiver whose deliveries pass here: acknowledged first, if they say all that they have to say with that. */
  wrap(receiver: Receiver): Receiver
  /** What was acknowledged is worked on in its turn, and not even read before. */
  enqueue(read: () => ReceiverEvent['body']): void
  idle(): Promise<void>
}

export const createDeliveryQueue = (ackQueue: AckQueue, log: Log): DeliveryQueue => {
  let bolt: Bolt | undefined
  let underWay = 0
  let settled = Promise.withResolvers<void>()
  const begin = (): void => {
    if (underWay++ === 0) settled = Promise.withResolvers()
  }
  const end = (): void => {
    if (--underWay === 0) settled.resolve()
  }
  const failed = (error: unknown): void => {
    log.warn(slackErrorFields(error), 'a Slack delivery could not be read')
    end()
  }
  const enqueue: DeliveryQueue['enqueue'] = (read) => {
    begin()
    ackQueue(async () => bolt?.processEvent({ body: read(), ack: async () => undefined })).then(end, failed)
  }
  const processEvent = async (event: ReceiverEvent): Promise<void> => {
    const { body, ack } = event
    if (!isAckedFirst(body)) {
      begin()
      return bolt?.processEvent(event).finally(end)
    }
    const acked = ack()
    enqueue(() => body)
    await acked
  }
  return {
    wrap: (receiver) => ({
      init: (app) => {
        bolt = app
        receiver.init({ processEvent } as Bolt)
      },
      start: (...args) => receiver.start(...args),
      stop: (...args) => receiver.stop(...args),
    }),
    enqueue,
    idle: () => (underWay === 0 ? Promise.resolve() : settled.promise),
  }
}

/** A command or an event: Slack wants to hear that it came, and no more. A click may decide, which is stored first. */
const isAckedFirst = ({ type, command, event }: ReceiverEvent['body']): boolean =>
  type === 'event_callback'
    ? typeof event === 'object' && event !== null
    : type === undefined && typeof command === 'string'
