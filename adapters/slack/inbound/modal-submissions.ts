import type { SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt'
import { readValues } from '../../../src/command/line/parse.ts'
import { commandLineOf } from '../../../src/command/line/print.ts'
import type { Reply } from '../../../src/messenger/inbound.ts'
import { code, note } from '../../../src/view/view.ts'
import { readReplyHandle } from '../context/address.ts'
import type { SlackRequest } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { formModal } from '../forms/command-form.ts'
import { pickerBlock, pickerInput } from '../forms/command-picker.ts'
import { type ReplyTarget, readModalMetadata } from '../forms/modal-metadata.ts'
import { reasonBlock, reasonInput } from '../forms/reason-modal.ts'
import { fieldErrors, inputReaderOf, submittedFile, submittedValues } from '../forms/submitted-values.ts'
import { fileOf, handleRequest } from './handle-request.ts'

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction>

/** A filled-in modal. What can be checked at once is, so that its fields say what is wrong; the rest comes after the ack. */
export const onModalSubmission =
  (slack: SlackContext) =>
  async (submission: Submission): Promise<void> => {
    switch (submission.view.callback_id) {
      case 'form':
        return submitForm(slack, submission)
      case 'reason':
        return submitReason(slack, submission)
      case 'picker':
        return submitPick(slack, submission)
      default:
        await submission.ack()
    }
  }

const submitForm = async (slack: SlackContext, { ack, body, view }: Submission): Promise<void> => {
  const metadata = readModalMetadata('form', view.private_metadata)
  const command = metadata && slack.bot.registry.get(metadata.command)
  if (metadata === undefined || command === undefined) return ack()
  const values = submittedValues(command, view.state)
  const attached = submittedFile(command, view.state)
  const errors = fieldErrors(command, values, attached !== undefined)
  if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors })
  await ack()
  const typed = readValues(command, values)
  const withTyped = (reply: Reply): Reply => {
    if (reply.kind !== 'refused' || !typed.ok) return reply
    const again = code(commandLineOf(command.name, command.params, typed.value.input))
    const blocks = [...reply.view.blocks, note('plain', 'What you filled in, as a line:'), again]
    return { ...reply, view: { ...reply.view, blocks } }
  }
  await handleRequest(
    slack,
    requestOf(body, metadata),
    { kind: 'form', command: command.name, values },
    {
      mapReply: withTyped,
      ...(attached === undefined ? {} : { attached: { [attached.name]: fileOf(slack, attached.file) } }),
    },
  )
}

const submitReason = async (slack: SlackContext, { ack, body, view }: Submission): Promise<void> => {
  const metadata = readModalMetadata('reason', view.private_metadata)
  if (metadata === undefined) return ack()
  const reason = inputReaderOf(view.state)(reasonBlock, reasonInput)
  if (reason === undefined) {
    return ack({ response_action: 'errors', errors: { [reasonBlock]: 'Say why in a few words.' } })
  }
  const { verb, id } = metadata
  await handleRequest(
    slack,
    { ...requestOf(body, metadata), isPress: true },
    { kind: 'press', verb, id, reason: String(reason) },
    { ack },
  )
}

const submitPick = async (slack: SlackContext, { ack, body, view }: Submission): Promise<void> => {
  const metadata = readModalMetadata('picker', view.private_metadata)
  const name = inputReaderOf(view.state)(pickerBlock, pickerInput)
  const command = slack.bot.registry.get(String(name))
  if (metadata === undefined || command === undefined) {
    return ack({ response_action: 'errors', errors: { [pickerBlock]: 'Choose a command.' } })
  }
  if (command.params.length === 0) {
    await ack()
    return handleRequest(slack, requestOf(body, metadata), { kind: 'line', line: command.name })
  }
  const { channel, handle } = metadata
  const form = { command: command.name, title: command.summary, fields: command.params, values: {} }
  await ack({ response_action: 'update', view: formModal(form, { channel, handle }) })
}

/** A view is handed in once, whatever is delivered. */
const requestOf = (
  { user, view, team }: ViewSubmitAction,
  { channel, handle }: ReplyTarget,
): SlackRequest => ({
  delivery: `view:${view.id}:${view.hash}`,
  account: user.id,
  name: user.name ?? '',
  team: user.team_id ?? team?.id,
  channel,
  ...readReplyHandle(handle),
})
