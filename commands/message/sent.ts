import type { DataOf } from '../../src/services/client/client.ts'
import type { ServiceAnswer } from '../../src/services/client/interpret.ts'
import type { chat } from '../../src/services/endpoints/chat.ts'
import { names } from '../../src/view/format.ts'
import { facts, type View } from '../../src/view/view.ts'
import { type Recipient, recipientName } from './recipient.ts'

type Sent = DataOf<typeof chat.rows.sendProducts>

export const sentOf = (
  { data }: ServiceAnswer<Sent>,
  what: string,
  recipient: Recipient,
): { message: string; view: View | undefined } => {
  const to = recipientName(recipient)
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
