import type { SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt'
import { readValues } from '../../src/command/parse.ts'
import { lineOf } from '../../src/command/print.ts'
import type { Reply } from '../../src/pipeline/inbound.ts'
import { code, note } from '../../src/view/view.ts'
import { readHandle } from './address.ts'
import type { Asked } from './asked.ts'
import { converse, take } from './converse.ts'
import type { Desk } from './desk.ts'
import { formModal } from './form.ts'
import { errorsOf, fileIn, stateOf, valuesOf } from './form-values.ts'
import { type Back, readMetadata } from './metadata.ts'
import { pickerBlock, pickerInput } from './picker.ts'
import { reasonBlock, reasonInput } from './reason.ts'

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction>

/** A filled-in modal. What can be checked at once is, so that its fields say what is wrong; the rest comes after the ack. */
export const onSubmission =
  (desk: Desk) =>
  async (submission: Submission): Promise<void> => {
    switch (submission.view.callback_id) {
      case 'form':
        return submitForm(desk, submission)
      case 'reason':
        return submitReason(desk, submission)
      case 'picker':
        return submitPick(desk, submission)
      default:
        await submission.ack()
    }
  }

const submitForm = async (desk: Desk, { ack, body, view }: Submission): Promise<void> => {
  const back = readMetadata('form', view.private_metadata)
  const command = back && desk.app.world.registry.get(back.command)
  if (back === undefined || command === undefined) return ack()
  const values = valuesOf(command, view.state)
  const attached = fileIn(command, view.state)
  const errors = errorsOf(command, values, attached !== undefined)
  if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors })
  await ack()
  const typed = readValues(command, values)
  const withTyped = (reply: Reply): Reply => {
    if (reply.kind !== 'refused' || !typed.ok) return reply
    const again = code(lineOf(command.name, command.params, typed.value.input))
    const blocks = [...reply.view.blocks, note('plain', 'What you filled in, as a line:'), again]
    return { ...reply, view: { ...reply.view, blocks } }
  }
  const asked = askedOf(body, back)
  const file = attached === undefined ? undefined : await take(desk, asked, attached.file)
  if (attached !== undefined && file === undefined) return
  const all = attached === undefined || file === undefined ? values : { ...values, [attached.name]: file }
  await converse(desk, asked, { kind: 'form', command: command.name, values: all }, { change: withTyped })
}

const submitReason = async (desk: Desk, { ack, body, view }: Submission): Promise<void> => {
  const back = readMetadata('reason', view.private_metadata)
  if (back === undefined) return ack()
  const reason = stateOf(view.state)(reasonBlock, reasonInput)
  if (reason === undefined) {
    return ack({ response_action: 'errors', errors: { [reasonBlock]: 'Say why in a few words.' } })
  }
  const { verb, id } = back
  await converse(
    desk,
    { ...askedOf(body, back), isPress: true },
    { kind: 'press', verb, id, reason: String(reason) },
    { ack },
  )
}

const submitPick = async (desk: Desk, { ack, body, view }: Submission): Promise<void> => {
  const back = readMetadata('picker', view.private_metadata)
  const name = stateOf(view.state)(pickerBlock, pickerInput)
  const command = desk.app.world.registry.get(String(name))
  if (back === undefined || command === undefined) {
    return ack({ response_action: 'errors', errors: { [pickerBlock]: 'Choose a command.' } })
  }
  if (command.params.length === 0) {
    await ack()
    return converse(desk, askedOf(body, back), { kind: 'line', line: command.name })
  }
  const { channel, handle } = back
  const form = { command: command.name, title: command.summary, fields: command.params, values: {} }
  await ack({ response_action: 'update', view: formModal(form, { channel, handle }) })
}

/** A view is handed in once, whatever is delivered. */
const askedOf = ({ user, view, team }: ViewSubmitAction, { channel, handle }: Back): Asked => ({
  delivery: `view:${view.id}:${view.hash}`,
  account: user.id,
  name: user.name ?? '',
  team: user.team_id ?? team?.id,
  channel,
  ...readHandle(handle),
})
