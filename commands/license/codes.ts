import { z } from 'zod'
import { looseTable } from '../../packs/billing/loose.ts'
import { answer, onePage, pageParam, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { note } from '../../src/lib/view/view.ts'
import { licenseId, nextAfter, productId } from './input.ts'
import { listed } from './listed.ts'
import { codeColumns, usedIn } from './record.ts'

export const licenseCodes = defineQuery({
  name: 'license codes',
  area: 'billing',
  title: 'List license codes',
  summary: 'List the codes of a license, and which are used',
  input: z.object({ productId, licenseId, page: pageParam }),
  positional: ['productId', 'licenseId'],
  examples: ['license codes prod_desk lic_501'],
  uses: ['billing.licenseCodes', 'billing.findLicenses'],
  async run({ productId: product, licenseId: id, page }, context) {
    const read = await listed(product, id, context)
    if (!read.ok) return read
    const { codes, isFromListing } = read.value
    if (codes.length === 0) {
      return answer({
        title: `No codes in ${theirs(id)}`,
        tone: 'plain',
        blocks: [note('plain', `The pool is empty. ${nextAfter(product)}`)],
      })
    }
    const used = codes.filter((code) => usedIn(code) === 'yes').length
    const { shown, words, pages } = onePage(codes, page, 'code')
    if (page !== undefined && shown.length === 0) return pastTheEnd(page)
    return answer(
      {
        title: `Codes of ${theirs(id)}`,
        tone: 'plain',
        blocks: [looseTable(shown, codeColumns)],
        footer: `${words}, ${used} used${isFromListing ? ', as the list of licenses shows them' : ''}`,
      },
      { pages },
    )
  },
})
