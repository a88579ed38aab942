import { type Messenger, MessengerError } from '../../src/kernel/messenger/messenger.ts'
import type { Platform } from '../../src/kernel/model/change.ts'
import type { FakeChatCall } from './chat-server.ts'

/** A messenger over HTTP, so that what people see outlives the process that showed it. */
export const createHttpMessenger = (url: string, platform: Platform): Messenger => {
  const call = async (body: FakeChatCall): Promise<string> => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) }).catch((cause) => {
      throw new MessengerError('later', 'the chat server cannot be reached', { cause })
    })
    const { address } = (await response.json()) as { address?: string }
    if (response.status === 404) throw new MessengerError('gone', 'there is no such card')
    if (address === undefined)
      throw new MessengerError('later', 'the chat server is down', { retryAfterMs: 200 })
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
