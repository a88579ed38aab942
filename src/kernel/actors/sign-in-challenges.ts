import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { LogSigner } from '../model/checkpoint.ts'

const sizes = { end: 6, nonce: 16, mark: 32 }

/**
 * Challenges for people who have not said who they are. Each says by itself when it ends and that it is ours, by a mark that
 * only a process with the key of the log can make: whoever asks for a million of them takes up nothing, and keeps nobody out.
 */
export const challengeFor = (signer: LogSigner, endsAt: number): Uint8Array<ArrayBuffer> => {
  const end = Buffer.alloc(sizes.end)
  end.writeUIntBE(endsAt, 0, sizes.end)
  const said = Buffer.concat([end, randomBytes(sizes.nonce)])
  return new Uint8Array(Buffer.concat([said, markOf(signer, said)]))
}

/** When one of ours ends; undefined for what we have not made. */
export const endOfChallenge = (signer: LogSigner, challenge: string): number | undefined => {
  const bytes = Buffer.from(challenge, 'base64url')
  const length = sizes.end + sizes.nonce
  if (bytes.length !== length + sizes.mark) return undefined
  const said = bytes.subarray(0, length)
  return timingSafeEqual(bytes.subarray(length), markOf(signer, said))
    ? said.readUIntBE(0, sizes.end)
    : undefined
}

/** The same text has the same signature, which nobody is given: all processes that have the key have this secret. */
const markOf = (signer: LogSigner, said: Buffer): Buffer =>
  createHmac('sha256', createHash('sha256').update(signer.seal('bellhop: sign-in challenges\n')).digest())
    .update(said)
    .digest()
