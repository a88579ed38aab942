import { z } from 'zod'
import { answer } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { plural } from '../../src/view/button-labels.ts'
import { thing } from '../../src/view/thing.ts'
import { note } from '../../src/view/view.ts'
import { leftOut, looseTable, membersIn, textIn } from '../billing/loose.ts'
import { multiplanCreate } from './create.ts'
import { pageIn } from './record.ts'

export const multiplanFind = defineQuery({
  name: 'multiplan find',
  area: 'billing',
  title: 'List checkout pages',
  summary: 'List the checkout pages that offer several plans',
  input: z.object({}),
  examples: ['multiplan find'],
  uses: ['billing.findMultiplans'],
  async run(_, { billing }) {
    const pages = membersIn((await billing.findMultiplans()).data)
    if (pages.length === 0) {
      return answer({
        title: 'No checkout pages yet',
        tone: 'plain',
        blocks: [note('plain', `Create one: ${multiplanCreate.examples[0]}`)],
      })
    }
    return answer({
      title: 'Checkout pages',
      tone: 'plain',
      blocks: [
        looseTable(
          pages,
          [
            { label: 'Title', of: (page) => textIn(page, 'page_title', 'title', 'name') },
            { label: 'Plans#', of: (page) => String(pageIn(page).plans.length || '') || undefined },
            { label: 'Product', of: (page) => textIn(page, 'product_id') },
            { label: 'Id+', of: (page) => textIn(page, 'id', '_id') },
            { label: 'Address', of: (page) => textIn(page, 'checkout_page', 'url') },
          ],
          (page) =>
            thing('multiplan', textIn(page, 'id', '_id'), {
              name: textIn(page, 'page_title', 'title', 'name'),
            }),
        ),
      ],
      footer: `${plural(pages.length, 'page')}${leftOut(pages)}. See one with multiplan get and its id.`,
    })
  },
})
