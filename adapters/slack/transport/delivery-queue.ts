import type { AckFn, App, BlockAction, Receiver, ReceiverEvent, SlashCommand } from '@slack/bolt'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import { notTaken, refuseUnstored, type Stored, storedWithin } from '../../../src/kernel/messenger/intake.ts'
import { msBetween, ticks } from '../../../src/lib/clock.ts'
import type { Log } from '../../../src/lib/log.ts'
import { orAfter } from '../../../src/lib/retry.ts'
import { type Refusal, refusalLine } from '../../../src/lib/view/refusals.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { slackErrorFields } from '../api/errors.ts'

type Body = ReceiverEvent['body']

/** Most of what comes is a command or a press, and nothing that Bolt makes for its listeners is needed for those. */
type Listeners = {
  /** True if it was answered. */
  command(command: SlashCommand, storing: Promise<Stored>): Promise<boolean>
  press(press: BlockAction, ack: AckFn<void>, isTaken?: boolean): Promise<void>
  bolt(event: ReceiverEvent): Promise<void>
}

/** What a delivery passes on its way to Bolt, whichever way it came. It knows what is under way. */
export type DeliveryQueue = {
  /** The deliveries of the receiver pass here: a command or an event is stored before it is acknowledged. */
  connect(receiver: Receiver, listeners: Listeners): void
  /**
   * Stores a command or an event, and works on it in its turn. Only a look-up is begun before it is stored. Says with which
   * words it is acknowledged, and undefined where Slack shall deliver an event again. Without its memory the bot answers
   * before it acknowledges, or acknowledges with words: nobody takes silence for success.
   */
  take(body: Body): Promise<Acknowledgement | undefined>
  /** Works on what a process that died had acknowledged. */
  again(body: Body): Promise<void>
  idle(): Promise<void>
}

export type Acknowledgement = { words?: string }

/** Of the three seconds that Slack waits. */
const storeWithinMs = 2_000
/** For an answer to what could not be stored. */
const answerWithinMs = 2_700

