import { z } from 'zod'
import { discordLimits } from './limits.ts'

/** The short-lived way to answer an interaction. */
const webhook = z.object({ token: z.string(), until: z.number() })
export type InteractionWebhook = z.infer<typeof webhook>

/** How a message of ours is found again: for good by its channel, or for minutes through an interaction. */
const address = z.union([
  z.object({ channel: z.string(), message: z.string() }),
  z.object({
    token: z.string(),
    until: z.number(),
    message: z.string(),
    /** The id of the message where `message` is only its place in the interaction. */
    id: z.string().optional(),
  }),
])
export type DiscordAddress = z.infer<typeof address>

export const webhookOf = (token: string, now: number): InteractionWebhook => ({
  token,
  until: now + discordLimits.webhookMs,
})

export const webhookHandleOf = (one: InteractionWebhook): string => JSON.stringify(one)

/** Undefined when it is no longer good for anything. */
export const readWebhookHandle = (handle: string | null, now: number): InteractionWebhook | undefined => {
  const read = handle === null ? undefined : webhook.safeParse(toJson(handle)).data
  return read !== undefined && now < read.until ? read : undefined
}

/** Just made: Discord may not have read our first answer yet. */
export const isJustIssued = ({ until }: InteractionWebhook, now: number): boolean =>
  until - now > discordLimits.webhookMs - 10_000

export const discordAddressOf = (one: DiscordAddress): string => JSON.stringify(one)

export const readDiscordAddress = (text: string): DiscordAddress | undefined =>
  address.safeParse(toJson(text)).data

/** One message, by whichever interaction it is reached. */
export const isSameDiscordAddress = (one: string, other: string): boolean => {
  const [a, b] = [readDiscordAddress(one), readDiscordAddress(other)]
  return (
    a !== undefined && b !== undefined && messageIdOf(a) !== '@original' && messageIdOf(a) === messageIdOf(b)
  )
}

/** An id begins with when it was made, in milliseconds since 2015. */
export const discordPostedAt = (text: string): number | undefined => {
  const address = readDiscordAddress(text)
  const id = address === undefined ? '' : messageIdOf(address)
  return /^\d+$/.test(id) ? Number(BigInt(id) >> 22n) + Date.UTC(2015, 0, 1) : undefined
}

const messageIdOf = (one: DiscordAddress): string => ('id' in one && one.id ? one.id : one.message)

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
