import type { View } from '../../../src/view/view.ts'
import { slackErrorFields } from '../api/errors.ts'
import type { ResponseUrl } from '../api/response-url.ts'
import { isDirectChannel } from '../context/address.ts'
import type { SlackRequest } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { postEphemeral, postMessage, postToResponseUrl, type SlackMessageRef } from './post-view.ts'

/** After so long people wonder whether anything happens. */
const showAfterMs = 700

const view: View = { title: 'Working on it…', tone: 'plain', blocks: [] }

/** What stands where the answer will: nothing, a message to edit, or something that a response_url replaces. */
export type ProgressNotice = SlackMessageRef | 'response_url' | undefined

/** Shows that work is going on if it takes a while. `settle` ends it and says what is shown by then. */
export const startProgressNotice = (
  slack: SlackContext,
  request: SlackRequest,
): { settle(): Promise<ProgressNotice> } => {
  let showing: Promise<ProgressNotice> | undefined
  const timer = setTimeout(() => {
    showing = show(slack, request).catch((error: unknown) => {
      slack.log.debug(slackErrorFields(error), 'a progress notice could not be shown')
      return undefined
    })
  }, showAfterMs)
  return {
    settle: async () => {
      clearTimeout(timer)
      return showing
    },
  }
}

/** Whether a notice stands there that the caller, and nobody else, may replace. */
export const claimProgressNotice = async (
  { progressNotices }: Pick<SlackContext, 'progressNotices'>,
  { url }: ResponseUrl,
): Promise<boolean> => {
  const standing = progressNotices.get(url)
  progressNotices.delete(url)
  return (await standing) ?? false
}

const show = async (
  slack: SlackContext,
  { responseUrl, channel, account, thread }: SlackRequest,
): Promise<ProgressNotice> => {
  if (responseUrl !== undefined && slack.responseUrls.isUsable(responseUrl)) {
    const shown = postToResponseUrl(slack, responseUrl, view, { isPrivate: true, replaces: false })
    slack.progressNotices.set(
      responseUrl.url,
      shown.then(
        () => true,
        () => false,
      ),
    )
    await shown
    return 'response_url'
  }
  if (channel !== null && isDirectChannel(channel)) return postMessage(slack, channel, view, thread)
  if (channel !== null) await postEphemeral(slack, { channel, user: account, thread }, view)
  return undefined
}
