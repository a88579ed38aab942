import type { App as Bolt, Receiver, ReceiverEvent } from '@slack/bolt'
import type { Turns } from '../../src/pipeline/turns.ts'
import type { Log } from '../../src/pipeline/world.ts'
import { faultOf } from './errors.ts'

/** What a delivery passes on its way to Bolt, whichever way it came. It knows what is under way. */
export type Door = {
  /** A receiver whose deliveries pass here: acknowledged first, if they say all that they have to say with that. */
  before(receiver: Receiver): Receiver
  /** What was acknowledged is worked on in its turn, and not even read before. */
  later(read: () => ReceiverEvent['body']): void
  settled(): Promise<void>
}

export const createDoor = (turns: Turns, log: Log): Door => {
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
    log.warn(faultOf(error), 'a Slack delivery could not be read')
    end()
  }
  const later: Door['later'] = (read) => {
    begin()
    turns(async () => bolt?.processEvent({ body: read(), ack: async () => undefined })).then(end, failed)
  }
  const processEvent = async (event: ReceiverEvent): Promise<void> => {
    const { body, ack } = event
    if (!isEmptyAck(body)) {
      begin()
      return bolt?.processEvent(event).finally(end)
    }
    const acked = ack()
    later(() => body)
    await acked
  }
  return {
    before: (receiver) => ({
      init: (app) => {
        bolt = app
        receiver.init({ processEvent } as Bolt)
      },
      start: (...args) => receiver.start(...args),
      stop: (...args) => receiver.stop(...args),
    }),
    later,
    settled: () => (underWay === 0 ? Promise.resolve() : settled.promise),
  }
}

/** A command or an event: Slack wants to hear that it came, and no more. A click may decide, which is stored first. */
const isEmptyAck = ({ type, command, event }: ReceiverEvent['body']): boolean =>
  type === 'event_callback'
    ? typeof event === 'object' && event !== null
    : type === undefined && typeof command === 'string'
