import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from './limits.ts'

export type Fault = 'unsigned' | 'stale' | 'future' | 'forged' | 'replayed'

type Signed = { timestamp: string | undefined; signature: string | undefined; body: Buffer }

/** Why a request is not Slack's, if it is not. Times too far ahead are as wrong as times too far back. */
export const createVerifier = (signingSecret: string, now: () => number = Date.now) => {
  if (signingSecret.trim() === '') throw new Error('SLACK_SIGNING_SECRET is empty')
  const seen = createMemory()
  return ({ timestamp, signature, body }: Signed): Fault | undefined => {
    if (timestamp === undefined || signature === undefined) return 'unsigned'
    if (!/^\d{1,12}$/.test(timestamp)) return 'forged'
    const at = Number(timestamp) * 1000
    const age = now() - at
    if (age > limits.skewMs) return 'stale'
    if (age < -limits.skewMs) return 'future'
    const expected = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex')
    if (!isEqual(`v0=${expected}`, signature)) return 'forged'
    return seen.isAgain(signature, now()) && age > redeliveryMs ? 'replayed' : undefined
  }
}

/**
 * A delivery that comes twice is signed anew each time, so the same signature with a time that has passed is somebody
 * playing back what they caught. Within the same moment the two look alike, and the delivery's own id decides.
 */
const redeliveryMs = 3_000

const createMemory = () => {
  let young = new Set<string>()
  let old = new Set<string>()
  let turnAt = 0
  return {
    isAgain: (signature: string, now: number): boolean => {
      if (now >= turnAt) {
        old = young
        young = new Set()
        turnAt = now + 2 * limits.skewMs
      }
      const isAgain = young.has(signature) || old.has(signature)
      young.add(signature)
      return isAgain
    },
  }
}

const isEqual = (expected: string, given: string): boolean => {
  const one = Buffer.from(expected)
  const other = Buffer.from(given)
  return one.length === other.length && timingSafeEqual(one, other)
}
