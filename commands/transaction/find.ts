import { z } from 'zod'
import { looseTable, membersIn } from '../../packs/billing/loose.ts'
import { paymentColumns, paymentOf } from '../../packs/billing/transaction.ts'
import { answer, onePage, pageParam, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { note } from '../../src/lib/view/view.ts'
import { found } from '../billing/reads.ts'
import { ownerWords } from '../person/who.ts'
import { searchParams, searchPayments } from './search.ts'

export const transactionFind = defineQuery({
  name: 'transaction find',
  area: 'billing',
  title: 'List payments',
  summary: 'List the payments of a customer, or find some by sum, day, invoice number or card',
  input: z.object({
    customerId: idOf('the customer id')
      .optional()
      .describe('Customer whose payments to list')
      .meta({ kind: 'customer' }),
    ...searchParams,
    page: pageParam,
  }),
  oneOf: ['customerId', 'amount', 'since', 'invoice', 'card'],
  positional: ['customerId'],
  examples: [
    'transaction find cus_1001',
    'transaction find --amount "49 USD" --since "1 nov" --until "1 nov"',
  ],
  uses: ['billing.findTransactions'],
  async run({ customerId, page, ...search }, context) {
    const { billing, links, zone } = context
    const isSearch = Object.values(search).some((value) => value !== undefined)
    if (customerId === undefined || isSearch) return searchPayments({ customerId, ...search }, context)
    const read = await found(
      billing.findTransactions({ params: { customer_id: customerId } }),
      `customer ${theirs(customerId)}`,
      'Check the customer id: it is on the customer’s page in the billing service.',
    )
    if (!read.ok) return read
    const owner = await ownerWords({ kind: 'customer', id: customerId }, { links })
    const payments = membersIn(read.value.data)
    if (payments.length === 0) {
      return answer({
        title: `No payments by ${theirs(owner)}`,
        tone: 'plain',
        blocks: [note('plain', 'Check the customer id, or look for refunds with transaction refunds.')],
      })
    }
    const { shown, words, pages } = onePage(payments, page, 'payment')
    if (page !== undefined && shown.length === 0) return pastTheEnd(page)
    return answer(
      {
        title: `Payments by ${theirs(owner)}`,
        tone: 'plain',
        blocks: [looseTable(shown, paymentColumns, paymentOf(customerId, zone))],
        footer: words,
      },
      { pages },
    )
  },
})
