import type { OutFile } from '../../../src/command/define.ts'
import { discard } from '../../../src/messenger/spool.ts'
import { note, type View } from '../../../src/view/view.ts'
import { slackErrorFields } from '../api/errors.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { postMessage, type SlackMessageRef } from './post-view.ts'

type UploadContext = Pick<SlackContext, 'web' | 'responseUrls' | 'log'>

/** A file has no private way into a channel, so it goes to the person's conversation with the bot. */
export const sendFileDirectly = async (
  slack: UploadContext,
  account: string,
  file: OutFile,
): Promise<void> => {
  const here: View = { title: file.name, tone: 'plain', blocks: [note('plain', 'Here is the file.')] }
  await uploadFile(slack, await postMessage(slack, account, here), file)
}

/** Under a message that is there already. The message stays what it is, whatever becomes of the file. */
export const uploadFile = async (
  slack: UploadContext,
  { channel, ts }: SlackMessageRef,
  file: OutFile,
): Promise<void> => {
  try {
    await slack.web.files.uploadV2({
      channel_id: channel,
      thread_ts: ts,
      filename: file.name,
      title: file.name,
      ...(file.path === undefined ? { content: file.content } : { file: file.path }),
    })
  } catch (error) {
    slack.log.warn(slackErrorFields(error), 'a file could not be handed over')
    const sorry: View = {
      title: `${file.name} could not be handed over.`,
      tone: 'warn',
      blocks: [note('plain', 'The app may lack the scope files:write; an administrator can look.')],
    }
    await postMessage(slack, channel, sorry, ts)
  } finally {
    await discard(file)
  }
}
