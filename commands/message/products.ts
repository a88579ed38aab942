import { z } from 'zod'
import { productsMessage } from '../../packs/chat/requests.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { isRecord } from '../../src/lib/services/read-answer.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { code, facts, table } from '../../src/lib/view/view.ts'
import { forRecipient, messageCard, recipientPlan, sentOf, toParam } from './recipient.ts'

const { header, body, footer, sections } = productsMessage.shape

export const messageProducts = defineServiceChange({
  name: 'message products',
  title: 'Send products',
  summary: 'Send a chat message with products from a catalog to choose from',
  ...forRecipient,
  input: z.object({
    to: toParam,
    header: header.describe('Heading, at most 60 characters'),
    body: body.describe('Text, at most 1024 characters'),
    footer: footer.describe('Small print, at most 60 characters'),
    catalogId: idOf('the catalog id').describe('Id of the product catalog'),
    sections: z
      .preprocess(toSections, sections)
      .describe('[{"title":"Mugs","products":["sku-1","sku-2"]}], at most 10 sections, 30 products')
      .meta({ json: true }),
  }),
  positional: ['to'],
  examples: [
    'message products 15550110000 --header "Spring picks" --body "Chosen for you" --catalog-id cat_1 --sections \'[{"title":"Mugs","products":["sku-1","sku-2"]}]\'',
  ],
  uses: ['chat.findContacts', 'chat.getContact', 'chat.sendProducts'],
  plan: z.object({ recipient: recipientPlan, header, body, footer, catalogId: z.string(), sections }),
  preview: (plan) =>
    messageCard('products', plan.recipient, { Header: plan.header }, [
      code(plan.body),
      facts({ Footer: plan.footer, Catalog: plan.catalogId }),
      table(
        ['Section', 'Product'],
        plan.sections.flatMap(({ title, products }) =>
          products.map(({ productRetailerId }) => [title, productRetailerId]),
        ),
      ),
    ]),
  row: 'chat.sendProducts',
  request: ({ recipient, catalogId, ...message }) => ({
    body: {
      to: recipient.to,
      type: 'interactive' as const,
      interactiveType: 'product_list' as const,
      ...message,
      action: { catalogId },
    },
  }),
  done({ recipient, sections: all }, sent) {
    const count = all.reduce((sum, { products }) => sum + products.length, 0)
    return sentOf(sent, plural(count, 'product'), recipient)
  },
})

/** A product may be given as just its retailer id. */
function toSections(value: unknown): unknown {
  if (!Array.isArray(value)) return value
  return value.map((section) =>
    isRecord(section) && Array.isArray(section.products)
      ? { ...section, products: section.products.map(toProduct) }
      : section,
  )
}

const toProduct = (product: unknown) =>
  typeof product === 'string' ? { productRetailerId: product } : product
