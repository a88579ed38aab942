import type { SlackShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt'
import type { View } from '../../../src/view/view.ts'
import { slackErrorFields } from '../api/errors.ts'
import { responseUrlOf } from '../api/response-url.ts'
import { placeOf, type SlackRequest, slackSenderOf } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { pickerModal } from '../forms/command-picker.ts'
import { shortcutIds } from '../manifest.ts'
import { replyPrivately } from '../reply/deliver-reply.ts'
import { handleRequest } from './handle-request.ts'

/** The two shortcuts: on a message, and everywhere. */
export const onShortcut =
  (slack: SlackContext) =>
  async ({ ack, shortcut }: SlackShortcutMiddlewareArgs<SlackShortcut>): Promise<void> => {
    await ack()
    const request = requestOf(shortcut)
    if (shortcut.callback_id === shortcutIds.pick) return openPicker(slack, request)
    if (shortcut.callback_id !== shortcutIds.lookUp || shortcut.type !== 'message_action') return
    const email = emailIn(shortcut.message)
    if (email !== undefined) {
      return handleRequest(slack, request, {
        kind: 'form',
        command: 'subscriber get',
        values: { who: email },
      })
    }
    try {
      await replyPrivately(slack, request, noEmailView, undefined)
    } catch (error) {
      slack.log.warn(slackErrorFields(error), 'an answer could not be brought to Slack')
    }
  }

const openPicker = async (slack: SlackContext, request: SlackRequest): Promise<void> => {
  const { readsOf, registry } = slack.bot
  try {
    const { records } = readsOf(await slackSenderOf(slack, request))
    const commands = registry.all.filter(({ name }) => records.mayRun(name))
    const view = pickerModal(commands, placeOf(request))
    await slack.web.views.open({ trigger_id: request.trigger ?? '', view })
  } catch (error) {
    slack.log.warn(slackErrorFields(error), 'the command picker could not be opened')
  }
}

const requestOf = (shortcut: SlackShortcut): SlackRequest => {
  const { user, trigger_id } = shortcut
  const isMessage = shortcut.type === 'message_action'
  return {
    delivery: `shortcut:${trigger_id}`,
    account: user.id,
    name: ('name' in user ? user.name : user.username) ?? '',
    team: user.team_id ?? shortcut.team?.id,
    channel: isMessage ? shortcut.channel.id : null,
    responseUrl: isMessage ? responseUrlOf(shortcut.response_url) : undefined,
    trigger: trigger_id,
  }
}

/** The first address in the message: what it says, or what its blocks and attachments hold. */
const emailIn = ({ text, blocks, attachments }: Record<string, unknown>): string | undefined =>
  textsIn([text, blocks, attachments])
    .map((words) =>
      /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u.exec(words),
    )
    .find((found) => found !== null)?.[0]

const textsIn = (node: unknown): string[] => {
  if (typeof node === 'string') return [node]
  return typeof node === 'object' && node !== null ? Object.values(node).flatMap(textsIn) : []
}

const noEmailView: View = { title: 'There is no email address in this message.', tone: 'warn', blocks: [] }
