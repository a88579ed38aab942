import type { AllMiddlewareArgs, SlackViewMiddlewareArgs, ViewSubmitAction } from '@slack/bolt'
import { readValues } from '../../../src/kernel/command/line/parse.ts'
import { commandLineOf } from '../../../src/kernel/command/line/print.ts'
import type { Reply } from '../../../src/kernel/messenger/inbound.ts'
import { notCounted } from '../../../src/kernel/messenger/intake.ts'
import { refusalLine } from '../../../src/lib/view/refusals.ts'
import { code, note } from '../../../src/lib/view/view.ts'
import { readReplyHandle } from '../context/address.ts'
import { homeUnknown, isHomeKnown, mayRunSoon, type SlackRequest, slackSenderOf } from '../context/request.ts'
import type { SlackContext } from '../context/slack-context.ts'
import { formModal } from '../forms/command-form.ts'
import { pickerBlock, pickerInput } from '../forms/command-picker.ts'
import { type ReplyTarget, readModalMetadata } from '../forms/modal-metadata.ts'
import { reasonBlock, reasonInput } from '../forms/reason-modal.ts'
import { fieldErrors, inputReaderOf, submittedFile, submittedValues } from '../forms/submitted-values.ts'
import { notTakenWords } from '../transport/delivery-queue.ts'
import { fileOf, handleRequest, handleTaken, storeRequest } from './handle-request.ts'

type Submission = SlackViewMiddlewareArgs<ViewSubmitAction> & AllMiddlewareArgs

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

const submitForm = async (slack: SlackContext, { ack, body, view, context }: Submission): Promise<void> => {
  const metadata = readModalMetadata('form', view.private_metadata)
  const command = metadata && slack.bot.registry.get(metadata.command)
  if (metadata === undefined || command === undefined) return ack()
  if (!(await isHomeKnown(slack))) return ack(formStays(view, homeUnknownWords))
  const request = requestOf(body, metadata, context)
  const values = submittedValues(command, view.state)
  const attached = submittedFile(command, view.state)
  // Whoever may not run it is told that, and nothing that was filled in is read.
  const mayRun = await mayRunSoon(slack, request, command.name)
  const errors = mayRun
    ? fieldErrors(command, values, { shown: inputsOf(view), hasFile: attached !== undefined })
    : {}
  if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors })
  const stored = await storeRequest(slack, request, body)
  if (stored === 'slow') return ack(formStays(view, notTakenWords))
  await ack()
  if (stored === 'repeated') return
  const typed = mayRun ? readValues(command, values) : undefined
  const withTyped = (reply: Reply): Reply => {
    if (reply.kind !== 'refused' || !typed?.ok) return reply
    const again = code(commandLineOf(command.name, command.params, typed.value.input))
    const blocks = [...reply.view.blocks, note('plain', 'What you filled in, as a line:'), again]
    return { ...reply, view: { ...reply.view, blocks } }
  }
  const options = {
    mapReply: withTyped,
    ...(attached === undefined ? {} : { attached: { [attached.name]: fileOf(slack, attached.file) } }),
  }
  await handleTaken(slack, request, stored, (taken) =>
    handleRequest(slack, taken, { kind: 'form', command: command.name, values }, options),
  )
}

/** The form stays open with all that was typed. */
const formStays = (view: ViewSubmitAction['view'], words: string) => {
  const [first = ''] = inputsOf(view)
  return { response_action: 'errors' as const, errors: { [first]: words } }
}

const inputsOf = ({ blocks }: ViewSubmitAction['view']): string[] =>
  blocks.flatMap(({ type, block_id }) => (type === 'input' ? (block_id ?? []) : []))

const homeUnknownWords = refusalLine(homeUnknown)

const submitReason = async (slack: SlackContext, { ack, body, view, context }: Submission): Promise<void> => {
  const metadata = readModalMetadata('reason', view.private_metadata)
  if (metadata === undefined) return ack()
  const reason = inputReaderOf(view.state)(reasonBlock, reasonInput)
  if (reason === undefined) return ack(formStays(view, 'Say why in a few words.'))
  if (!(await isHomeKnown(slack))) return ack(formStays(view, homeUnknownWords))
  const { verb, id } = metadata
  await handleRequest(
    slack,
    { ...requestOf(body, metadata, context), isPress: true },
    { kind: 'press', verb, id, reason: String(reason) },
    {
      ack,
      ackNotCounted: () => ack({ response_action: 'errors', errors: { [reasonBlock]: notCountedWords } }),
    },
  )
}

const notCountedWords = refusalLine(notCounted)

const submitPick = async (slack: SlackContext, { ack, body, view, context }: Submission): Promise<void> => {
  const metadata = readModalMetadata('picker', view.private_metadata)
  const name = inputReaderOf(view.state)(pickerBlock, pickerInput)
  const command = slack.bot.registry.get(String(name))
  if (metadata === undefined || command === undefined) {
    return ack({ response_action: 'errors', errors: { [pickerBlock]: 'Choose a command.' } })
  }
  if (!(await isHomeKnown(slack))) return ack(formStays(view, homeUnknownWords))
  const request = requestOf(body, metadata, context)
  if (command.params.length > 0 && (await mayRunSoon(slack, request, command.name))) {
    const { channel, handle } = metadata
    const draft = { command: command.name, values: {} }
    const form = await slack.bot.formOf(await slackSenderOf(slack, request), draft)
    if (form !== undefined)
      return ack({ response_action: 'update', view: formModal(form, { channel, handle }) })
  }
  const stored = await storeRequest(slack, request, body)
  if (stored === 'slow') return ack(formStays(view, notTakenWords))
  await ack()
  if (stored === 'repeated') return
  await handleTaken(slack, request, stored, (taken) =>
    handleRequest(slack, taken, { kind: 'line', line: command.name }),
  )
}

/** A view is handed in once, whatever is delivered. */
const requestOf = (
  { user, view, team }: ViewSubmitAction,
  { channel, handle }: ReplyTarget,
  { isTaken }: Record<string, unknown>,
): SlackRequest => ({
  delivery: `view:${view.id}:${view.hash}`,
  isTaken: isTaken === true,
  account: user.id,
  name: user.name ?? '',
  team: user.team_id ?? team?.id,
  channel,
  ...readReplyHandle(handle),
})
