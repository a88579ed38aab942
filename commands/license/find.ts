import { z } from 'zod'
import { looseTable } from '../../packs/billing/loose.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { note } from '../../src/lib/view/view.ts'
import { found } from '../billing/reads.ts'
import { productId } from './input.ts'
import { toLicense } from './record.ts'

const defaultLimit = 10

export const licenseFind = defineQuery({
  name: 'license find',
  area: 'billing',
  title: 'List licenses',
  summary: 'List the licenses of a product, a page at a time',
  input: z.object({
    productId,
    limit: z
      .int('the limit is a whole number')
      .min(1, 'the limit is 1 to 100')
      .max(100, 'the limit is 1 to 100')
      .describe('Licenses per page, 1 to 100; 10 if left out')
      .optional(),
    page: z
      .int('the page is a whole number')
      .min(1, 'pages start at 1')
      .describe('Page number, from 1')
      .optional(),
  }),
  positional: ['productId'],
  examples: ['license find prod_desk', 'license find prod_desk --limit 5 --page 2'],
  uses: ['billing.findLicenses'],
  async run({ productId: product, limit, page }, { billing }) {
    const read = await found(
      billing.findLicenses({ params: { product_id: product }, query: { limit, page } }),
      `product ${theirs(product)}`,
      'Check the product id.',
    )
    if (!read.ok) return read
    const licenses = read.value.data ?? []
    const at = page ?? 1
    if (licenses.length === 0) {
      const back = lineFor(licenseFind, { productId: product })
      return answer(
        {
          title:
            at === 1
              ? `No licenses of ${theirs(product)}`
              : `Page ${at} has no licenses of ${theirs(product)}`,
          tone: 'plain',
          blocks: [note('plain', at === 1 ? 'Check the product id.' : `Start again with ${back}`)],
        },
        { pages: { previous: at > 1, next: false } },
      )
    }
    // The answer contains no totals, so a full page may be followed by another one.
    const isFull = licenses.length >= (limit ?? defaultLimit)
    return answer(
      {
        title: `Licenses of ${theirs(product)}`,
        tone: 'plain',
        blocks: [
          looseTable(
            licenses,
            [
              { label: 'Name', of: (one) => toLicense(one).name || undefined },
              { label: 'Used#', of: (one) => countWords(toLicense(one).used_license) },
              { label: 'Codes#', of: (one) => countWords(toLicense(one).total_license) },
              { label: 'Status', of: (one) => toLicense(one).status || undefined },
              { label: 'Id+', of: (one) => toLicense(one).id || undefined },
            ],
            (one) =>
              thing('license', toLicense(one).id, {
                name: toLicense(one).name,
                of: { kind: 'product', id: product },
              }),
          ),
        ],
        footer: `Page ${at}, ${plural(licenses.length, 'license')}`,
      },
      { pages: { previous: at > 1, next: isFull } },
    )
  },
})

const countWords = (count: number | null | undefined): string | undefined =>
  typeof count === 'number' ? formatNumber(count) : undefined
