import type { RawFile } from '../../../src/command/line/coerce.ts'
import { mostFileBytes } from '../../../src/command/line/text-file.ts'
import { no, ok, type Result } from '../../../src/model/result.ts'
import { refusal } from '../../../src/view/refusals.ts'
import type { Attachment } from '../protocol/payload.ts'

/** Fetches what was attached, from where the signed payload says it is. */
export const fetchAttachments = async (
  attached: Record<string, Attachment>,
): Promise<Result<Record<string, RawFile>>> => {
  const files: Record<string, RawFile> = {}
  for (const [name, attachment] of Object.entries(attached)) {
    const file = await fetchAttachment(attachment)
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

const fetchAttachment = async ({ filename, url, size }: Attachment): Promise<Result<RawFile>> => {
  const tooLarge = no(
    refusal('bad_file', `${filename.slice(0, 80)} is larger than 25 MB.`, {
      next: 'Split it, and send the parts one after the other.',
    }),
  )
  if (size > mostFileBytes) return tooLarge
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(20_000) })
    if (!response.ok || response.body === null) return unreachable(filename)
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body) {
      bytes += chunk.length
      if (bytes > mostFileBytes) return tooLarge
      chunks.push(chunk)
    }
    return ok({ name: filename, bytes: Buffer.concat(chunks) })
  } catch {
    return unreachable(filename)
  }
}

const unreachable = (filename: string) =>
  no(
    refusal('bad_file', `${filename.slice(0, 80)} could not be fetched from Discord.`, {
      next: 'Attach it again.',
    }),
  )
