import { z } from 'zod'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { ok } from '../../src/model/result.ts'
import { productsMessage } from '../../src/services/endpoints/chat-requests.ts'
import { code, facts } from '../../src/view/view.ts'
import {
  readRecipient,
  recipientLookUps,
  recipientName,
  recipientPlan,
  recipientWarnings,
  toParam,
} from './recipient.ts'
import { sentOf } from './sent.ts'

const { body } = productsMessage.shape

export const messageText = defineServiceChange({
  name: 'message text',
  summary: 'Send a plain chat message',
  area: 'chat',
  input: z.object({ to: toParam, body: body.describe('Text, at most 1024 characters').meta({ rest: true }) }),
  positional: ['to', 'body'],
  examples: ['message text 15550110000 "Your parcel is on its way"'],
  uses: ['chat.findContacts', 'chat.sendText'],
  plan: z.object({ recipient: recipientPlan, body }),
  async prepare({ to, body: words }, context) {
    return ok({ recipient: await readRecipient(to, context), body: words })
  },
  preview: (plan) => ({
    title: `Send a text to ${recipientName(plan.recipient)}`,
    tone: 'warn',
    blocks: [
      ...recipientWarnings(plan.recipient),
      facts({ To: recipientName(plan.recipient) }),
      code(plan.body),
    ],
  }),
  row: 'chat.sendText',
  request: (plan) => ({ body: { to: plan.recipient.to, type: 'text', body: plan.body } }),
  done: ({ recipient }, sent) => sentOf(sent, 'a text', recipient),
  lookUps: ({ recipient }) => recipientLookUps(recipient),
})
