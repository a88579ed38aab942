import { z } from 'zod'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { ok } from '../../src/model/result.ts'
import { facts } from '../../src/view/view.ts'
import {
  readRecipient,
  recipientLookUps,
  recipientName,
  recipientPlan,
  recipientWarnings,
  toParam,
} from './recipient.ts'
import { sentOf } from './sent.ts'
import {
  bodyParams,
  contactBlocks,
  contactParam,
  placeholders,
  templateBody,
  templateName,
  templatePlan,
} from './template.ts'

export const messageTemplate = defineServiceChange({
  name: 'message template',
  summary: 'Send a text template, with values for its placeholders',
  area: 'chat',
  input: z.object({
    to: toParam,
    templateName: templateName.describe('Name of a text template'),
    bodyParams,
    languageCode: templateName.optional().describe('Language of the template, such as en'),
    contact: contactParam,
  }),
  positional: ['to', 'templateName'],
  examples: ['message template 15550110000 order_update --body-params Ada,Sunday'],
  uses: ['chat.findContacts', 'chat.sendTextTemplate'],
  plan: z.object({ recipient: recipientPlan, ...templatePlan, languageCode: z.string().optional() }),
  async prepare({ to, ...message }, context) {
    return ok({ recipient: await readRecipient(to, context), ...message })
  },
  preview: (plan) => ({
    title: `Send ${plan.templateName} to ${recipientName(plan.recipient)}`,
    tone: 'warn',
    blocks: [
      ...recipientWarnings(plan.recipient),
      facts({
        To: recipientName(plan.recipient),
        Template: plan.templateName,
        Language: plan.languageCode,
        ...placeholders(plan.bodyParams),
      }),
      ...contactBlocks(plan),
    ],
  }),
  row: 'chat.sendTextTemplate',
  request: (plan) => ({
    body: {
      to: plan.recipient.to,
      type: 'template',
      templateName: plan.templateName,
      languageCode: plan.languageCode,
      ...templateBody(plan),
    },
  }),
  done: (plan, sent) => sentOf(sent, plan.templateName, plan.recipient),
  lookUps: ({ recipient }) => recipientLookUps(recipient),
})
