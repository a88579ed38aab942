import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { MessengerError } from '../../../src/kernel/messenger/messenger.ts'
import { defined } from '../../../src/lib/defined.ts'
import type { ResponseUrl } from '../api/response-url.ts'

/** The short-lived way to answer a request: stored with the change, so that any process can use it. */
const handleSchema = z.object({
  url: z.string().optional(),
  until: z.number().optional(),
  thread: z.string().optional(),
})
export type ReplyHandle = { responseUrl?: ResponseUrl | undefined; thread?: string | undefined }

export const toReplyHandle = ({ responseUrl, thread, id }: ReplyHandle & { id: string }): string =>
  JSON.stringify({ id, ...responseUrl, ...defined({ thread }) })

export const readReplyHandle = (text: string | null): ReplyHandle => {
  if (text === null) return {}
  const { url, until, thread } = handleSchema.parse(JSON.parse(text))
  return {
    ...(url === undefined || until === undefined ? {} : { responseUrl: { url, until } }),
    ...defined({ thread }),
  }
}

/** A conversation with the bot alone. */
export const isDirectChannel = (channel: string): boolean => channel.startsWith('D')

/**
 * Where a card is. A message can always be edited; one that only a response_url reaches is edited through it while
 * it lives, or through the newer one of a click, which names the card by its key.
 */
const addressSchema = z.discriminatedUnion('at', [
  z.object({ at: z.literal('message'), channel: z.string(), ts: z.string() }),
  z.object({
    at: z.literal('line'),
    key: z.string(),
    isPrivate: z.boolean(),
    url: z.string().optional(),
    until: z.number().optional(),
  }),
])
export type SlackAddress = z.infer<typeof addressSchema>

/** Names a card that has no address of its own; the block with its buttons carries it. */
export const newCardKey = (): string => `${keyPrefix}${randomBytes(9).toString('base64url')}`
/** For a message whose block has none yet. */
export const cardKeyOf = (blockId: string, ts: string): string =>
  isCardKey(blockId) ? blockId : `${keyPrefix}${ts}`
export const isCardKey = (blockId: string): boolean => blockId.startsWith(keyPrefix)
const keyPrefix = 'card-'

/** One message: by its place, or by the key that its block with the buttons carries. */
export const isSameSlackAddress = (one: string, other: string): boolean => {
  const [a, b] = [readSlackAddress(one), readSlackAddress(other)]
  if (a.at === 'message') return b.at === 'message' && a.channel === b.channel && a.ts === b.ts
  return b.at === 'line' && a.key === b.key
}

/** A message is named by when it was posted. */
export const slackPostedAt = (text: string): number | undefined => {
  const address = readSlackAddress(text)
  return address.at === 'message' ? Math.floor(Number(address.ts) * 1_000) : undefined
}

export const toSlackAddress = (address: SlackAddress): string => JSON.stringify(address)
/** What is not one of ours leads nowhere. */
export const readSlackAddress = (text: string): SlackAddress => {
  try {
    return addressSchema.parse(JSON.parse(text))
  } catch {
    throw new MessengerError('gone', 'the address is not one of ours')
  }
}
