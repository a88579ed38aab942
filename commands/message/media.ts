import { z } from 'zod'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { webUrl } from '../../src/lib/services/endpoints/request-fields.ts'
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

export const messageMedia = defineServiceChange({
  name: 'message media',
  title: 'Send media',
  summary: 'Send a template with an image, a video or a document',
  ...forRecipient,
  input: z.object({
    to: toParam,
    templateName: templateName.describe('Name of a media template'),
    link: webUrl.describe('Web address of the media file'),
    filename: z
      .string()
      .trim()
      .min(1, 'the filename must not be empty')
      .optional()
      .describe('File name to show, for document templates only'),
    bodyParams,
    contact: contactParam,
  }),
  positional: ['to', 'templateName', 'link'],
  examples: [
    'message media 15550110000 spring_banner https://files.example.com/spring.jpg --body-params Ada,Sunday',
    'message media +15550110000 order_invoice https://files.example.com/invoice.pdf --filename invoice.pdf',
  ],
  uses: ['chat.findContacts', 'chat.getContact', 'chat.sendMediaTemplate'],
  plan: z.object({
    recipient: recipientPlan,
    ...templatePlan,
    link: z.string(),
    filename: z.string().optional(),
  }),
  preview: (plan) =>
    messageCard(
      theirs(plan.templateName),
      plan.recipient,
      {
        Template: plan.templateName,
        Media: plan.link,
        'File name': plan.filename,
        ...placeholders(plan.bodyParams),
      },
      [...contactBlocks(plan)],
    ),
  row: 'chat.sendMediaTemplate',
  request: (plan) => ({
    body: {
      to: plan.recipient.to,
      type: 'template' as const,
      templateName: plan.templateName,
      link: plan.link,
      filename: plan.filename,
      ...templateBody(plan),
    },
  }),
  done: (plan, sent) => sentOf(sent, theirs(plan.templateName), plan.recipient),
})
