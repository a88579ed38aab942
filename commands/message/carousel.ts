import { z } from 'zod'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no } from '../../src/lib/result.ts'
import { toNames } from '../../src/lib/services/endpoints/guesses.ts'
import { webUrl } from '../../src/lib/services/endpoints/request-fields.ts'
import { defaultGuesses } from '../../src/lib/services/endpoints/tables.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { table } from '../../src/lib/view/view.ts'
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

const words = (what: string) => z.string(`${what} is needed`).trim().min(1, `${what} must not be empty`)

const cards = z
  .array(
    z.strictObject({
      fileUrl: webUrl,
      fileName: words('the fileName of a card'),
      bodyParams: z.array(z.string('the bodyParams of a card are texts')).default([]),
    }),
    'cards are [{"fileUrl":"https://...","fileName":"a.jpg","bodyParams":["..."]}]',
  )
  .min(2, 'a carousel has at least 2 cards')
  .max(10, 'a carousel has at most 10 cards')

const texts = z.array(z.string())

export const messageCarousel = defineServiceChange({
  name: 'message carousel',
  title: 'Send a carousel',
  summary: 'Send an approved carousel template with 2 to 10 cards',
  ...forRecipient,
  input: z
    .object({
      to: toParam,
      templateName: templateName.describe('Name of an approved carousel template'),
      cards: cards
        .describe('[{"fileUrl":"https://...","fileName":"a.jpg","bodyParams":["..."]}], 2 to 10')
        .meta({ json: true }),
      bodyParams,
      languageCode: words('the language code').optional().describe('Language of the template, such as en'),
      urlVariables: texts.optional().describe('Values for the URL buttons, one per card'),
      copyCodeParam: words('the code').optional().describe('Code behind the copy-code button'),
      quickReplies: texts.optional().describe('Payloads of the quick-reply buttons'),
      contact: contactParam,
    })
    .refine(({ cards: all, urlVariables }) => !urlVariables || urlVariables.length === all.length, {
      path: ['urlVariables'],
      message: 'give one value for each card',
    }),
  positional: ['to', 'templateName'],
  examples: [
    'message carousel 15550110000 spring_picks --cards \'[{"fileUrl":"https://files.example.com/a.jpg","fileName":"a.jpg","bodyParams":["Mug"]},{"fileUrl":"https://files.example.com/b.jpg","fileName":"b.jpg","bodyParams":["Bowl"]}]\'',
  ],
  uses: ['chat.findContacts', 'chat.getContact', 'chat.sendCarousel'],
  plan: z.object({
    recipient: recipientPlan,
    ...templatePlan,
    cards,
    languageCode: z.string().optional(),
    urlVariables: texts.optional(),
    copyCodeParam: z.string().optional(),
    quickReplies: texts.optional(),
  }),
  async prepare(message, context) {
    if (context.guesses.quickReplies === 'text' && message.quickReplies?.some((one) => one.includes(','))) {
      return no(
        refusal(
          'bad_value',
          'Quick replies are sent as text with commas between them, so none can have one.',
          {
            field: 'quickReplies',
            next: 'Leave the comma out, or choose another form with guesses in bellhop.yml.',
          },
        ),
      )
    }
    return forRecipient.prepare(message, context)
  },
  preview: (plan) =>
    messageCard(
      theirs(plan.templateName),
      plan.recipient,
      {
        Template: plan.templateName,
        Language: plan.languageCode,
        ...placeholders(plan.bodyParams),
        Cards: plural(plan.cards.length, 'card'),
        'Copy code': plan.copyCodeParam,
        'Quick replies': plan.quickReplies && names(plan.quickReplies),
      },
      [
        table(
          ['Card', 'File', 'Body values', 'Link', ...(plan.urlVariables ? ['URL variable'] : [])],
          plan.cards.map((card, at) => [
            String(at + 1),
            card.fileName,
            names(card.bodyParams, ''),
            card.fileUrl,
            ...(plan.urlVariables ? [plan.urlVariables[at] ?? ''] : []),
          ]),
        ),
        ...contactBlocks(plan),
      ],
    ),
  row: 'chat.sendCarousel',
  request: (plan) => ({
    body: {
      to: plan.recipient.to,
      type: 'template' as const,
      templateName: plan.templateName,
      languageCode: plan.languageCode,
      carouselBodies: plan.cards.map(({ bodyParams: values }) => ({ bodyParams: values })),
      carouselFileData: plan.cards.map(({ fileUrl, fileName }) => ({ fileUrl, fileName })),
      urlVariables: plan.urlVariables,
      copyCodeParam: plan.copyCodeParam,
      ...(plan.quickReplies && {
        quickReplies: toNames(plan.quickReplies, plan.guesses?.quickReplies ?? defaultGuesses().quickReplies),
      }),
      ...templateBody(plan),
    },
  }),
  done: (plan, sent) => sentOf(sent, theirs(plan.templateName), plan.recipient),
})
