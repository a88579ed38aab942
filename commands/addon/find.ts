import { z } from 'zod'
import { looseTable, membersIn } from '../../packs/billing/loose.ts'
import { answer, onePage, pageParam, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { yesNo } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { note } from '../../src/lib/view/view.ts'
import { found } from '../billing/reads.ts'
import { billedWords, priceWords, toAddon } from './record.ts'

export const addonFind = defineQuery({
  name: 'addon find',
  area: 'billing',
  title: 'List add-ons',
  summary: 'List the add-ons of a product',
  input: z.object({
    productId: idOf('the product id').describe('Product whose add-ons to list').meta({ kind: 'product' }),
    page: pageParam,
  }),
  positional: ['productId'],
  examples: ['addon find prod_desk'],
  uses: ['billing.findAddons'],
  async run({ productId, page }, { billing }) {
    const read = await found(
      billing.findAddons({ params: { product_id: productId } }),
      `product ${theirs(productId)}`,
      'Check the product id; multiplan find shows the ids of products that have a checkout page.',
    )
    if (!read.ok) return read
    const addons = membersIn(read.value.data)
    if (addons.length === 0) {
      return answer({
        title: `No add-ons of ${theirs(productId)}`,
        tone: 'plain',
        blocks: [note('plain', 'Check the product id, or create one with addon create.')],
      })
    }
    const { shown, words, pages } = onePage(addons, page, 'add-on')
    if (page !== undefined && shown.length === 0) return pastTheEnd(page)
    return answer(
      {
        title: `Add-ons of ${theirs(productId)}`,
        tone: 'plain',
        blocks: [
          looseTable(
            shown,
            [
              { label: 'Name', of: (one) => toAddon(one).name || undefined },
              { label: 'Price#', of: (one) => priceWords(toAddon(one).price) },
              { label: 'Billed', of: (one) => billedWords(toAddon(one)) },
              { label: 'Active', of: (one) => yesNo(toAddon(one).status) },
              { label: 'Code+', of: (one) => toAddon(one).code || undefined },
              { label: 'Id+', of: (one) => toAddon(one).id || undefined },
            ],
            (one) =>
              thing('add-on', toAddon(one).id, {
                name: toAddon(one).name,
                of: { kind: 'product', id: productId },
              }),
          ),
        ],
        footer: `${words}. See one with addon get and its id.`,
      },
      { pages },
    )
  },
})
