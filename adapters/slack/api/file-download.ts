import { z } from 'zod'
import type { RawFile } from '../../../src/kernel/command/line/coerce.ts'
import { fetchAttachment } from '../../../src/kernel/messenger/attachment.ts'
import type { Result } from '../../../src/lib/result.ts'

/** A file that somebody attached to a message or a form, as Slack describes it. */
const sharedFile = z.object({
  name: z.string().nullish(),
  size: z.number().nullish(),
  url_private_download: z.string().nullish(),
  url_private: z.string().nullish(),
})
export type SharedFile = z.infer<typeof sharedFile>

export const sharedFilesIn = (given: unknown): SharedFile[] => z.array(sharedFile).safeParse(given).data ?? []

/** Fetches a file that only the app may read; one that is not with Slack or cannot be had is a sentence. */
export type FileDownloader = { fetch(file: SharedFile): Promise<Result<RawFile>> }

export const createFileDownloader = (botToken: string, apiUrl: string | undefined): FileDownloader => ({
  fetch: async ({ name, size, url_private_download, url_private }) => {
    const url = url_private_download ?? url_private ?? ''
    const file = { name: name ?? 'file', bytes: size ?? undefined, next: scopeHint }
    // The token goes to Slack and to nobody else.
    return fetchAttachment({ ...file, url, hosts, apiUrl, headers: { authorization: `Bearer ${botToken}` } })
  },
})

const scopeHint = 'The app may lack the scope files:read; an administrator can look.'

const hosts = ['files.slack.com', 'slack-files.com', '.slack-files.com']
