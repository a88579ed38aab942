import type { Inbound, Reply } from '../../src/pipeline/inbound.ts'
import { refusalView } from '../../src/view/refusals.ts'
import { note, type View } from '../../src/view/view.ts'
import { again, patient } from './again.ts'
import { fetchAll } from './attachments.ts'
import type { Desk } from './desk.ts'
import { faultOf, toMessengerError } from './errors.ts'
import { fromOf, lineIn, linePlaceOf } from './inbound.ts'
import { type Message, messageOf } from './message.ts'
import type { LineMessage } from './payload.ts'
import { fileView, formView, lacksFile, openButton, reasonView } from './words.ts'

/** A line in a direct message, or after a mention of the bot. Nothing is thrown. */
export const handleLine = async (desk: Desk, message: LineMessage, botId: string): Promise<void> => {
  const isPerson = message.author.bot !== true && !message.webhook_id
  const line = isPerson && spoken.has(message.type) ? lineIn(message, botId) : undefined
  const from = fromOf({ member: message.member, user: message.author })
  if (line === undefined || from === undefined || message.author.id === botId) return
  try {
    const [attachment] = message.attachments ?? []
    const file = await fetchAll(attachment === undefined ? {} : { file: attachment })
    if (!file.ok) return await tell(desk, message, await messageOf(refusalView(file.refusal)))
    const inbound: Inbound = {
      delivery: message.id,
      from,
      place: linePlaceOf(message),
      forms: true,
      intent: {
        kind: 'line',
        line: line || 'bellhop help',
        ...(file.value.file === undefined ? {} : { file: file.value.file }),
      },
    }
    const reply = await desk.app.handle(inbound)
    const answer = await answerOf(desk, inbound, reply)
    if (answer !== undefined) await tell(desk, message, answer)
  } catch (error) {
    desk.log.warn(faultOf(error), 'a line could not be answered')
  }
}

/** A plain message, and a reply to one. */
const spoken: ReadonlySet<number> = new Set([0, 19])

/** Undefined where the worker tells it, or where it was told before. */
const answerOf = async (desk: Desk, inbound: Inbound, reply: Reply): Promise<Message | undefined> => {
  switch (reply.kind) {
    case 'answer':
      return messageOf(reply.view, { file: reply.file })
    case 'refused':
    case 'share':
      return messageOf(reply.view)
    case 'form': {
      if (lacksFile(reply.form)) return messageOf(fileView(reply.form))
      const { command, values } = reply.form
      const id = await desk.drafts.keep(inbound.from, { command, values })
      return messageOf(formView(reply.form), { buttons: [openButton(id, 'Fill in')] })
    }
    case 'reason':
      return messageOf(reasonView(reply))
    case 'change':
      return reply.change.origin.channel === inbound.place.channel ? undefined : messageOf(reply.view)
    case 'repeated':
      return undefined
  }
}

/** What a person asked in a channel is for that person: there is no private message in a channel, so it is sent directly. */
const tell = async (
  desk: Desk,
  { author, channel_id, guild_id, id }: LineMessage,
  answer: Message,
): Promise<void> => {
  if (!guild_id) {
    await again(patient, () => desk.api.send(channel_id, answer, { once: id }))
    return
  }
  const isSent = await sendDirectly(desk, author.id, answer, id)
  const pointer = await messageOf(isSent ? sentDirectly : closed)
  await again(patient, () => desk.api.send(channel_id, pointer, { once: `where ${id}`, replyTo: id }))
}

const sendDirectly = async (
  { api }: Desk,
  account: string,
  answer: Message,
  once: string,
): Promise<boolean> => {
  try {
    await again(patient, async () => api.send(await api.conversation(account), answer, { once }))
    return true
  } catch (error) {
    if (toMessengerError(error).kind === 'later') throw error
    return false
  }
}

const sentDirectly: View = {
  title: 'Answered in a direct message',
  tone: 'plain',
  blocks: [note('plain', 'A slash command answers right here, for your eyes only.')],
}

const closed: View = {
  title: 'Your direct messages are closed to me',
  tone: 'warn',
  blocks: [note('plain', 'Use the slash command: it answers right here, for your eyes only.')],
}
