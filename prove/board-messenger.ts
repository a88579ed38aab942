import type { Platform } from '../src/approvals/change.ts'
import { type Messenger, MessengerError } from '../src/approvals/messenger.ts'
import type { BoardCall } from './board.ts'

/** A messenger over HTTP, so that what people see outlives the process that showed it. */
export const createBoardMessenger = (url: string, platform: Platform): Messenger => {
  const call = async (body: BoardCall): Promise<string> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) }).catch((cause) => {
      throw new MessengerError('later', 'the board cannot be reached', { cause })
    })
    const { address } = (await response.json()) as { address?: string }
    if (response.status === 404) throw new MessengerError('gone', 'there is no such card')
    if (address === undefined) throw new MessengerError('later', 'the board is down', { retryAfterMs: 200 })
    return address
  }
  return {
    platform,
    post: ({ channel, onlyFor }, view) => call({ kind: 'post', platform, channel, onlyFor, view }),
    edit: async (address, view) => {
      await call({ kind: 'edit', platform, address, view })
    },
    direct: (account, view) => call({ kind: 'direct', platform, account, view }),
  }
}
