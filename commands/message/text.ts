import { z } from 'zod'
import { productsMessage } from '../../packs/chat/requests.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { code } from '../../src/lib/view/view.ts'
import { forRecipient, messageCard, recipientPlan, sentOf, toParam } from './recipient.ts'

const { body } = productsMessage.shape

export const messageText = defineServiceChange({
  name: 'message text',
  title: 'Send a message',
  summary: 'Send a plain chat message',
  ...forRecipient,
  input: z.object({ to: toParam, body: body.describe('Text, at most 1024 characters').meta({ rest: true }) }),
  positional: ['to', 'body'],
  examples: ['message text 15550110000 "Your parcel is on its way"'],
  workflow: true,
  uses: ['chat.findContacts', 'chat.getContact', 'chat.sendText'],
  plan: z.object({ recipient: recipientPlan, body }),
  preview: (plan) => messageCard('a text', plan.recipient, {}, [code(plan.body)]),
  row: 'chat.sendText',
  request: (plan) => ({ body: { to: plan.recipient.to, type: 'text', body: plan.body } }),
  done: ({ recipient }, sent) => sentOf(sent, 'a text', recipient),
})
