import type { OutFile } from '../../src/command/define.ts'
import { note, type View } from '../../src/view/view.ts'
import type { Asked } from './asked.ts'
import type { Desk } from './desk.ts'
import { faultOf } from './errors.ts'
import { postMessage } from './post.ts'

/** A file has no private way into a channel, so it goes to the asker's conversation with the bot. */
export const handOver = async (desk: Desk, { account }: Asked, file: OutFile): Promise<void> => {
  const here: View = { title: file.name, tone: 'plain', blocks: [note('plain', 'Here is the file.')] }
  try {
    const { channel, ts } = await postMessage(desk, account, here)
    await desk.web.files.uploadV2({
      channel_id: channel,
      thread_ts: ts,
      filename: file.name,
      title: file.name,
      content: file.content,
    })
  } catch (error) {
    desk.log.warn(faultOf(error), 'a file could not be handed over')
    const sorry: View = {
      title: `${file.name} could not be handed over.`,
      tone: 'warn',
      blocks: [note('plain', 'The app may lack the scope files:write; an administrator can look.')],
    }
    await postMessage(desk, account, sorry)
  }
}
