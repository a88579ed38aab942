import { missingRefusal } from '../../../src/kernel/command/line/parse.ts'
import { isConfirmOnly } from '../../../src/kernel/law/clauses.ts'
import { isCardCopy } from '../../../src/kernel/messenger/card-copy.ts'
import type { Form } from '../../../src/kernel/messenger/form.ts'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import { isRefusedForGood, MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { routeReply } from '../../../src/kernel/messenger/route-reply.ts'
import { backoffMs, retry } from '../../../src/lib/retry.ts'
import { verbs } from '../../../src/lib/view/button-labels.ts'
import { refusalView } from '../../../src/lib/view/refusals.ts'
import { note, type View } from '../../../src/lib/view/view.ts'
import { slackErrorFields } from '../api/errors.ts'
import { isDirectChannel, newCardKey, type SlackAddress, toSlackAddress } from '../context/address.ts'
import { placeOf, type SlackRequest, slackSenderOf } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { formModal } from '../forms/command-form.ts'
import { detailsModal } from '../forms/details-modal.ts'
import { reasonModal } from '../forms/reason-modal.ts'
import { sendFileDirectly } from './file-upload.ts'
import {
  firstAccepted,
  postEphemeral,
  postMessage,
  postToResponseUrl,
  type SlackMessageRef,
  updateMessage,
} from './post-view.ts'
import { claimProgressNotice, type ProgressNotice } from './progress-notice.ts'

/** Brings the core's reply to the person who asked. Cards are posted by the core's own worker. */
export const deliverReply = async (
  slack: SlackContext,
  request: SlackRequest,
  reply: Reply,
  notice?: ProgressNotice,
): Promise<void> => {
  const place = placeOf(request)
  const from = await slackSenderOf(slack, request)
  return routeReply(slack.bot, { from, place }, reply, {
    answer: async (view, file, isDetails) => {
      if (isDetails) await openModalOr(slack, request, detailsModal(view), view)
      else {
        const address = await replyPrivately(slack, request, view, notice)
        if (isCardCopy(view)) await slack.bot.cards.keep('slack', view, toSlackAddress(address))
      }
      if (file !== undefined)
        await sendFileDirectly(slack, request.account, file, (sorry) =>
          replyPrivately(slack, { ...request, replaces: undefined }, sorry, undefined),
        )
    },
    refused: async ({ view }) => {
      await replyPrivately(slack, { ...request, replaces: undefined }, view, notice)
    },
    share: (view) => shareInChannel(slack, request, view),
    form: async (form) => {
      await openModalOr(slack, request, formModal(form, place), usageView(slack, form))
      await removeNotice(slack, request, notice)
    },
    reason: (asked) =>
      openModalOr(
        slack,
        request,
        reasonModal(asked, place),
        refusalView({
          code: 'needs_reason',
          message: asked.title,
          next: 'Slack gave no time to ask for the reason. Press the button again.',
        }),
      ),
    change: async (reply, isHere) => {
      slack.home.redrawSoon()
      if (!isHere) {
        // A decision by line has its card elsewhere; whoever decided should see what came of it.
        if (!request.isPress) await replyPrivately(slack, request, { ...reply.view, actions: [] }, notice)
        return
      }
      // A confirm card takes the place of the notice by itself.
      if (!isConfirmOnly(reply.change.clauses) || notice !== 'response_url')
        await removeNotice(slack, request, notice)
    },
    repeated: () => removeNotice(slack, request, notice),
  })
}

/** Only the actor sees it: by the way the request came, or the next best one. A card can be found again by its address. */
export const replyPrivately = async (
  slack: SlackContext,
  { responseUrl, channel, account, thread, replaces }: SlackRequest,
  view: View,
  notice: ProgressNotice,
): Promise<SlackAddress> => {
  const replacesNotice =
    notice === 'response_url' && responseUrl !== undefined && (await claimProgressNotice(slack, responseUrl))
  const noticeMessage = notice === 'response_url' ? undefined : notice
  const pressed = channel !== null && replaces?.ts !== undefined ? { channel, ts: replaces.ts } : undefined
  const shown = noticeMessage ?? pressed
  const key = newCardKey()
  const blockId = isCardCopy(view) ? key : undefined
  const asMessage = async (ref: Promise<SlackMessageRef>): Promise<SlackAddress> => ({
    at: 'message',
    ...(await ref),
  })
  const line: SlackAddress = { at: 'line', key, isPrivate: true }
  const ways: (() => Promise<SlackAddress>)[] = [
    ...(shown === undefined
      ? []
      : [
          async () => {
            await updateMessage(slack, shown, view)
            return asMessage(Promise.resolve(shown))
          },
        ]),
    ...(responseUrl !== undefined && slack.responseUrls.isUsable(responseUrl)
      ? [
          async () => {
            const isOver = replaces !== undefined || replacesNotice
            await postToResponseUrl(slack, responseUrl, view, { isPrivate: true, replaces: isOver, blockId })
            return { ...line, ...responseUrl }
          },
        ]
      : []),
    ...(channel === null
      ? []
      : isDirectChannel(channel)
        ? [() => asMessage(postMessage(slack, channel, view, thread))]
        : [
            async () => {
              await postEphemeral(slack, { channel, user: account, thread }, view, blockId)
              return line
            },
          ]),
    () => asMessage(postMessage(slack, account, view)),
  ]
  return withRetries(() => firstAccepted(ways))
}

const shareInChannel = async (slack: SlackContext, request: SlackRequest, shown: View): Promise<void> => {
  const { channel, responseUrl, thread } = request
  const ways: (() => Promise<unknown>)[] = [
    ...(channel === null ? [] : [() => postMessage(slack, channel, shown, thread)]),
    ...(responseUrl === undefined
      ? []
      : [() => postToResponseUrl(slack, responseUrl, shown, { isPrivate: false, replaces: false })]),
  ]
  try {
    await withRetries(() => firstAccepted(ways))
  } catch (error) {
    if (!isRefusedForGood(error)) throw error
    const sorry: View = {
      title: 'This could not be shared here.',
      tone: 'warn',
      blocks: [note('plain', `Invite the bot to the channel, then press ${verbs.share.label} again.`)],
    }
    await replyPrivately(slack, request, sorry, undefined)
  }
}

/** A modal opens within three seconds of the press or not at all; then the same is said in a message. */
const openModalOr = async (
  slack: SlackContext,
  request: SlackRequest,
  view: Parameters<SlackContext['web']['views']['open']>[0]['view'],
  instead: View,
): Promise<void> => {
  try {
    if (request.trigger === undefined) throw new Error('there is no trigger')
    await slack.web.views.open({ trigger_id: request.trigger, view })
  } catch (error) {
    slack.log.warn(slackErrorFields(error), 'a modal could not be opened')
    await replyPrivately(slack, request, instead, undefined)
  }
}

const usageView = ({ bot }: SlackContext, form: Form): View => {
  const command = bot.registry.get(form.command)
  if (command === undefined) return { title: form.title, tone: 'plain', blocks: [] }
  const missing = form.fields.filter(({ name, required }) => required && form.values[name] === undefined)
  return refusalView(missingRefusal({ command, missing, input: {}, given: form.values }))
}

const removeNotice = async (
  slack: SlackContext,
  { responseUrl }: SlackRequest,
  notice: ProgressNotice,
): Promise<void> => {
  try {
    if (
      notice === 'response_url' &&
      responseUrl !== undefined &&
      (await claimProgressNotice(slack, responseUrl))
    ) {
      await slack.responseUrls.send(responseUrl, { delete_original: true })
    } else if (notice !== undefined && notice !== 'response_url') await slack.web.chat.delete(notice)
  } catch (error) {
    slack.log.debug(slackErrorFields(error), 'a progress notice could not be removed')
  }
}

/** An answer is tried a few times while Slack fails. What must not be lost is sent by the worker. */
const withRetries = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, (error, failures) => {
    if (!(error instanceof MessengerError) || error.kind !== 'later' || failures === 4) return undefined
    return Math.min(error.retryAfterMs ?? backoffMs(pauses, failures), pauses.longestMs)
  })

const pauses = { firstMs: 500, longestMs: 10_000 }
