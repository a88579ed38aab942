import type { OutFile } from '../../../src/kernel/command/define.ts'
import { discard } from '../../../src/kernel/messenger/spool.ts'
import { note, type View } from '../../../src/lib/view/view.ts'
import { slackErrorFields } from '../api/errors.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { postMessage, type SlackMessageRef } from './post-view.ts'

type UploadContext = Pick<SlackContext, 'web' | 'responseUrls' | 'log' | 'refusedBlocks'>

// What the file belongs to is posted by now. Nothing here throws, because whoever posted that would post it again.

/** A file has no private way into a channel, so it goes to the person's conversation with the bot; if that is closed, `say` tells them. */
export const sendFileDirectly = async (
  slack: UploadContext,
  account: string,
  file: OutFile,
  say: (sorry: View) => Promise<unknown>,
): Promise<void> => {
  const here: View = { title: file.name, tone: 'plain', blocks: [note('plain', 'Here is the file.')] }
  try {
    await uploadFile(slack, await postMessage(slack, account, here), file)
  } catch (error) {
    slack.log.warn(slackErrorFields(error), 'a file could not be sent')
    await discard(file)
    const why = 'Your conversation with the bot does not take it; let the app write to you, then ask again.'
    await say(notSentView(file, why)).catch(() => undefined)
  }
}

/** Under a message that is there already. */
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
    slack.log.warn(slackErrorFields(error), 'a file could not be sent')
    const why = 'The app may lack the scope files:write; an administrator can look.'
    await postMessage(slack, channel, notSentView(file, why), ts).catch(() => undefined)
  } finally {
    await discard(file)
  }
}

const notSentView = ({ name }: OutFile, why: string): View => ({
  title: `${name} could not be sent.`,
  tone: 'warn',
  blocks: [note('plain', why)],
})
