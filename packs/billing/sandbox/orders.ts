import { isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { cents, type Proration, prorate, recurringTotal } from './proration.ts'
import { customerById, planById } from './records.ts'
import type { BillingState, Coupon, Plan, PlanOrder, Subscription } from './state.ts'
import { dueDate, type Term, termAt, termEnd } from './terms.ts'

/** Puts the subscription on the ordered plan as of `now`, and writes the invoice, the payment and the credit left. */
export function applyOrder(state: BillingState, subscription: Subscription, order: PlanOrder, now: number) {
  const plan = planById(state, order.plan_id)
  const before = subscription.plan
  const customer = customerById(state, subscription.customer_id)
  const coupon = state.coupons.find((one) => one.coupon_code === order.coupon_code)
  const figures = prorate({
    current: { price: before.price, quantity: subscription.quantity },
    term: endedTerm(subscription, now),
    now,
    credit: customer.credit ?? 0,
    order,
    discount: coupon,
  })
  const note = creditNote(state, subscription, order, plan, figures)
  customer.credit = figures.creditLeft === 0 ? null : figures.creditLeft
  customer.updatedAt = isoOf(now)
  if (coupon) coupon.used_redemption++
  Object.assign(subscription, renewed(subscription, order, plan, coupon, note.update_type, now))
  const invoice = invoiceOf(state, subscription, order, figures, note, now)
  state.invoices.push(invoice)
  if (figures.charge > 0) recordPayment(state, subscription, figures.charge, invoice.invoice_id, now)
  // The copy keeps the answer and the books as they were written, whatever happens to the subscription later.
  return structuredClone(invoice)
}

/** A coupon that cannot be redeemed for the plan is refused before anything is written. */
export function couponOf(state: BillingState, plan: Plan, code: string, now: number): Coupon | undefined {
  if (code === '') return undefined
  const coupon = state.coupons.find((one) => one.coupon_code === code && one.product_id === plan.product_id)
  if (!coupon) return refuse(`coupon ${code} was not found`)
  if (coupon.status !== 'active' || Date.parse(coupon.valid_upto) < now)
    refuse(`coupon ${code} is not valid any more`)
  if (coupon.used_redemption >= coupon.maximum_redemption) refuse(`coupon ${code} is used up`)
  if (coupon.plans_array && !coupon.plans_array.includes(plan.id)) refuse(`coupon ${code} is for other plans`)
  return coupon
}

/** At the very end of a term all of it is used: the term that ends now counts, not the one that begins. */
function endedTerm(subscription: Subscription, now: number): Term {
  const { billing_period, billing_period_num } = subscription.plan
  const first = {
    start: Date.parse(subscription.last_billing_date),
    end: Date.parse(subscription.next_billing_date),
  }
  return termAt(first, billing_period, Number(billing_period_num), now - 1)
}

function renewed(
  subscription: Subscription,
  order: PlanOrder,
  plan: Plan,
  coupon: Coupon | undefined,
  updateType: string,
  now: number,
): Partial<Subscription> {
  const end = isoOf(termEnd(now, plan.billing_period, Number(plan.billing_period_num)))
  return {
    plan_id: plan.id,
    plan: { ...plan, price: order.price },
    amount: recurringTotal(order, coupon),
    setup_fee: order.setup_fee,
    quantity: order.quantity,
    payment_terms: order.payment_term,
    payment_method: order.card_id || subscription.payment_method,
    gateway_type: order.payment_mode,
    addons: order.addons,
    coupon: coupon ? { ...coupon } : {},
    update_reason: order.update_reason,
    update_type: updateType,
    activation_date: isoOf(now),
    last_billing_date: isoOf(now),
    next_billing_date: end,
    expiry_date: end,
    updatedAt: isoOf(now),
    scheduled_change: null,
  }
}

function creditNote(
  state: BillingState,
  subscription: Subscription,
  order: PlanOrder,
  plan: Plan,
  figures: Proration,
) {
  const { plan: before, quantity } = subscription
  const updateType =
    dailyPrice(plan, order.price * order.quantity) < dailyPrice(before, before.price * quantity)
      ? 'downgrade'
      : 'upgrade'
  return {
    total_tax: '0.00',
    current_plan_name: before.plan_name,
    new_plan_name: plan.plan_name,
    update_type: updateType,
    transaction_note: `${before.plan_name} to ${plan.plan_name}`,
    current_plan_price: before.price,
    current_plan_quantity: quantity,
    current_plan_total: figures.currentTotal,
    new_plan_price: order.price,
    used_amount: figures.usedAmount,
    used_days: figures.usedDays,
    remaining_days: figures.remainingDays,
    new_credits: figures.newCredits,
    total_credit_amount: figures.totalCredit,
    charge_amount: figures.charge,
    new_plan_total: figures.newTotal.toFixed(2),
    credit_applied:
      figures.creditApplied === 0
        ? []
        : [
            {
              id: `cn_${1000 + state.serial}`,
              amount: cents(figures.creditApplied),
              deducted_from: figures.totalCredit,
              remaining_amount: figures.creditLeft,
            },
          ],
  }
}

const daysIn: Record<string, number> = { w: 7, m: 365 / 12, y: 365 }

const dailyPrice = (plan: Plan, total: number) =>
  total / ((daysIn[plan.billing_period] ?? 30) * Number(plan.billing_period_num))

function invoiceOf(
  state: BillingState,
  subscription: Subscription,
  order: PlanOrder,
  figures: Proration,
  note: ReturnType<typeof creditNote>,
  now: number,
) {
  const serial = 1000 + state.serial++
  return {
    id: `inv_${serial}`,
    invoice_id: `INV-${serial}`,
    customer_id: subscription.customer_id,
    subscription_id: subscription.id,
    product_id: subscription.product_id,
    quantity: String(subscription.quantity),
    setup_fee: order.setup_fee,
    amount: figures.charge,
    due_amount: 0,
    status: 'paid',
    payment_term: order.payment_term,
    due_date: isoOf(dueDate(now, order.payment_term)),
    currency_symbol: subscription.currency_symbol,
    subscription: structuredClone(subscription),
    credit_note: note,
    tax_apply: {
      country: customerById(state, subscription.customer_id).billing_address.country,
      tax_id: '',
      exempt_tax: [],
      total_amount: figures.charge,
      total_tax: '0.00',
    },
    createdAt: isoOf(now),
    updatedAt: isoOf(now),
  }
}

function recordPayment(
  state: BillingState,
  subscription: Subscription,
  amount: number,
  invoiceId: string,
  now: number,
) {
  state.transactions.push({
    id: `pay_${2000 + state.serial++}`,
    customer_id: subscription.customer_id,
    subscription_id: subscription.id,
    invoice_id: invoiceId,
    amount,
    refunded_amount: 0,
    currency_code: subscription.plan.currency_code,
    currency_symbol: subscription.currency_symbol,
    status: 'success',
    createdAt: isoOf(now),
  })
}
