import type { AllMiddlewareArgs, SlackShortcut, SlackShortcutMiddlewareArgs } from '@slack/bolt'
import { refusalView } from '../../../src/lib/view/refusals.ts'
import { note, type View } from '../../../src/lib/view/view.ts'
import { slackErrorFields } from '../api/errors.ts'
import { responseUrlOf } from '../api/response-url.ts'
import {
  homeUnknown,
  isHomeKnown,
  mayRunSoon,
  placeOf,
  type SlackRequest,
  slackSenderOf,
} from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { pickerModal } from '../forms/command-picker.ts'
import { shortcutIds } from '../manifest.ts'
import { handleRequest, takeRequest, tell } from './handle-request.ts'

/** The two shortcuts: on a message, and everywhere. */
export const onShortcut =
  (slack: SlackContext) =>
  async ({
    ack,
    shortcut,
    body,
    context,
  }: SlackShortcutMiddlewareArgs<SlackShortcut> & AllMiddlewareArgs): Promise<void> => {
    const request = { ...requestOf(shortcut), isTaken: context.isTaken === true }
    if (shortcut.callback_id === shortcutIds.pick) {
      await ack()
      return openPicker(slack, request)
    }
    if (shortcut.callback_id !== shortcutIds.lookUp || shortcut.type !== 'message_action') return ack()
    await takeRequest(slack, request, { payload: body, ack }, (taken) =>
      lookUp(slack, taken, shortcut.message),
    )
  }

/** What the message says is read only for somebody who may look it up. */
const lookUp = async (
  slack: SlackContext,
  request: SlackRequest,
  message: Record<string, unknown>,
): Promise<boolean> => {
  const command = 'subscriber get'
  if (!(await isHomeKnown(slack))) return tell(slack, request, refusalView(homeUnknown))
  const email = (await mayRunSoon(slack, request, command)) ? emailIn(message) : ''
  if (email === undefined) return tell(slack, request, noEmailView)
  return handleRequest(slack, request, { kind: 'form', command, values: { who: email } })
}

const openPicker = async (slack: SlackContext, request: SlackRequest): Promise<void> => {
  const { readsOf, registry } = slack.bot
  if (!(await isHomeKnown(slack))) return void (await tell(slack, request, refusalView(homeUnknown)))
  try {
    const { records } = readsOf(await slackSenderOf(slack, request))
    const commands = registry.all.filter(({ name }) => records.mayRun(name))
    const view = pickerModal(commands, placeOf(request))
    await slack.web.views.open({ trigger_id: request.trigger ?? '', view })
  } catch (error) {
    slack.log.warn(slackErrorFields(error), 'the command picker could not be opened')
    await tell(slack, request, noPickerView)
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

const noPickerView: View = {
  title: 'The list of commands could not be opened.',
  tone: 'warn',
  blocks: [note('plain', 'Use the shortcut again, or type / to see the commands.')],
}

const noEmailView: View = { title: 'There is no email address in this message.', tone: 'warn', blocks: [] }
