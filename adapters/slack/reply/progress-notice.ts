import { isTakenIn, workingView } from '../../../src/kernel/messenger/intake.ts'
import { slackErrorFields } from '../api/errors.ts'
import type { ResponseUrl } from '../api/response-url.ts'
import { isDirectChannel } from '../context/address.ts'
import type { SlackRequest } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { postEphemeral, postMessage, postToResponseUrl, type SlackMessageRef } from './post-view.ts'

/** After so long people wonder whether anything happens; a press shows on its own card most of the time. */
const showAfterMs = { press: 2_000, request: 700 }

/** What stands where the answer will: nothing, a message to edit, or something that a response_url replaces. */
export type ProgressNotice = SlackMessageRef | 'response_url' | undefined

/** Shows that work is going on if it takes a while. `settle` ends it and says what is shown by then. */
export const startProgressNotice = (
  slack: SlackContext,
  request: SlackRequest,
): { settle(): Promise<ProgressNotice> } => {
  let showing: Promise<ProgressNotice> | undefined
  const timer = setTimeout(
    () => {
      showing = showOnceStored(slack, request).catch((error: unknown) => {
        slack.log.debug(slackErrorFields(error), 'a progress notice could not be shown')
        return undefined
      })
    },
    showAfterMs[request.isPress ? 'press' : 'request'],
  )
  return {
    settle: async () => {
      clearTimeout(timer)
      const shown = await showing
      // The answer to a press goes where its button is.
      return request.isPress ? undefined : shown
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

/** Nobody reads that work goes on, and then that nothing was taken in. */
const showOnceStored = async (slack: SlackContext, request: SlackRequest): Promise<ProgressNotice> => {
  return isTakenIn(await request.storing) ? show(slack, request) : undefined
}

const show = async (
  slack: SlackContext,
  { responseUrl, channel, account, thread, isPress }: SlackRequest,
): Promise<ProgressNotice> => {
  if (responseUrl !== undefined && slack.responseUrls.isUsable(responseUrl)) {
    const shown = postToResponseUrl(slack, responseUrl, workingView, { isPrivate: true, replaces: false })
    const isShown = shown.then(
      () => true,
      () => false,
    )
    // What replaces a notice at the address of a press would replace the message with the button.
    if (!isPress) slack.progressNotices.set(responseUrl.url, isShown)
    await shown
    return 'response_url'
  }
  if (channel !== null && isDirectChannel(channel)) return postMessage(slack, channel, workingView, thread)
  if (channel !== null) await postEphemeral(slack, { channel, user: account, thread }, workingView)
  return undefined
}
