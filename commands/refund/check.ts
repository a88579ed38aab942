import { cents, refundsIn, refundsOf } from '../../packs/billing/payments.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { OutcomeCheck } from '../../src/kernel/model/change.ts'
import { money, when } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { sentence } from '../../src/lib/view/words.ts'
import { isAllNoted, lookAtPayment, whyUnseen } from './evidence.ts'
import { customersIn, type RefundPlan } from './plan.ts'

/**
 * Whether the refund is in the service: one of the payment that was not there when people were asked, and that fits.
 * Where refunds cannot be read, what the payment says itself.
 */
export const checkRefund = async (
  plan: RefundPlan,
  context: ReadContext,
  { createdAt }: { createdAt: number },
): Promise<OutcomeCheck> => {
  const { paymentId, amount, evidence } = plan
  const [customer] = customersIn(plan)
  const looked = await lookAtPayment(paymentId, customer, context)
  if (looked.state !== 'seen') return { happened: null, message: whyUnseen(looked) ?? '' }
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
    return { happened: true, message: sentence`${much} is there${since}, ${theirs(found.id)}.` }
  }
  if (now.refunded === null)
    return { happened: null, message: 'What was refunded of the payment could not be read.' }
  const earlier = evidence?.refunded ?? now.refunded
  const grown = cents(now.refunded - earlier)
  if (grown > 0 && (amount === undefined || grown === amount)) {
    return {
      happened: true,
      message: `Payment ${theirs(paymentId)} now shows ${money(now.refunded, now.currency)} as refunded, ${money(earlier, now.currency)} before.`,
    }
  }
  return { happened: false, message: `No such refund of payment ${theirs(paymentId)} has appeared.` }
}
