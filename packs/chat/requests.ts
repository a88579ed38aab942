import { z } from 'zod'
import { filled, webUrl, words } from '../../src/lib/services/endpoints/request-fields.ts'
import { mobile, recipient } from './fields.ts'

export const contactUpdate = z.strictObject({
  mobile: mobile.optional(),
  name: filled('the name').optional(),
  optin: z.boolean('opted in is true or false').optional(),
  incomingBlocked: z.boolean('incoming blocked is true or false').optional(),
  tags: z.array(filled('a tag')).optional(),
  // The form of these three is not shown: whatever JSON is given goes out.
  attributes: z.json().optional(),
  tagsToAdd: z.json().optional(),
  tagsToRemove: z.json().optional(),
})

const section = z.strictObject({
  title: words('a section title', 24),
  products: z
    .array(z.strictObject({ productRetailerId: filled('a product retailer id') }))
    .min(1, 'a section needs at least one product'),
})

export const productsMessage = z.strictObject({
  to: recipient,
  type: z.literal('interactive', 'the type must be interactive'),
  interactiveType: z
    .literal('product_list', 'the interactive type must be product_list')
    .default('product_list'),
  header: words('the header', 60),
  body: words('the body', 1024),
  footer: z.string().max(60, 'the footer has at most 60 characters').optional(),
  action: z.strictObject({ catalogId: filled('the catalog id') }, 'the catalog id is needed'),
  sections: z
    .array(section)
    .min(1, 'at least one section is needed')
    .max(10, 'a message has at most 10 sections')
    .refine(
      (sections) => sections.reduce((sum, one) => sum + one.products.length, 0) <= 30,
      'a message has at most 30 products in all its sections',
    ),
})

export const mediaTemplate = z.strictObject({
  to: recipient,
  type: z.literal('template', 'the type must be template'),
  templateName: filled('the template name'),
  link: webUrl,
  filename: filled('the filename').optional(),
  bodyParams: z.array(z.string()).optional(),
  contact: z.json().optional(),
})

const cards = <T extends z.ZodType>(card: T) =>
  z
    .array(card, 'a carousel has 2 to 10 cards')
    .min(2, 'a carousel has at least 2 cards')
    .max(10, 'a carousel has at most 10 cards')

export const carouselTemplate = z
  .strictObject({
    to: recipient,
    type: z.literal('template', 'the type must be template'),
    templateName: filled('the template name'),
    languageCode: filled('the language code').optional(),
    bodyParams: z.array(z.string()).optional(),
    carouselBodies: cards(z.strictObject({ bodyParams: z.array(z.string()) })),
    carouselFileData: cards(z.strictObject({ fileUrl: webUrl, fileName: filled('the file name of a card') })),
    urlVariables: z.array(z.string()).optional(),
    copyCodeParam: filled('the code').optional(),
    quickReplies: z.json().optional(),
    contact: z.json().optional(),
  })
  .refine(
    (body) => body.carouselBodies.length === body.carouselFileData.length,
    'each card needs one entry in carouselBodies and one in carouselFileData',
  )
  .refine(
    (body) => body.urlVariables === undefined || body.urlVariables.length === body.carouselBodies.length,
    'urlVariables needs one value per card',
  )
