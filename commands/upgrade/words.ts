import type { z } from 'zod'
import type { planChangeAnswer } from '../../src/services/endpoints/billing-records.ts'
import type { planChange } from '../../src/services/endpoints/billing-requests.ts'
import { plural } from '../../src/view/button-labels.ts'
import { money, when } from '../../src/view/format.ts'
import { type Block, facts, type View } from '../../src/view/view.ts'
import { addonsWords } from './addons.ts'

type Body = z.infer<typeof planChange>
type Changed = z.infer<typeof planChangeAnswer>

export const planFacts = (subscriptionId: string, body: Body): Block =>
  facts({
    Subscription: subscriptionId,
    'New plan': body.plan_id,
    When: startWords[body.activated_at_val ?? 'open'],
    Paid: body.payment_mode === 'offline' ? 'offline' : `by credit card${cardWords(body)}`,
    Due: body.payment_term ?? 'net0, the default',
    Customer: body.customer_id,
    Price: body.price === undefined ? 'that of the plan' : money(Number(body.price)),
    Quantity: body.quantity ?? 'as it is',
    'Setup fee': body.setup_fee === undefined ? undefined : money(Number(body.setup_fee)),
    'Add-ons': body.addons === undefined ? undefined : addonsWords(body.addons),
    Coupon: body.coupon_code,
    Reason: body.update_reason ?? 'none given',
  })

export const doneMessage = (subscriptionId: string, body: Body, changed: Changed | undefined): string => {
  const plan = changed?.plan?.plan_name || body.plan_id
  return body.activated_at_val === 'eot'
    ? `Subscription ${subscriptionId} will move to ${plan} at the end of its term.`
    : `Subscription ${subscriptionId} was moved to ${plan}.`
}

/** What a person asks after a plan change: what was charged, what was credited, and what comes next. */
export const doneView = (subscriptionId: string, changed: Changed, now: number): View => {
  const { invoice, subscription, plan, customer } = changed
  const note = invoice?.credit_note
  const symbol = invoice?.currency_symbol ?? subscription?.currency_symbol ?? plan?.currency_symbol
  const currency = symbol ? { symbol } : { code: plan?.currency_code }
  const amount = (value: number | null | undefined) =>
    value === undefined || value === null ? undefined : money(value, currency)
  const from = note?.current_plan_name
  const to = note?.new_plan_name ?? plan?.plan_name
  return {
    title: `Plan of ${subscriptionId}`,
    tone: 'good',
    blocks: [
      facts({
        [from ? 'Plan' : 'New plan']: from && to ? `${from} → ${to}` : to,
        Charged: amount(note?.charge_amount ?? invoice?.amount),
        Invoice: [invoice?.invoice_id ?? invoice?.id, invoice?.status].filter(Boolean).join(', '),
        'Still due': invoice?.due_amount ? amount(invoice.due_amount) : undefined,
        'New plan costs': amount(numberOf(note?.new_plan_total) ?? note?.new_plan_price ?? plan?.price),
        'Credit for the old plan': amount(note?.new_credits),
        'Credit in all':
          note?.total_credit_amount === note?.new_credits ? undefined : amount(note?.total_credit_amount),
        'Old plan used': used(note?.used_days, note?.remaining_days),
        Tax: Number(note?.total_tax) > 0 ? amount(Number(note?.total_tax)) : undefined,
        Status: subscription?.status,
        Customer: customerWords(customer, subscription?.customer_id),
        'Next billing': when(subscription?.next_billing_date, now),
      }),
    ],
  }
}

const startWords = {
  immediately: 'now',
  eot: 'at the end of the term',
  open: 'not given, the service decides',
} as const

const cardWords = ({ card_id }: Body): string => (card_id === undefined ? '' : ` ${card_id}`)

const numberOf = (text: string | null | undefined): number | undefined =>
  text && Number.isFinite(Number(text)) ? Number(text) : undefined

const used = (days: number | null | undefined, left: number | null | undefined): string | undefined =>
  typeof days === 'number' && typeof left === 'number'
    ? `${plural(days, 'day')} of ${plural(days + left, 'day')}`
    : undefined

const customerWords = (customer: Changed['customer'], id: string | null | undefined): string | undefined => {
  const name = [customer?.first_name, customer?.last_name].filter(Boolean).join(' ')
  return [name, customer?.email_id, customer?.id ?? id].filter(Boolean).join(', ') || undefined
}
