import type { IncomingMessage } from 'node:http'

/**
 * What all bodies together may hold while they arrive. Nobody has shown a signature yet, so nobody has a claim to more: past
 * it the largest is cut, which is never a command or a click, all of a few kilobytes, as long as there is a larger one.
 */
const maxUnfinishedBytes = 16_000_000

/** Beside its bytes, what a piece of a body takes: a body of a million pieces is not a small one. */
const bytesForEachPiece = 256

type Unfinished = { held: number; cut(): void }

const unfinished = new Set<Unfinished>()

/** The whole body, or `undefined` when it is longer than anybody has a reason to send. */
export const readBody = (request: IncomingMessage, most: number): Promise<Buffer | undefined> =>
  new Promise<Buffer | undefined>((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > most) {
      request.resume()
      return resolve(undefined)
    }
    let chunks: Buffer[] = []
    let size = 0
    const cut = () => {
      unfinished.delete(body)
      chunks = []
      request.removeAllListeners('data')
      request.resume()
      resolve(undefined)
    }
    const body: Unfinished = { held: 0, cut }
    unfinished.add(body)
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      body.held += chunk.length + bytesForEachPiece
      chunks.push(chunk)
      if (size > most) cut()
      else cutLargest()
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('aborted', () => reject(new Error('the request was cut off')))
    request.on('close', () => unfinished.delete(body))
  })

const cutLargest = (): void => {
  let sum = 0
  let largest: Unfinished | undefined
  for (const body of unfinished) {
    sum += body.held
    if (largest === undefined || body.held > largest.held) largest = body
  }
  if (sum > maxUnfinishedBytes) largest?.cut()
}
