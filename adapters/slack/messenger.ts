import { randomBytes } from 'node:crypto'
import type { Messenger, Place } from '../../src/approvals/messenger.ts'
import type { View } from '../../src/view/view.ts'
import { type Address, readAddress, readHandle, toAddress } from './address.ts'
import type { Desk } from './desk.ts'
import { attach, handOver } from './file.ts'
import { firstThatTakes, postMessage, postPrivate, respond, updateMessage } from './post.ts'
import type { Line } from './respond.ts'
import { takeSign } from './working.ts'

type MessengerDesk = Omit<Desk, 'home'>

/** How the core's cards reach Slack and are edited there, and how people are told directly. `moved` hears of every card. */
export const createMessenger = (desk: MessengerDesk, moved: () => void): Messenger => ({
  platform: 'slack',
  post: async (place, view, file) => {
    const address = await postCard(desk, place, view)
    moved()
    if (file === undefined) return toAddress(address)
    if (address.at === 'message') await attach(desk, address, file)
    else if (place.onlyFor !== null) await handOver(desk, place.onlyFor, file)
    return toAddress(address)
  },
  edit: async (address, view) => {
    await editCard(desk, address, view)
    moved()
  },
  direct: async (account, view, file) => {
    const posted = await postMessage(desk, account, view)
    if (file !== undefined) await attach(desk, posted, file)
    return toAddress({ at: 'message', ...posted })
  },
})

/** A message if everybody may see it, or if nobody else is there; else, and where the bot is no member, a response_url. */
const postCard = (desk: MessengerDesk, { channel, handle, onlyFor }: Place, view: View): Promise<Address> => {
  const { line, thread } = readHandle(handle)
  const asMessage = async (where: string): Promise<Address> => ({
    at: 'message',
    ...(await postMessage(desk, where, view, thread)),
  })
  const asResponse = async (through: Line): Promise<Address> => {
    const key = newKey()
    const isPrivate = onlyFor !== null
    const replaces = isPrivate && (await takeSign(desk, through))
    await respond(desk, through, view, { isPrivate, replaces, blockId: key })
    return { at: 'line', key, isPrivate, ...through }
  }
  const asPrivate = async (where: string, user: string): Promise<Address> => {
    const key = newKey()
    await postPrivate(desk, { channel: where, user, thread }, view, key)
    return { at: 'line', key, isPrivate: true }
  }
  const isDirect = channel?.startsWith('D') ?? false
  return firstThatTakes([
    ...(channel !== null && (onlyFor === null || isDirect) ? [() => asMessage(channel)] : []),
    ...(line !== undefined && desk.responder.isAlive(line) ? [() => asResponse(line)] : []),
    ...(channel !== null && onlyFor !== null && !isDirect ? [() => asPrivate(channel, onlyFor)] : []),
  ])
}

const editCard = async (desk: MessengerDesk, text: string, view: View): Promise<void> => {
  const address = readAddress(text)
  if (address.at === 'message') return updateMessage(desk, address, view)
  const { key, isPrivate, url, until } = address
  const lines = [desk.fresh.get(key), url !== undefined && until !== undefined ? { url, until } : undefined]
  await firstThatTakes(
    lines
      .filter((line) => line !== undefined && desk.responder.isAlive(line))
      .map((line) => () => respond(desk, line as Line, view, { isPrivate, replaces: true, blockId: key })),
  )
}

/** Names a card that has no address of its own; the block with its buttons carries it. */
const newKey = (): string => `card-${randomBytes(9).toString('base64url')}`
