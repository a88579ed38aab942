import { daysFromEpoch, hexId, isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { customerId, customers } from '../../seed-names.ts'
import { seedAddons, seedCoupons, seedMultiplans, seedPlans, seedProducts, userId } from './seed-catalog.ts'
import type { BillingState, Customer, License, Refund, Subscription, Transaction } from './state.ts'
import { termEnd } from './terms.ts'

export function seedBilling(): BillingState {
  const customers = seedCustomers()
  const subscriptions = subscriptionRows.map((row, index) => seedSubscription(row, index, customers))
  return {
    user: seedUser(),
    products: seedProducts(),
    plans: seedPlans(),
    multiplans: seedMultiplans(),
    addons: seedAddons(),
    coupons: seedCoupons(),
    customers,
    subscriptions,
    transactions: paymentRows.map((row, index) => seedPayment(row, index, subscriptions)),
    refunds: seedRefunds(),
    licenses: seedLicenses(),
    invoices: [],
    serial: 1,
  }
}

function seedUser(): BillingState['user'] {
  return {
    id: userId,
    verified: 'true',
    currency: 'USD',
    first_name: 'Harbour',
    last_name: 'Goods',
    email: 'owner@example.com',
    address_line1: '1 Quay Street',
    address_line2: '',
    city: 'Halifax',
    state: 'Nova Scotia',
    country: 'CA',
    zip_code: 'B3H 0A1',
    phone: '15550100000',
    mobile: '15550100000',
    facebook_url: '',
    twitter_url: '',
    time_zone: 'UTC',
    date_format: 'YYYY-MM-DD',
    ip_address: '192.0.2.10',
    currency_symbol: '$',
    createdAt: daysFromEpoch(-900),
    updatedAt: daysFromEpoch(-30),
  }
}

function seedCustomers(): Customer[] {
  return customers.map(({ first, last, address }, index) => {
    return {
      id: customerId(index),
      first_name: first,
      last_name: last,
      email_id: address,
      credit: null,
      billing_address: {
        street1: `${10 + index} Mill Lane`,
        city: 'Halifax',
        state: 'Nova Scotia',
        state_code: 'NS',
        zip_code: 'B3H 0A1',
        country: 'CA',
      },
      shipping_address: {},
      createdAt: daysFromEpoch(-400 + index * 20),
      updatedAt: daysFromEpoch(-20),
    }
  })
}

type SubscriptionRow = readonly [planId: string, quantity: number, daysBeforeEpoch: number]

/** Subscription sub_1001 belongs to customer cus_1001, and so on. */
const subscriptionRows: readonly SubscriptionRow[] = [
  ['plan_desk_team_m', 1, 1],
  ['plan_desk_business_m', 2, 4],
  ['plan_desk_starter_m', 1, 8],
  ['plan_desk_team_y', 1, 120],
  ['plan_desk_business_y', 1, 200],
  ['plan_mail_basic_m', 1, 2],
  ['plan_mail_pro_m', 3, 6],
  ['plan_mail_pro_y', 1, 90],
  ['plan_desk_team_m', 5, 10],
  ['plan_desk_starter_m', 1, 0],
]

function seedSubscription(
  [planId, quantity, ago]: SubscriptionRow,
  index: number,
  customers: Customer[],
): Subscription {
  const plan = seedPlans().find((one) => one.id === planId)
  const customer = customers[index]
  if (!plan || !customer) throw new Error(`the seed of sub_${1001 + index} names an unknown plan or customer`)
  const start = Date.parse(daysFromEpoch(-ago))
  const end = isoOf(termEnd(start, plan.billing_period, Number(plan.billing_period_num)))
  return {
    id: `sub_${1001 + index}`,
    customer_id: customer.id,
    product_id: plan.product_id,
    plan_id: plan.id,
    email_id: customer.email_id,
    plan,
    amount: plan.price * quantity,
    setup_fee: 0,
    quantity,
    status: 'live',
    payment_terms: 'net0',
    currency_symbol: plan.currency_symbol,
    payment_method: `card_${1001 + index}`,
    taxable: false,
    gateway_type: 'credit_card',
    gateway_id: hexId('gateway', 1),
    custom_fields: [],
    addons: [],
    coupon: {},
    update_reason: '',
    update_type: '',
    starts_at: isoOf(start),
    activation_date: isoOf(start),
    expiry_date: end,
    next_billing_date: end,
    last_billing_date: isoOf(start),
    createdAt: isoOf(start),
    updatedAt: isoOf(start),
    canceled_date: null,
    trial_days: 0,
    trial_expiry_date: '',
    scheduled_change: null,
  }
}

/** Days before the epoch, if not as many as payments came before it. */
type PaymentRow = readonly [subscription: number, amount: number, refunded: number, ago?: number]

const paymentRows: readonly PaymentRow[] = [
  [1001, 120, 0],
  [1001, 49, 0],
  [1002, 900, 0],
  [1002, 240, 0],
  [1003, 19, 0],
  [1004, 490, 0],
  [1005, 1200, 0],
  [1006, 15, 0],
  [1007, 135, 0],
  [1008, 450, 0],
  [1009, 245, 100],
  [1010, 19, 19],
  // Charged a second time, a few minutes after pay_1002.
  [1001, 49, 0, 0.99],
]

function seedPayment(
  [number, amount, refunded, ago]: PaymentRow,
  index: number,
  all: Subscription[],
): Transaction {
  const subscription = all.find((one) => one.id === `sub_${number}`)
  if (!subscription) throw new Error(`the seed of pay_${1001 + index} names an unknown subscription`)
  return {
    id: `pay_${1001 + index}`,
    customer_id: subscription.customer_id,
    subscription_id: subscription.id,
    invoice_id: `INV-${501 + index}`,
    amount,
    refunded_amount: refunded,
    currency_code: subscription.plan.currency_code,
    currency_symbol: subscription.currency_symbol,
    status: refunded === 0 ? 'success' : refunded === amount ? 'refunded' : 'partially_refunded',
    createdAt: daysFromEpoch(-(ago ?? index)),
  }
}

const seedRefunds = (): Refund[] =>
  (
    [
      ['ref_901', 'pay_1011', 'cus_1009', 100],
      ['ref_902', 'pay_1012', 'cus_1010', 19],
    ] as const
  ).map(([id, payment_id, customer_id, amount]) => ({
    id,
    payment_id,
    customer_id,
    amount,
    currency_code: 'USD',
    refund_type: 'refund',
    description: 'Charged twice',
    createdAt: daysFromEpoch(-3),
  }))

/** More licenses than one page holds, so that paging can be seen. */
const seedLicenses = (): License[] =>
  Array.from({ length: 14 }, (_, index) => ({
    id: `lic_${501 + index}`,
    product_id: index < 12 ? 'prod_desk' : 'prod_mail',
    name: index < 12 ? `Desk pool ${index + 1}` : `Mail pool ${index - 11}`,
    method: 'list',
    status: 'active',
    license_codes: Array.from({ length: 3 + (index % 4) }, (_, place) => ({
      code: `HG-${501 + index}-${place + 1}`,
      is_used: place === 0 && index % 2 === 0 ? ('yes' as const) : ('no' as const),
    })),
    plan_id: index === 0 ? 'plan_desk_team_m' : '',
    createdAt: daysFromEpoch(-100 + index),
    updatedAt: daysFromEpoch(-50 + index),
  }))
