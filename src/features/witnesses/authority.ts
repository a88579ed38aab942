import { createHash, randomBytes } from 'node:crypto'
import { checkTimeStamp, timeStampRequest } from './time-stamp.ts'
import { type Witness, WitnessError } from './witness.ts'

const answersWithinMs = 10_000
/** A stamp with its certificates takes a few thousand bytes. */
const maxBytes = 100_000

/** A time-stamp authority (RFC 3161): it signs that a checkpoint was there at some time. Its stamps are checked without it. */
export const createAuthorityWitness = (url: string): Witness => ({
  name: 'tsa',
  keep: async ({ note }) => {
    const [digest, nonce] = [digestOfNote(note), randomBytes(8)]
    const answer = await ask(url, timeStampRequest(digest, nonce))
    try {
      checkTimeStamp(answer, { digest, nonce })
    } catch (error) {
      throw new WitnessError(`its answer is no time stamp for this: ${(error as Error).message}`)
    }
    return answer.toString('base64')
  },
  check: (note, proof) => {
    checkTimeStamp(Buffer.from(proof, 'base64'), { digest: digestOfNote(note) })
  },
})

const digestOfNote = (note: string): Buffer => createHash('sha256').update(note).digest()

const ask = async (url: string, request: Buffer): Promise<Buffer> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: new Uint8Array(request),
      redirect: 'error',
      signal: AbortSignal.timeout(answersWithinMs),
    })
    if (!response.ok) throw new WitnessError(`it answered with status ${response.status}`)
    const parts: Uint8Array[] = []
    let length = 0
    for await (const part of response.body ?? []) {
      parts.push(part)
      length += part.length
      if (length > maxBytes) throw new WitnessError('its answer is too large')
    }
    return Buffer.concat(parts)
  } catch (error) {
    if (error instanceof WitnessError) throw error
    const { cause, name } = error as { cause?: { code?: unknown }; name: string }
    throw new WitnessError(`it cannot be reached (${typeof cause?.code === 'string' ? cause.code : name})`)
  }
}
