import type { ServiceAnswer } from '../../src/services/client/interpret.ts'
import { sentMessage } from '../../src/services/endpoints/chat-records.ts'
import { names } from '../../src/view/format.ts'
import { facts, type View } from '../../src/view/view.ts'
import { type Recipient, recipientName } from './recipient.ts'

/** Most kinds of messages are not documented; their answers are read like those that are. */
export const sentOf = (
  answer: ServiceAnswer<unknown>,
  what: string,
  recipient: Recipient,
): { message: string; view: View | undefined } => {
  const to = recipientName(recipient)
  const { data } = sentMessage.safeParse(answer.data)
  const messages = data?.platformResponse?.messages ?? []
  return {
    message: `Sent ${what} to ${to}.`,
    view: data && {
      title: `Message to ${to}`,
      tone: 'good',
      blocks: [
        facts({
          To: data.to,
          Status: names([...new Set(messages.flatMap((one) => one.message_status ?? []))], ''),
          Chat: data.chatId,
          Message: names(
            messages.flatMap((one) => one.id ?? []),
            '',
          ),
        }),
      ],
    },
  }
}