export const createDeliveryQueue = (
  { ackQueue, intake }: Pick<Bot, 'ackQueue' | 'intake'>,
  log: Log,
  onRateLimited: () => void,
  isForUs: (body: Body) => Promise<boolean> = async () => true,
  /** The id that the rest of the bot knows the sender of a delivery by. */
  named: (body: Body, account: string) => string = (_, account) => account,
): DeliveryQueue => {
  let listeners: Listeners | undefined
  let underWay = 0
  let settled = Promise.withResolvers<void>()
  const begin = (): void => {
    if (underWay++ === 0) settled = Promise.withResolvers()
  }
  const end = (): void => {
    if (--underWay === 0) settled.resolve()
  }
  const done = async (body: Body): Promise<void> => {
    if (!isCommand(body) && !isEvent(body)) return
    const { delivery } = idOf(body)
    await intake.done('slack', delivery).catch((error: unknown) => {
      log.warn(slackErrorFields(error), 'an answered delivery could not be noted')
    })
  }
  const work = async (body: Body, storing: Promise<Stored>): Promise<boolean> => {
    try {
      if (isCommand(body))
        return (await listeners?.command(body as unknown as SlashCommand, storing)) ?? false
      const isTaken = (await storing) === 'first'
      const ack = async () => undefined
      if (isPress(body)) await press(body, ack, isTaken)
      else await listeners?.bolt({ body, ack, customProperties: { isTaken } })
      return true
    } catch (error) {
      log.warn(slackErrorFields(error), 'a Slack delivery could not be read')
      return false
    }
  }
  const enqueue = (body: Body, storing: Promise<Stored>): Promise<boolean> => {
    begin()
    const answered = ackQueue(() => work(body, storing), {
      account: named(body, idOf(body).account),
      line: saidIn(body),
      storing,
    })
    // The next one begins when this is answered; only stopping waits for it to be noted.
    void answered.then(async () => ((await storing) === 'first' ? done(body) : undefined)).then(end, end)
    return answered
  }
  const store = (body: Body, onFailure: (error: unknown) => void): Promise<Stored> => {
    const { delivery, account } = idOf(body)
    const what = {
      account: named(body, account),
      payload: withoutToken(body),
      ...(isStepRun(body) ? { waits: true } : {}),
    }
    return storedWithin(storeWithinMs, intake.take('slack', delivery, what), {
      // The sender of a command was told that it was not taken. An event is delivered again and is found to be stored.
      onLate: () => (isCommand(body) ? done(body) : enqueue(body, first)),
      onFailure: (error) => {
        log.error(slackErrorFields(error), 'a Slack delivery could not be stored')
        onFailure(error)
      },
    })
  }
  const take = async (body: Body): Promise<Acknowledgement | undefined> => {
    const started = ticks()
    // What people say to each other is not stored; whether it is about a card is asked of the store.
    if (isEvent(body) && isChannelMessage(body)) {
      const isOurs = await isForUs(body).catch(() => undefined)
      if (isOurs !== true) return isOurs === undefined ? undefined : {}
    }
    let failure: unknown
    const storing = store(body, (error) => {
      failure = error
    })
    // A command is looked at while it is being stored, and an event afterwards.
    const answered = isCommand(body) ? enqueue(body, storing) : undefined
    const stored = await storing
    if (answered === undefined) {
      if (stored === 'slow') return undefined
      if (stored !== 'repeated') void enqueue(body, storing)
      return {}
    }
    if (stored === 'slow') return { words: notTakenWords }
    if (stored !== 'not stored') return {}
    const left = answerWithinMs - msBetween(started, ticks())
    const isAnswered = await orAfter(left, false, answered)
    return isAnswered ? {} : { words: notStoredWords(refuseUnstored(failure) ?? notTaken) }
  }
  /** As with Bolt, what a listener throws is logged, and what cannot be read at all is refused. */
  const press = async (body: Body, ack: AckFn<void>, isTaken?: boolean): Promise<void> => {
    if (!Array.isArray(body.actions) || !isRecord(body.user)) throw new Error('a press without its button')
    await listeners?.press(body as unknown as BlockAction, ack, isTaken).catch((error: unknown) => {
      log.error(slackErrorFields(error), 'a Slack press could not be handled')
    })
  }
  const processEvent = async (event: ReceiverEvent): Promise<void> => {
    const { body, ack } = event
    // What Slack only lets us know: that it held events back, that somebody closed a modal. Bolt would take neither.
    if (body.type === 'app_rate_limited') onRateLimited()
    if (body.type === 'app_rate_limited' || body.type === 'view_closed') return ack()
    if (!isCommand(body) && !isEvent(body)) {
      begin()
      return (isPress(body) ? press(body, ack) : listeners?.bolt(event))?.finally(end)
    }
    const taken = await take(body)
    if (taken?.words !== undefined) return ack({ response_type: 'ephemeral', text: taken.words })
    if (taken !== undefined) await ack()
  }
  return {
    connect: (receiver, given) => {
      listeners = given
      receiver.init({ processEvent } as App)
    },
    take,
    again: async (body) => {
      await work(body, first)
      await done(body)
    },
    idle: () => (underWay === 0 ? Promise.resolve() : settled.promise),
  }
}

const first = Promise.resolve<Stored>('first')

const notStoredWords = (why: Refusal): string =>
  `${why.message} A look-up may still be answered. ${plainWords(why.next)}`

/** The answer to a command that could not be stored in time. */
export const notTakenWords = refusalLine(notTaken)

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null

const isCommand = ({ type, command }: Body): boolean => type === undefined && typeof command === 'string'

const isPress = ({ type }: Body): boolean => type === 'block_actions'

const isEvent = ({ type, event }: Body): boolean =>
  type === 'event_callback' && typeof event === 'object' && event !== null

/** A step of a workflow: it waits, however late it is worked on. */
const isStepRun = ({ event }: Body): boolean =>
  isRecord(event) && (event as { type?: unknown }).type === 'function_executed'

/** The token that comes with a step is not needed, so it is not kept. */
const withoutToken = (body: Body): Body => {
  if (!isStepRun(body)) return body
  const { bot_access_token: _, ...event } = body.event as Record<string, unknown>
  return { ...body, event }
}

/** A message in a channel, which the bot hears only with scopes that it can do without. */
const isChannelMessage = ({ event }: Body): boolean => {
  const { type, channel_type } = event as { type?: unknown; channel_type?: unknown }
  return type === 'message' && channel_type !== 'im'
}

/** What somebody typed, without whom it was said to. */
const saidIn = (body: Body): string => {
  const text = isCommand(body) ? body.text : (body.event as { text?: unknown }).text
  return typeof text === 'string' ? text.slice(0, 200).replace(/^\s*<@\w+>/, '') : ''
}

const idOf = (body: Body): { delivery: string; account: string } =>
  isCommand(body)
    ? { delivery: `command:${body.trigger_id}`, account: String(body.user_id) }
    : { delivery: `event:${body.event_id}`, account: String((body.event as { user?: unknown }).user ?? '') }
