import { z } from 'zod'
import { looseTable, membersIn } from '../../packs/billing/loose.ts'
import { refundColumns, refundedPaymentOf, totalWords } from '../../packs/billing/transaction.ts'
import { answer, onePage, pageParam, pastTheEnd } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { note } from '../../src/lib/view/view.ts'
import { found } from '../billing/reads.ts'
import { ownerWords } from '../person/who.ts'
import { transactionFind } from './find.ts'

export const transactionRefunds = defineQuery({
  name: 'transaction refunds',
  area: 'billing',
  title: 'List refunds',
  summary: 'List the refunds that a customer got',
  input: z.object({
    customerId: idOf('the customer id').describe('Customer whose refunds to list').meta({ kind: 'customer' }),
    page: pageParam,
  }),
  positional: ['customerId'],
  examples: ['transaction refunds cus_1009'],
  uses: ['billing.findRefunds'],
  async run({ customerId, page }, { billing, links }) {
    const read = await found(
      billing.findRefunds({ params: { customer_id: customerId } }),
      `customer ${theirs(customerId)}`,
      'Check the customer id: it is on the customer’s page in the billing service.',
    )
    if (!read.ok) return read
    const owner = await ownerWords({ kind: 'customer', id: customerId }, { links })
    const refunds = membersIn(read.value.data)
    if (refunds.length === 0) {
      return answer({
        title: `No refunds for ${theirs(owner)}`,
        tone: 'plain',
        blocks: [note('plain', `Their payments: ${lineFor(transactionFind, { customerId })}`)],
      })
    }
    const total = totalWords(refunds)
    const { shown, words, pages } = onePage(refunds, page, 'refund')
    if (page !== undefined && shown.length === 0) return pastTheEnd(page)
    return answer(
      {
        title: `Refunds for ${theirs(owner)}`,
        tone: 'plain',
        blocks: [looseTable(shown, refundColumns, refundedPaymentOf(customerId))],
        footer: `${words}${total === undefined ? '' : `, ${total} in all`}`,
      },
      { pages },
    )
  },
})
