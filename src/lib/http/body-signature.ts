import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Ticks } from '../clock.ts'
import { createReplayGuard } from './replay-guard.ts'

export type SignatureFault = 'unsigned' | 'stale' | 'future' | 'forged' | 'replayed'

type SignedRequest = { timestamp: string | undefined; signature: string | undefined; body: Buffer }

/** How far the clocks may differ, and how old a request may be. */
const skewMs = 5 * 60_000

/**
 * Why a request was not sent by who has the secret, if it was not: the scheme `v0`, an HMAC of the time and the body. Times too
 * far ahead are as wrong as times too far back.
 */
export const createSignatureVerifier = (
  signingSecret: string,
  { now, ticks }: { now(): number; ticks: Ticks },
) => {
  if (signingSecret.trim() === '') throw new Error('the signing secret is empty')
  const key = createSecretKey(signingSecret, 'utf8')
  const isReplay = createReplayGuard(skewMs, ticks)
  return ({ timestamp, signature, body }: SignedRequest): SignatureFault | undefined => {
    if (timestamp === undefined || signature === undefined) return 'unsigned'
    if (!/^\d{1,12}$/.test(timestamp)) return 'forged'
    const at = Number(timestamp) * 1000
    const age = now() - at
    if (age > skewMs) return 'stale'
    if (age < -skewMs) return 'future'
    const expected = createHmac('sha256', key).update(`v0:${timestamp}:`).update(body).digest('hex')
    if (!isEqual(`v0=${expected}`, signature)) return 'forged'
    return isReplay(signature) ? 'replayed' : undefined
  }
}

const isEqual = (expected: string, given: string): boolean => {
  const one = Buffer.from(expected)
  const other = Buffer.from(given)
  return one.length === other.length && timingSafeEqual(one, other)
}
