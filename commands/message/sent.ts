import type { Applied } from '../../src/command/define.ts'
import type { chat } from '../../src/services/chat.ts'
import type { DataOf } from '../../src/services/client.ts'
import type { Answer } from '../../src/services/verdict.ts'
import { names } from '../../src/view/format.ts'
import { facts } from '../../src/view/view.ts'
import { type Recipient, recipientName } from './recipient.ts'

type Sent = DataOf<typeof chat.rows.sendProducts>

export const sentOf = ({ data, understood }: Answer<Sent>, what: string, recipient: Recipient): Applied => {
  const to = recipientName(recipient)
  const messages = data?.platformResponse?.messages ?? []
  return {
    message: `Sent ${what} to ${to}.`,
    ...(data && {
      view: {
        title: `Message to ${to}`,
        tone: 'good' as const,
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
    }),
    understood,
  }
}
