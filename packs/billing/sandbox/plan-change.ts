import { z } from 'zod'
import { isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { givenList, textField } from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { notFound, parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { applyOrder, couponOf } from './orders.ts'
import { cents } from './proration.ts'
import { addonById, customerById, planById, productById, success, toProduct } from './records.ts'
import type { BillingState, PlanOrder, SubscribedAddon, Subscription } from './state.ts'
import { paymentTerms, termAt } from './terms.ts'

// The document declares the figures strings, so numbers are refused.
const amount = z.string().regex(/^\d+(\.\d{1,2})?$/, 'must be an amount as text')

const request = z.object({
  plan_id: textField,
  payment_mode: z.enum(['offline', 'credit_card']),
  customer_id: textField.optional(),
  payment_term: z.enum(paymentTerms).default('net0'),
  activated_at_val: z.enum(['immediately', 'eot']).default('immediately'),
  card_id: z.string().default(''),
  coupon_code: z.string().default(''),
  price: amount.optional(),
  quantity: z
    .string()
    .regex(/^[1-9]\d{0,5}$/, 'must be a whole number as text')
    .optional(),
  setup_fee: amount.optional(),
  addons: z.unknown().optional(),
  update_reason: z.string().default(''),
})

export function changePlan({ state, params: [id = ''], body, now }: HandlerCall<BillingState>) {
  const subscription = state.subscriptions.find((one) => one.id === id) ?? notFound(`subscription ${id}`)
  const wanted = parseOrRefuse(request, body)
  const order = orderOf(state, subscription, wanted, now)
  if (wanted.activated_at_val === 'immediately') {
    const invoice = applyOrder(state, subscription, order, now)
    return success('Subscription updated', resultOf(state, subscription, order, invoice))
  }
  const { end } = termOf(subscription, now)
  subscription.scheduled_change = { applies_at: isoOf(end), order }
  subscription.update_reason = order.update_reason
  subscription.updatedAt = isoOf(now)
  return success(
    'Subscription will be updated at the end of the term',
    resultOf(state, subscription, order, null),
  )
}

/** Changes whose term has ended are applied as of that moment; time does this, not a request. */
export function applyDueChanges(state: BillingState, now: number) {
  for (const subscription of state.subscriptions) {
    const change = subscription.scheduled_change
    if (!change) continue
    const due = Date.parse(change.applies_at)
    if (due <= now) applyOrder(state, subscription, change.order, due)
  }
}

function resultOf(state: BillingState, subscription: Subscription, order: PlanOrder, invoice: unknown) {
  return {
    user: state.user,
    customer: customerById(state, subscription.customer_id),
    product: toProduct(productById(state, subscription.product_id)),
    plan: planById(state, order.plan_id),
    subscription,
    invoice,
  }
}

function orderOf(
  state: BillingState,
  subscription: Subscription,
  wanted: z.output<typeof request>,
  now: number,
): PlanOrder {
  const plan = planById(state, wanted.plan_id)
  if (plan.product_id !== subscription.product_id) {
    refuse(`plan ${plan.id} belongs to another product than the subscription`)
  }
  if (wanted.customer_id !== undefined && wanted.customer_id !== subscription.customer_id) {
    refuse(`the subscription does not belong to customer ${wanted.customer_id}`)
  }
  couponOf(state, plan, wanted.coupon_code, now)
  return {
    plan_id: plan.id,
    price: wanted.price === undefined ? plan.price : Number(wanted.price),
    quantity: wanted.quantity === undefined ? subscription.quantity : Number(wanted.quantity),
    setup_fee: wanted.setup_fee === undefined ? plan.setup_fee : Number(wanted.setup_fee),
    addons:
      wanted.addons === undefined ? subscription.addons : addonsOf(state, plan.product_id, wanted.addons),
    coupon_code: wanted.coupon_code,
    payment_term: wanted.payment_term,
    payment_mode: wanted.payment_mode,
    card_id: wanted.card_id,
    update_reason: wanted.update_reason,
  }
}

const choice = z.object({ id: textField, quantity: z.coerce.number().int().min(1).default(1) })

/** The form is not documented: `{ id, quantity }` records, an object by id, either as JSON text, or `id:quantity` joined by commas. */
function addonsOf(state: BillingState, productId: string, sent: unknown): SubscribedAddon[] {
  return givenList(sent, 'addons', (id, quantity) => ({ id, quantity })).map((item) => {
    const [id, quantity = '1'] = typeof item === 'string' ? item.split(':') : []
    const chosen = parseOrRefuse(choice, typeof item === 'string' ? { id, quantity } : item)
    const addon = addonById(state, chosen.id)
    if (addon.product_id !== productId) refuse(`add-on ${addon.id} belongs to another product`)
    return { ...addon, quantity: chosen.quantity, adjusted_amount: cents(addon.price * chosen.quantity) }
  })
}

function termOf(subscription: Subscription, now: number) {
  const { billing_period, billing_period_num } = subscription.plan
  const first = {
    start: Date.parse(subscription.last_billing_date),
    end: Date.parse(subscription.next_billing_date),
  }
  return termAt(first, billing_period, Number(billing_period_num), now)
}
