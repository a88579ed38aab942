import type { webApi } from '@slack/bolt'
import { slackErrorCode, toSlackMessengerError } from './errors.ts'

const pageSize = 200
/** Channels of more than twenty thousand people are asked no further. */
const maxPages = 100

/** Whether an account is in a channel that the bot can see. */
export const isMember = async (
  { web }: { web: webApi.WebClient },
  account: string,
  channel: string,
): Promise<boolean> => {
  let cursor: string | undefined
  try {
    for (let page = 0; page < maxPages; page++) {
      const said = await web.conversations.members({
        channel,
        limit: pageSize,
        ...(cursor === undefined ? {} : { cursor }),
      })
      if (said.members?.includes(account)) return true
      cursor = said.response_metadata?.next_cursor
      if (!cursor) return false
    }
    return false
  } catch (error) {
    if (unseen.has(slackErrorCode(error) ?? '')) return false
    throw toSlackMessengerError(error)
  }
}

const unseen: ReadonlySet<string> = new Set(['channel_not_found', 'missing_scope', 'not_in_channel'])
