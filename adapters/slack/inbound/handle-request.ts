import type { RawFile } from '../../../src/command/line/coerce.ts'
import type { Intent, Reply } from '../../../src/messenger/inbound.ts'
import { notCounted, refusalView } from '../../../src/view/refusals.ts'
import { slackErrorFields } from '../api/errors.ts'
import type { SharedFile } from '../api/file-download.ts'
import { dispatchRequest, type SlackRequest } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { deliverReply, replyPrivately } from '../reply/deliver-reply.ts'
import { startProgressNotice } from '../reply/progress-notice.ts'

type HandleOptions = {
  forms?: boolean
  mapReply?: (reply: Reply) => Reply
  /** For a decision: acknowledged once it is stored, so that what was acknowledged is never forgotten. */
  ack?: () => Promise<void>
}

/** One request from its acknowledgement to its answer. Nothing that goes wrong here reaches Bolt. */
export const handleRequest = async (
  slack: SlackContext,
  request: SlackRequest,
  intent: Intent,
  { forms = false, mapReply = (reply) => reply, ack }: HandleOptions = {},
): Promise<void> => {
  const acked = once(ack)
  const late = setTimeout(() => {
    if (ack !== undefined)
      void replyPrivately(slack, request, refusalView(notCounted), undefined).catch(() => undefined)
    acked()
  }, ackWithinMs)
  // What a press does shows on its own card.
  const notice = request.isPress ? undefined : startProgressNotice(slack, request)
  try {
    const stored = () => {
      clearTimeout(late)
      acked()
    }
    const reply = await dispatchRequest(slack, request, intent, { forms, stored })
    stored()
    await deliverReply(slack, request, mapReply(reply), await notice?.settle())
  } catch (error) {
    slack.log.error(slackErrorFields(error), 'an answer could not be brought to Slack')
  } finally {
    clearTimeout(late)
    acked()
    await notice?.settle()
  }
}

/** Slack waits three seconds; whoever pressed hears within them that a slow store has not counted it. */
const ackWithinMs = 2_000

const once = (ack: (() => Promise<void>) | undefined): (() => void) => {
  let isDone = ack === undefined
  return () => {
    if (isDone) return
    isDone = true
    ack?.().catch(() => undefined)
  }
}

/** The file that came with a request; whoever sent one that cannot be had is told. */
export const takeAttachment = async (
  slack: SlackContext,
  request: SlackRequest,
  file: SharedFile,
): Promise<RawFile | undefined> => {
  const fetched = await slack.fileDownloader.fetch(file)
  if (fetched.ok) return fetched.value
  slack.log.warn({ reason: fetched.refusal.message.replace(/^.* (is|could)/, '$1') }, 'a file was not taken')
  await replyPrivately(slack, request, refusalView(fetched.refusal), undefined).catch(() => undefined)
  return undefined
}
