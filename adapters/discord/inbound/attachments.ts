import type { RawFile } from '../../../src/kernel/command/line/coerce.ts'
import { fetchAttachment } from '../../../src/kernel/messenger/attachment.ts'
import type { FetchFile } from '../../../src/kernel/messenger/inbound.ts'
import type { Attachment } from '../protocol/payload.ts'

/** What was attached, to be fetched from where the signed payload says it is. */
export const filesOf = (
  attached: Record<string, Attachment>,
  apiUrl: string | undefined,
): Record<string, FetchFile> =>
  Object.fromEntries(
    Object.entries(attached).map(([param, { filename, url, size }]) => [
      param,
      () => fetchAttachment({ name: filename, url, bytes: size, hosts, apiUrl, next: 'Attach it again.' }),
    ]),
  )

const hosts = ['cdn.discordapp.com', 'media.discordapp.net']

/** Stands for files that are there, before they are fetched. */
export const unreadFiles = (attached: Record<string, Attachment>): Record<string, RawFile> =>
  Object.fromEntries(
    Object.entries(attached).map(([name, { filename }]) => [
      name,
      { name: filename, bytes: Buffer.from('unread') },
    ]),
  )
