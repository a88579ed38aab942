import { z } from 'zod'
import { looseTable, membersIn, textIn } from '../../packs/billing/loose.ts'
import { answer, onePage, pageParam, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { note } from '../../src/lib/view/view.ts'
import { multiplanCreate } from './create.ts'
import { pageIn } from './record.ts'

export const multiplanFind = defineQuery({
  name: 'multiplan find',
  area: 'billing',
  title: 'List checkout pages',
  summary: 'List the checkout pages that offer several plans',
  input: z.object({ page: pageParam }),
  examples: ['multiplan find'],
  uses: ['billing.findMultiplans'],
  async run({ page }, { billing }) {
    const all = membersIn((await billing.findMultiplans()).data)
    if (all.length === 0) {
      return answer({
        title: 'No checkout pages yet',
        tone: 'plain',
        blocks: [note('plain', `Create one: ${multiplanCreate.examples[0]}`)],
      })
    }
    const { shown, words, pages } = onePage(all, page, 'page')
    if (page !== undefined && shown.length === 0) return pastTheEnd(page)
    return answer(
      {
        title: 'Checkout pages',
        tone: 'plain',
        blocks: [
          looseTable(
            shown,
            [
              { label: 'Title', of: (one) => textIn(one, 'page_title', 'title', 'name') },
              { label: 'Plans#', of: (one) => String(pageIn(one).plans.length || '') || undefined },
              { label: 'Product', of: (one) => textIn(one, 'product_id') },
              { label: 'Id+', of: (one) => textIn(one, 'id', '_id') },
              { label: 'Address', of: (one) => textIn(one, 'checkout_page', 'url') },
            ],
            (one) =>
              thing('multiplan', textIn(one, 'id', '_id'), {
                name: textIn(one, 'page_title', 'title', 'name'),
              }),
          ),
        ],
        footer: `${words}. See one with multiplan get and its id.`,
      },
      { pages },
    )
  },
})
