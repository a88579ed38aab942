import type { RawFile } from '../../../src/command/line/coerce.ts'
import { fetchAttachment } from '../../../src/messenger/attachment.ts'
import { ok, type Result } from '../../../src/model/result.ts'
import type { Attachment } from '../protocol/payload.ts'

/** Fetches what was attached, from where the signed payload says it is. */
export const fetchAttachments = async (
  attached: Record<string, Attachment>,
): Promise<Result<Record<string, RawFile>>> => {
  const files: Record<string, RawFile> = {}
  for (const [name, attachment] of Object.entries(attached)) {
    const { filename, url, size } = attachment
    const file = await fetchAttachment({ name: filename, url, bytes: size, next: 'Attach it again.' })
    if (!file.ok) return file
    files[name] = file.value
  }
  return ok(files)
}

/** Stands for files that are there, before they are fetched. */
export const unreadFiles = (attached: Record<string, Attachment>): Record<string, RawFile> =>
  Object.fromEntries(
    Object.entries(attached).map(([name, { filename }]) => [
      name,
      { name: filename, bytes: Buffer.from('unread') },
    ]),
  )
