import type { ReadContext } from '../../src/command/context.ts'
import type { OutcomeCheck } from '../../src/model/change.ts'
import { money, when } from '../../src/view/format.ts'
import { sentence } from '../../src/view/words.ts'
import { cents, refundsIn, refundsOf } from '../transaction/payments.ts'
import { isAllNoted, lookAtPayment } from './evidence.ts'
import type { RefundPlan } from './plan.ts'

/**
 * Whether the refund is in the service: one of the payment that was not there when people were asked, and that fits.
 * Where refunds cannot be read, what the payment says itself.
 */
export const checkRefund = async (
  { paymentId, amount, evidence }: RefundPlan,
  context: ReadContext,
  { createdAt }: { createdAt: number },
): Promise<OutcomeCheck> => {
  const looked = await lookAtPayment(paymentId, evidence?.customer, context)
  if (!('evidence' in looked)) return { happened: null, message: `Nobody can look: ${looked.why}` }
  const now = looked.evidence
  const before = new Set(evidence?.refunds.map(({ id }) => id))
  const all = await refundsOf(now.customer, context).catch(() => [])
  const [found] = refundsIn({ id: paymentId }, all).filter(
    (one) =>
      !before.has(one.id) &&
      // Where not all of them were noted before, only what is newer than the request can be this one.
      (isAllNoted(evidence) || (one.at ?? 0) >= createdAt) &&
      (amount === undefined || one.amount === amount),
  )
  if (found !== undefined) {
    const much = found.amount === undefined ? 'A refund' : `A refund of ${money(found.amount, now.currency)}`
    const since = found.at === undefined ? '' : sentence` since ${when(found.at)}`
    return { happened: true, message: sentence`${much} is there${since}, ${found.id}.` }
  }
  if (now.refunded === null)
    return { happened: null, message: 'What was refunded of the payment could not be read.' }
  const earlier = evidence?.refunded ?? now.refunded
  const grown = cents(now.refunded - earlier)
  if (grown > 0 && (amount === undefined || grown === amount)) {
    return {
      happened: true,
      message: `Payment ${paymentId} now shows ${money(now.refunded, now.currency)} as refunded, ${money(earlier, now.currency)} before.`,
    }
  }
  return { happened: false, message: `No such refund of payment ${paymentId} has appeared.` }
}
