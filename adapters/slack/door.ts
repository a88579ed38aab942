import type { App as Bolt, Receiver, ReceiverEvent } from '@slack/bolt'
import type { Turns } from '../../src/pipeline/turns.ts'
import type { Log } from '../../src/pipeline/world.ts'
import { faultOf } from './errors.ts'

/** Stands between a receiver and Bolt, and knows what is under way. */
export type Door = { receiver: Receiver; settled(): Promise<unknown> }

/** A delivery that says all it has to say with its acknowledgement is acknowledged first, and worked on in its turn. */
export const createDoor = (receiver: Receiver, turns: Turns, log: Log): Door => {
  const underWay = new Set<Promise<void>>()
  const kept = (work: Promise<void>): Promise<void> => {
    underWay.add(work)
    return work.finally(() => underWay.delete(work))
  }
  const later = async (bolt: Bolt, delivery: Omit<ReceiverEvent, 'ack'>): Promise<void> => {
    try {
      await turns(() => bolt.processEvent({ ...delivery, ack: async () => undefined }))
    } catch (error) {
      log.warn(faultOf(error), 'a Slack delivery could not be read')
    }
  }
  const pass = async (bolt: Bolt, event: ReceiverEvent): Promise<void> => {
    if (!isEmptyAck(event.body)) return kept(bolt.processEvent(event))
    // Nothing of the request waits with the work: thousands may be waiting.
    const { ack, ...delivery } = event
    const acked = ack()
    void kept(later(bolt, delivery))
    await acked
  }
  return {
    receiver: {
      init: (bolt) => receiver.init({ processEvent: (event) => pass(bolt, event) } as Bolt),
      start: (...args) => receiver.start(...args),
      stop: (...args) => receiver.stop(...args),
    },
    settled: () => Promise.allSettled(underWay),
  }
}

/** A command or an event: Slack wants to hear that it came, and no more. A click may decide, which is stored first. */
const isEmptyAck = ({ type, command, event }: ReceiverEvent['body']): boolean =>
  type === 'event_callback'
    ? typeof event === 'object' && event !== null
    : type === undefined && typeof command === 'string'
