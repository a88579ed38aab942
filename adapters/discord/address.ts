import { z } from 'zod'
import { limits } from './limits.ts'

/** The short-lived way to answer an interaction. */
const way = z.object({ token: z.string(), until: z.number() })
export type Way = z.infer<typeof way>

/** How a message of ours is found again: for good by its channel, or for minutes through an interaction. */
const address = z.union([
  z.object({ channel: z.string(), message: z.string() }),
  z.object({ token: z.string(), until: z.number(), message: z.string() }),
])
export type Address = z.infer<typeof address>

export const wayOf = (token: string, now: number): Way => ({ token, until: now + limits.tokenMs })

export const handleOf = (one: Way): string => JSON.stringify(one)

/** Undefined when it is no longer good for anything. */
export const readHandle = (handle: string | null, now: number): Way | undefined => {
  const read = handle === null ? undefined : way.safeParse(toJson(handle)).data
  return read !== undefined && now < read.until ? read : undefined
}

/** Just made: Discord may not have read our first answer yet. */
export const isNew = ({ until }: Way, now: number): boolean => until - now > limits.tokenMs - 10_000

export const addressOf = (one: Address): string => JSON.stringify(one)

export const readAddress = (text: string): Address | undefined => address.safeParse(toJson(text)).data

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
