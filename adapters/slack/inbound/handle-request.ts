import type { FetchFile, Inbound, Intent, Reply } from '../../../src/kernel/messenger/inbound.ts'
import {
  ackOnceStored,
  notCounted,
  notTaken,
  type Stored,
  storedWithin,
} from '../../../src/kernel/messenger/intake.ts'
import { isRefusedForGood } from '../../../src/kernel/messenger/messenger.ts'
import { orAfter } from '../../../src/lib/retry.ts'
import { refusalView } from '../../../src/lib/view/refusals.ts'
import type { View } from '../../../src/lib/view/view.ts'
import { slackErrorFields } from '../api/errors.ts'
import type { SharedFile } from '../api/file-download.ts'
import { dispatchRequest, type SlackRequest, slackSenderOf } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { deliverReply, replyPrivately } from '../reply/deliver-reply.ts'
import { startProgressNotice } from '../reply/progress-notice.ts'

type HandleOptions = {
  forms?: boolean
  attached?: Inbound['attached']
  mapReply?: (reply: Reply) => Reply
  /** For a press that changes something: acknowledged once it is stored, so that what was acknowledged is never forgotten. */
  ack?: () => Promise<void>
  /** Acknowledges with words that it does not count; without it they are said before the acknowledgement. */
  ackNotCounted?: () => Promise<void>
}

/**
 * One request from its acknowledgement to its answer: true if it was answered. Nothing that goes wrong here reaches Bolt. A
 * press that was not stored is acknowledged when its answer is there, and never without one: then Slack itself shows
 * that it failed.
 */
export const handleRequest = async (
  slack: SlackContext,
  request: SlackRequest,
  intent: Intent,
  { forms = false, attached, mapReply = (reply) => reply, ack, ackNotCounted }: HandleOptions = {},
): Promise<boolean> => {
  const acked = once(ack)
  const work = (stored?: () => void) => dispatchRequest(slack, request, intent, { forms, stored, attached })
  const notice = ack === undefined ? startProgressNotice(slack, request) : undefined
  try {
    const reply = await (ack === undefined
      ? work()
      : ackOnceStored(work, {
          withinMs: ackWithinMs,
          ack: acked,
          tooLate: once(ackNotCounted ?? (() => sayNotCounted(slack, request, acked))),
        }))
    await deliverReply(slack, request, mapReply(reply), await notice?.settle())
    await acked()
    return true
  } catch (error) {
    await noteUnanswered(slack, request, error)
    return false
  } finally {
    await notice?.settle()
  }
}

/** The words first. The decision goes on meanwhile, and what comes of it is answered too. */
const sayNotCounted = async (
  slack: SlackContext,
  request: SlackRequest,
  acked: () => Promise<void>,
): Promise<void> => {
  const said = replyPrivately(slack, request, refusalView(notCounted), undefined).then(
    () => true,
    () => false,
  )
  if (await orAfter(wordsWithinMs, false, said)) await acked()
}

/** No way to the person took the answer. */
const noteUnanswered = async (slack: SlackContext, request: SlackRequest, error: unknown): Promise<void> => {
  slack.log.error(slackErrorFields(error), 'an answer could not be brought to Slack')
  if (isRefusedForGood(error)) await slack.bot.undelivered(await slackSenderOf(slack, request), error)
}

/** What is acknowledged is stored: true if somebody works on it now, false for a copy and where the store is slow. */
export const storeRequest = async (
  { bot, log, givenUp }: SlackContext,
  { delivery, account, isTaken }: SlackRequest,
  payload: unknown,
): Promise<Stored> => {
  if (isTaken) return 'first'
  // A form that was not taken is sent again as the same delivery: the first one is forgotten before it counts.
  const storing = (givenUp.get(delivery) ?? Promise.resolve()).then(() =>
    bot.intake.take('slack', delivery, { account, payload }),
  )
  const forget = async (isFirst: boolean) => isFirst && bot.intake.forget('slack', delivery)
  const stored = await storedWithin(ackWithinMs, storing, {
    onLate: () => undefined,
    onFailure: (error) => log.error(slackErrorFields(error), 'a Slack delivery could not be stored'),
  })
  if (stored === 'slow') {
    const forgotten = storing.then(forget).catch(() => undefined)
    givenUp.set(
      delivery,
      forgotten.finally(() => givenUp.delete(delivery)),
    )
  }
  return stored
}

/** Acknowledges what asks for something once it is stored, or once whoever asked has read that it is not; then works on it. */
export const takeRequest = async (
  slack: SlackContext,
  request: SlackRequest,
  { payload, ack }: { payload: unknown; ack(): Promise<void> },
  handle: (request: SlackRequest) => Promise<unknown>,
): Promise<void> => {
  const stored = await storeRequest(slack, request, payload)
  if (stored === 'slow') {
    if (await tell(slack, request, refusalView(notTaken))) await ack()
    return
  }
  await ack()
  if (stored !== 'repeated') await handleTaken(slack, request, stored, handle)
}

/** True if whoever asked has it. */
export const tell = async (slack: SlackContext, request: SlackRequest, view: View): Promise<boolean> => {
  try {
    await replyPrivately(slack, request, view, undefined)
    return true
  } catch (error) {
    await noteUnanswered(slack, request, error)
    return false
  }
}

/** Works on what was taken in, until it is answered. */
export const handleTaken = async (
  slack: SlackContext,
  request: SlackRequest,
  stored: Stored,
  handle: (request: SlackRequest) => Promise<unknown>,
): Promise<void> => {
  if (stored !== 'first') return void (await handle(request))
  await handle({ ...request, isTaken: true })
  await slack.bot.intake.done('slack', request.delivery).catch((error: unknown) => {
    slack.log.warn(slackErrorFields(error), 'an answered delivery could not be noted')
  })
}

/** Slack waits three seconds; within them, the person who pressed reads that a slow store has not counted it. */
const ackWithinMs = 2_000

/** What is left of them after that, for words to arrive. */
const wordsWithinMs = 800

const once = (ack: (() => Promise<void>) | undefined): (() => Promise<void>) => {
  let isDone = ack === undefined
  return async () => {
    if (isDone) return
    isDone = true
    await ack?.().catch(() => undefined)
  }
}

/** The file that came with a request, for when the right to run its command is known. */
export const fileOf =
  ({ fileDownloader, log }: SlackContext, file: SharedFile): FetchFile =>
  async () => {
    const fetched = await fileDownloader.fetch(file)
    if (!fetched.ok) log.warn({ code: fetched.refusal.code }, 'a file was not taken')
    return fetched
  }
