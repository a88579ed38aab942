import { discard } from '../../src/bulk/spool.ts'
import type { OutFile } from '../../src/command/define.ts'
import { note, type View } from '../../src/view/view.ts'
import type { Desk } from './desk.ts'
import { faultOf } from './errors.ts'
import { type Posted, postMessage } from './post.ts'

type FileDesk = Pick<Desk, 'web' | 'responder' | 'log'>

/** A file has no private way into a channel, so it goes to the person's conversation with the bot. */
export const handOver = async (desk: FileDesk, account: string, file: OutFile): Promise<void> => {
  const here: View = { title: file.name, tone: 'plain', blocks: [note('plain', 'Here is the file.')] }
  await attach(desk, await postMessage(desk, account, here), file)
}

/** Under a message that is there already. The message stays what it is, whatever becomes of the file. */
export const attach = async (desk: FileDesk, { channel, ts }: Posted, file: OutFile): Promise<void> => {
  try {
    await desk.web.files.uploadV2({
      channel_id: channel,
      thread_ts: ts,
      filename: file.name,
      title: file.name,
      ...(file.path === undefined ? { content: file.content } : { file: file.path }),
    })
  } catch (error) {
    desk.log.warn(faultOf(error), 'a file could not be handed over')
    const sorry: View = {
      title: `${file.name} could not be handed over.`,
      tone: 'warn',
      blocks: [note('plain', 'The app may lack the scope files:write; an administrator can look.')],
    }
    await postMessage(desk, channel, sorry, ts)
  } finally {
    await discard(file)
  }
}
