import { z } from 'zod'
import { answer } from '../../src/kernel/command/answer.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { no } from '../../src/lib/result.ts'
import { money, when } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { thingView } from '../../src/lib/view/thing-view.ts'
import { type Block, facts, list, note, text } from '../../src/lib/view/view.ts'
import { changesTable } from '../approval/summary.ts'
import { type Evidence, lookAtPayment, whyUnseen } from '../refund/evidence.ts'
import { paymentTitle } from '../refund/words.ts'

export const transactionGet = defineQuery({
  name: 'transaction get',
  area: 'billing',
  title: 'Look up payment',
  summary: 'Show one payment: what was refunded of it, and who asked for that',
  input: z.object({
    paymentId: idOf('the payment id').describe('Payment to show').meta({ kind: 'payment' }),
    customer: idOf('the customer id')
      .optional()
      .describe('Customer who paid, where no link leads to them')
      .meta({ kind: 'customer' }),
  }),
  positional: ['paymentId'],
  examples: ['transaction get pay_1001', 'transaction get pay_1011 --customer cus_1009'],
  uses: ['billing.findTransactions', 'billing.findRefunds'],
  async run({ paymentId, customer }, context) {
    const changes = await changesAbout(paymentId, context)
    const looked = await lookAtPayment(paymentId, customer, context)
    const why = whyUnseen(looked)
    if (why !== undefined && changes.length === 0) {
      return no(
        refusal('not_found', `Nothing is known of payment ${theirs(paymentId)}. ${why}`, {
          next: (as) => `Say who paid with ${as.flag('customer')}, or look at their payments first.`,
        }),
      )
    }
    const asked: Block[] =
      changes.length === 0
        ? [note('plain', 'Nobody has asked for a change of it here.')]
        : [text('What was asked for here:'), await changesTable(changes, context)]
    const shown = thingView({
      title:
        looked.state === 'seen'
          ? capital(paymentTitle(looked.evidence, payerIn(changes)))
          : `Payment ${theirs(paymentId)}`,
      tone: 'plain',
      blocks:
        looked.state === 'seen' ? paymentBlocks(paymentId, looked.evidence) : [note('plain', why ?? '')],
    })
    return answer({ ...shown, blocks: [...shown.blocks, ...asked] })
  },
})

const maxLooked = 200

/** By name, where a request about it has looked that up. */
const payerIn = (changes: readonly Change[]): string | undefined =>
  changes.find(({ names, recipient }) => names.includes('refund') && recipient !== undefined)?.recipient

/** The newest that speak of the payment, of those that the actor may see. */
const changesAbout = async (
  paymentId: string,
  { records }: Pick<ReadContext, 'records'>,
): Promise<Change[]> =>
  (await records.changes({ limit: maxLooked, page: 1 })).items.filter(({ input }) =>
    Object.values(input).includes(paymentId),
  )

const paymentBlocks = (paymentId: string, evidence: Evidence): Block[] => {
  const { customer, address, paid, currency, refunded, left, status, invoice, at, refunds, twins } = evidence
  const sum = (amount: number | null) => (amount === null ? undefined : money(amount, currency))
  return [
    facts({
      Payment: thing('payment', paymentId, { of: { kind: 'customer', id: customer } }),
      Paid: sum(paid),
      Refunded: refunded === 0 ? 'nothing' : sum(refunded),
      Left: refunded === 0 ? undefined : sum(left),
      Status: status ?? undefined,
      Invoice: invoice ?? undefined,
      When: when(at),
      Customer: thing('customer', customer, { name: address }),
    }),
    ...(refunds.length === 0 ? [] : [list(refunds.map(({ words }) => words))]),
    ...twins.map((words) => note('warn', words)),
  ]
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
