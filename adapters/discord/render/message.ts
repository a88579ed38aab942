import { readFile, stat } from 'node:fs/promises'
import type { RawFile } from '@discordjs/rest'
import type { OutFile } from '../../../src/kernel/command/define.ts'
import { discard } from '../../../src/kernel/messenger/spool.ts'
import { note, type View } from '../../../src/lib/view/view.ts'
import { discordLimits } from '../protocol/limits.ts'
import { drawChart } from './chart-image.ts'
import { type DiscordMessageBody, type MessageExtras, renderMessage } from './render.ts'

/** A message with its attachments, ready to be sent. */
export type DiscordMessage = { body: DiscordMessageBody; files: RawFile[] }

/** A file that was too long for memory is read here, and removed. */
export const messageOf = async (
  view: View,
  extras: Omit<MessageExtras, 'file'> & { file?: OutFile | undefined } = {},
): Promise<DiscordMessage> => {
  try {
    return await withFile(view, extras)
  } finally {
    if (extras.file !== undefined) await discard(extras.file)
  }
}

const withFile = async (
  view: View,
  { file, ...beside }: Omit<MessageExtras, 'file'> & { file?: OutFile | undefined },
): Promise<DiscordMessage> => {
  const bytes = file === undefined ? 0 : await sizeOf(file)
  if (file !== undefined && bytes > discordLimits.message.fileBytes) {
    return withFile(withNote(view, file.name, bytes), beside)
  }
  const named = file === undefined ? undefined : { filename: file.name.replace(/[^\w.-]+/g, '_').slice(-60) }
  const { body, charts } = renderMessage(view, { ...beside, file: named })
  const pictures = await Promise.all(charts.map(drawChart))
  return {
    body,
    files: [
      ...pictures.map((data, at) => ({ name: `chart-${at + 1}.png`, data, contentType: 'image/png' })),
      ...(file === undefined || named === undefined
        ? []
        : [{ name: named.filename, data: await contentOf(file), contentType: file.type }]),
    ],
  }
}

const sizeOf = async ({ content, path }: OutFile): Promise<number> =>
  path === undefined ? Buffer.byteLength(content) : (await stat(path)).size

const contentOf = async ({ content, path }: OutFile): Promise<Buffer> =>
  path === undefined ? Buffer.from(content) : readFile(path)

const withNote = (view: View, name: string, bytes: number): View => ({
  ...view,
  blocks: [
    note(
      'warn',
      `${name} has ${Math.ceil(bytes / 1_000_000)} MB, more than Discord takes. Ask for less of it.`,
    ),
    ...view.blocks,
  ],
})
