import { no, ok, type Result } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import type { RawFile } from '../command/line/coerce.ts'
import { maxFileBytes } from '../command/line/text-file.ts'

/** A file that somebody attached, as its platform describes it. */
export type RemoteFile = {
  name: string
  url: string
  /** The platform's own hosts; one that starts with a dot stands for everything below it. */
  hosts: readonly string[]
  /** Where the platform's API was set to be; its files may be there too. */
  apiUrl: string | undefined
  /** As the platform says; what comes is counted all the same. */
  bytes?: number | undefined
  /** With the token, where the platform wants one. */
  headers?: Record<string, string>
  /** What to do when it cannot be fetched. */
  next: string
}

const withinMs = 20_000

/** The whole file, or a sentence: one that is too large is refused, never cut. */
export const fetchAttachment = async (
  file: RemoteFile,
  budget: ByteBudget = sharedBudget,
): Promise<Result<RawFile>> => {
  const shown = file.name.slice(0, 80)
  const tooLarge = no(
    refusal('bad_file', `${shown} is larger than 25 MB.`, {
      next: 'Split it, and send the parts one after the other.',
    }),
  )
  const unreachable = no(refusal('bad_file', `${shown} could not be fetched.`, { next: file.next }))
  if ((file.bytes ?? 0) > maxFileBytes) return tooLarge
  if (!isWithPlatform(file)) return unreachable
  try {
    const response = await fetch(file.url, {
      headers: file.headers ?? {},
      redirect: 'error',
      signal: AbortSignal.timeout(withinMs),
    })
    // A page in place of the file asks somebody to sign in.
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
    if (!response.ok || isPage || response.body === null) return unreachable
    const bytes = await readUpTo(response.body, maxFileBytes, budget)
    if (bytes === 'busy')
      return no(refusal('bad_file', `${shown} could not be fetched: many files come in now.`, again))
    return bytes === 'too large' ? tooLarge : ok({ name: file.name, bytes })
  } catch {
    return unreachable
  }
}

const again = { next: 'Send it again in a moment.' }

/** How many bytes of unfinished files there may be at a time, over all requests. */
export type ByteBudget = { left: number }

const sharedBudget: ByteBudget = { left: 4 * maxFileBytes }

const isWithPlatform = ({ url, hosts, apiUrl }: RemoteFile): boolean => {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, host, port, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  if (apiUrl !== undefined && host === new URL(apiUrl).host) return true
  const isListed = hosts.some((one) => hostname === one || (one.startsWith('.') && hostname.endsWith(one)))
  return protocol === 'https:' && port === '' && isListed
}

const readUpTo = async (
  body: ReadableStream<Uint8Array>,
  most: number,
  budget: ByteBudget,
): Promise<Buffer | 'too large' | 'busy'> => {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      budget.left -= chunk.length
      if (size > most) return 'too large'
      if (budget.left < 0) return 'busy'
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } finally {
    budget.left += size
  }
}
