import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { discordLimits } from '../protocol/limits.ts'

/** What an Ed25519 public key looks like before its 32 bytes. */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export const publicKeyOf = (hex: string): KeyObject => {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error('DISCORD_PUBLIC_KEY must be 64 hexadecimal characters')
  return createPublicKey({
    key: Buffer.concat([spkiPrefix, Buffer.from(hex, 'hex')]),
    format: 'der',
    type: 'spki',
  })
}

export type SignedRequest = { signature: string | undefined; timestamp: string | undefined; body: Buffer }

/** Why a request is not Discord's, or not of now; undefined when it is. Discord's scheme has no window, so ours closes both ways. */
export const signatureProblem = async (
  key: KeyObject,
  { signature, timestamp, body }: SignedRequest,
  now: number,
): Promise<string | undefined> => {
  if (signature === undefined || timestamp === undefined) return 'unsigned'
  if (!/^\d{1,12}$/.test(timestamp)) return 'malformed'
  if (!/^[0-9a-f]{128}$/i.test(signature)) return 'malformed'
  const signed = Buffer.concat([Buffer.from(timestamp), body])
  if (!(await isSignedBy(key, signed, Buffer.from(signature, 'hex')))) return 'forged'
  const age = now - Number(timestamp) * 1000
  if (age > discordLimits.signatureWindowMs) return 'stale'
  return age < -discordLimits.signatureWindowMs ? 'future' : undefined
}

/** Beside the event loop: it takes a tenth of a millisecond, which others would wait for. */
const isSignedBy = (key: KeyObject, signed: Buffer, signature: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    verify(null, signed, key, signature, (error, isGood) => resolve(error === null && isGood))
  })
