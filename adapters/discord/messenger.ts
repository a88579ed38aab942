import { type Messenger, MessengerError } from '../../src/approvals/messenger.ts'
import { note, type View } from '../../src/view/view.ts'
import { addressOf, isNew, readAddress, readHandle, type Way } from './address.ts'
import type { Api } from './api.ts'
import { toMessengerError } from './errors.ts'
import { type Message, messageOf } from './message.ts'

/** Cards and ends, for the core. Whatever happens here is told as "gone" or "later". */
export const createMessenger = (api: Api, now: () => number): Messenger => {
  const direct = async (account: string, message: Message): Promise<string> => {
    const channel = await api.conversation(account)
    return inChannel(channel, message)
  }
  const inChannel = async (channel: string, message: Message): Promise<string> => {
    const posted = await api.send(channel, message, { once: channel + JSON.stringify(message.body) })
    return addressOf({ channel, message: posted.id })
  }
  const privately = async (way: Way, message: Message): Promise<string> => {
    await api.editOriginal(way.token, message, isNew(way, now()))
    return addressOf({ ...way, message: '@original' })
  }
  /** Where the bot itself may not write. The first message after a deferred answer takes its place, so that is filled first. */
  const throughInteraction = async (way: Way, message: Message): Promise<string> => {
    await api.editOriginal(way.token, await messageOf(hereItIs), isNew(way, now()))
    const posted = await api.followUp(way.token, message, { isPrivate: false })
    return addressOf({ ...way, message: posted.id })
  }

  return {
    platform: 'discord',
    post: guarded(async ({ channel, handle, onlyFor }, view, file) => {
      const message = await messageOf(view, { file })
      const way = readHandle(handle, now())
      if (onlyFor !== null) {
        return way === undefined
          ? direct(onlyFor, message)
          : orElse(privately(way, message), () => direct(onlyFor, message))
      }
      if (channel === null) {
        if (way === undefined) throw new MessengerError('gone', 'there is no channel to post in')
        return throughInteraction(way, message)
      }
      const posted = inChannel(channel, message)
      return way === undefined ? posted : orElse(posted, () => throughInteraction(way, message))
    }),
    edit: guarded(async (text, view) => {
      const address = readAddress(text)
      if (address === undefined) throw new MessengerError('gone', 'the address is not one of ours')
      const message = await messageOf(view)
      if ('channel' in address) return api.edit(address.channel, address.message, message)
      if (now() >= address.until) throw new MessengerError('gone', 'the interaction has ended')
      await api.editFollowUp(address.token, address.message, message)
    }),
    direct: guarded(async (account, view, file) => direct(account, await messageOf(view, { file }))),
  }
}

const guarded =
  <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
  async (...args: A): Promise<T> => {
    try {
      return await work(...args)
    } catch (error) {
      throw toMessengerError(error)
    }
  }

/** The other way, if this one is closed for good. */
const orElse = async <T>(first: Promise<T>, other: () => Promise<T>): Promise<T> => {
  try {
    return await first
  } catch (error) {
    if (toMessengerError(error).kind === 'later') throw error
    return other()
  }
}

const hereItIs: View = { title: 'Asked', tone: 'plain', blocks: [note('plain', 'The card follows below.')] }
