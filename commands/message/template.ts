import { z } from 'zod'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { forRecipient, messageCard, recipientPlan, sentOf, toParam } from './recipient.ts'
import {
  bodyParams,
  contactBlocks,
  contactParam,
  placeholders,
  templateBody,
  templateName,
  templatePlan,
} from './template-params.ts'

export const messageTemplate = defineServiceChange({
  name: 'message template',
  title: 'Send a template',
  summary: 'Send a text template, with values for its placeholders',
  ...forRecipient,
  input: z.object({
    to: toParam,
    templateName: templateName.describe('Name of a text template'),
    bodyParams,
    languageCode: templateName.optional().describe('Language of the template, such as en'),
    contact: contactParam,
  }),
  positional: ['to', 'templateName'],
  examples: ['message template 15550110000 order_update --body-params Ada,Sunday'],
  uses: ['chat.findContacts', 'chat.getContact', 'chat.sendTextTemplate'],
  plan: z.object({ recipient: recipientPlan, ...templatePlan, languageCode: z.string().optional() }),
  preview: (plan) =>
    messageCard(
      theirs(plan.templateName),
      plan.recipient,
      {
        Template: plan.templateName,
        Language: plan.languageCode,
        ...placeholders(plan.bodyParams),
      },
      [...contactBlocks(plan)],
    ),
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
  done: (plan, sent) => sentOf(sent, theirs(plan.templateName), plan.recipient),
})
