import type { RawFile } from '../command/line/coerce.ts'
import { mostFileBytes } from '../command/line/text-file.ts'
import { no, ok, type Result } from '../model/result.ts'
import { refusal } from '../view/refusals.ts'

/** A file that somebody attached, as its platform describes it. */
export type RemoteFile = {
  name: string
  /** Undefined when it is nowhere that we would ask. */
  url: string | undefined
  /** As the platform says; what comes is counted all the same. */
  bytes?: number | undefined
  /** With the token, where the platform wants one. */
  request?: RequestInit
  /** What to do when it cannot be fetched. */
  next: string
}

const withinMs = 20_000

/** The whole file, or a sentence: one that is too large is refused, never cut. */
export const fetchAttachment = async (file: RemoteFile): Promise<Result<RawFile>> => {
  const shown = file.name.slice(0, 80)
  const tooLarge = no(
    refusal('bad_file', `${shown} is larger than 25 MB.`, {
      next: 'Split it, and send the parts one after the other.',
    }),
  )
  const unreachable = no(refusal('bad_file', `${shown} could not be fetched.`, { next: file.next }))
  if ((file.bytes ?? 0) > mostFileBytes) return tooLarge
  if (file.url === undefined) return unreachable
  try {
    const response = await fetch(file.url, { ...file.request, signal: AbortSignal.timeout(withinMs) })
    // A page in place of the file asks somebody to sign in.
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
    if (!response.ok || isPage || response.body === null) return unreachable
    const bytes = await readUpTo(response.body, mostFileBytes)
    return bytes === undefined ? tooLarge : ok({ name: file.name, bytes })
  } catch {
    return unreachable
  }
}

const readUpTo = async (body: ReadableStream<Uint8Array>, most: number): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
