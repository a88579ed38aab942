import { type Messenger, MessengerError } from '../../src/kernel/messenger/messenger.ts'
import { defined } from '../../src/lib/defined.ts'
import type { Conversation } from './conversation.ts'

const prefix = 'console:'

export const consoleAddressOf = (id: string): string => `${prefix}${id}`
export const messageIdIn = (address: string): string => address.slice(prefix.length)

/** The console as the core sees it. Accounts are the ids of people in the policy. `ready`: the cards of the last run are back. */
export const createConsoleMessenger = (
  conversation: Conversation,
  zones: ReadonlyMap<string, string>,
  ready: Promise<void>,
): Messenger => {
  const post: Messenger['post'] = async ({ onlyFor }, view, file) => {
    await ready
    const { id } = conversation.put({
      to: onlyFor,
      by: null,
      body: { kind: 'view', view },
      ...defined({ file }),
    })
    return consoleAddressOf(id)
  }
  return {
    platform: 'console',
    isShared: true,
    post,
    edit: async (address, view) => {
      await ready
      const message = conversation.get(messageIdIn(address))
      if (message === undefined) throw new MessengerError('gone', 'the console no longer keeps this message')
      conversation.put({ ...message, body: { kind: 'view', view } })
    },
    zone: async (account) => zones.get(account),
    remove: async (address) => conversation.remove(messageIdIn(address)),
    direct: (account, view, file) => post({ channel: null, handle: null, onlyFor: account }, view, file),
  }
}
