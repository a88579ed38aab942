import { z } from 'zod'
import { answer, onePage, pageParam, pastTheEnd } from '../../src/command/answer.ts'
import { defineQuery } from '../../src/command/define.ts'
import { idOf } from '../../src/command/id.ts'
import { note } from '../../src/view/view.ts'
import { looseTable, membersIn } from '../billing/loose.ts'
import { found } from '../billing/reads.ts'
import { ownerWords } from '../person/who.ts'
import { paymentColumns, paymentOf } from './record.ts'

export const transactionFind = defineQuery({
  name: 'transaction find',
  area: 'billing',
  title: 'List payments',
  summary: 'List the payments of a customer and their refunds',
  input: z.object({
    customerId: idOf('the customer id')
      .describe('Customer whose payments to list')
      .meta({ kind: 'customer' }),
    page: pageParam,
  }),
  positional: ['customerId'],
  examples: ['transaction find cus_1001'],
  uses: ['billing.findTransactions'],
  async run({ customerId, page }, { billing, links, zone }) {
    const read = await found(
      billing.findTransactions({ params: { customer_id: customerId } }),
      `customer ${customerId}`,
      'Check the customer id: it is on the customer’s page in the billing service.',
    )
    if (!read.ok) return read
    const owner = await ownerWords({ kind: 'customer', id: customerId }, { links })
    const payments = membersIn(read.value.data)
    if (payments.length === 0) {
      return answer({
        title: `No payments by ${owner}`,
        tone: 'plain',
        blocks: [note('plain', 'Check the customer id, or look for refunds with transaction refunds.')],
      })
    }
    const { shown, words, pages } = onePage(payments, page, 'payment')
    if (page !== undefined && shown.length === 0) return pastTheEnd(page)
    return answer(
      {
        title: `Payments by ${owner}`,
        tone: 'plain',
        blocks: [looseTable(shown, paymentColumns, paymentOf(customerId, zone))],
        footer: words,
      },
      { pages },
    )
  },
})
