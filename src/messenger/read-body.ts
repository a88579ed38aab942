import type { IncomingMessage } from 'node:http'

/** The whole body, or `undefined` when it is longer than anybody has a reason to send. */
export const readBody = (request: IncomingMessage, most: number): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > most) {
      request.resume()
      return resolve(undefined)
    }
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > most) {
        request.removeAllListeners('data')
        request.resume()
        resolve(undefined)
      } else chunks.push(chunk)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('aborted', () => reject(new Error('the request was cut off')))
  })
