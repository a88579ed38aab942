import { z } from 'zod'
import type { RawFile } from '../../../src/command/line/coerce.ts'

/** A file that somebody attached to a message or a form, as Slack describes it. */
const sharedFile = z.object({
  name: z.string().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
})
export type SharedFile = z.infer<typeof sharedFile>

export const sharedFilesIn = (given: unknown): SharedFile[] => z.array(sharedFile).safeParse(given).data ?? []

/** Fetches a file that only the app may read. */
export type FileDownloader = { fetch(file: SharedFile): Promise<RawFile> }

/** More than a list of people needs; the core says how much it takes. */
const mostBytes = 20_000_000

export const createFileDownloader = (botToken: string, apiUrl: string | undefined): FileDownloader => ({
  fetch: async ({ name, url_private_download, url_private }) => {
    const url = new URL(url_private_download ?? url_private ?? '')
    // The token goes to Slack and to nobody else.
    const isSlack = url.protocol === 'https:' && /(^|\.)slack\.com$/.test(url.hostname)
    if (!isSlack && (apiUrl === undefined || url.host !== new URL(apiUrl).host)) {
      throw new Error('the file is not with Slack')
    }
    const answer = await fetch(url, {
      headers: { authorization: `Bearer ${botToken}` },
      redirect: 'error',
      signal: AbortSignal.timeout(20_000),
    })
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') ?? false
    if (!answer.ok || isPage || answer.body === null)
      throw new Error(`the file came with status ${answer.status}`)
    return { name: name ?? 'file', bytes: await readUpTo(answer.body, mostBytes) }
  },
})

const readUpTo = async (body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks)
}
