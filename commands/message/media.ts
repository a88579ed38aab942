import { z } from 'zod'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { ok } from '../../src/model/result.ts'
import { webUrl } from '../../src/services/endpoints/request-fields.ts'
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

export const messageMedia = defineServiceChange({
  name: 'message media',
  summary: 'Send a template with an image, a video or a document',
  area: 'chat',
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
  uses: ['chat.findContacts', 'chat.sendMediaTemplate'],
  plan: z.object({
    recipient: recipientPlan,
    ...templatePlan,
    link: z.string(),
    filename: z.string().optional(),
  }),
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
        Media: plan.link,
        'File name': plan.filename,
        ...placeholders(plan.bodyParams),
      }),
      ...contactBlocks(plan),
    ],
  }),
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
  done: (plan, sent) => sentOf(sent, plan.templateName, plan.recipient),
  lookUps: ({ recipient }) => recipientLookUps(recipient),
})
