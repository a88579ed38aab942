import { daysFromEpoch, hexId } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import type { Addon, Coupon, Multiplan, Plan, Product } from './state.ts'

export const userId = hexId('billing-user', 1)

const stamps = { createdAt: daysFromEpoch(-300), updatedAt: daysFromEpoch(-40) }

export const seedProducts = (): Product[] => [
  product('prod_desk', 'Harbour Desk', userId),
  product('prod_mail', 'Harbour Mail', userId),
  // Another account's product: it exists, and must stay out of reach.
  product('prod_foreign', 'Somebody else’s product', hexId('billing-user', 2)),
]

const product = (id: string, product_name: string, user_id: string): Product => ({
  id,
  user_id,
  product_name,
  description: null,
  redirect_url: null,
  ...stamps,
})

type PlanRow = readonly [
  id: string,
  product: string,
  name: string,
  price: number,
  period: 'm' | 'y',
  currency: 'USD' | 'EUR',
]

const planRows: readonly PlanRow[] = [
  ['plan_desk_starter_m', 'prod_desk', 'Desk Starter', 19, 'm', 'USD'],
  ['plan_desk_team_m', 'prod_desk', 'Desk Team', 49, 'm', 'USD'],
  ['plan_desk_business_m', 'prod_desk', 'Desk Business', 120, 'm', 'USD'],
  ['plan_desk_team_y', 'prod_desk', 'Desk Team yearly', 490, 'y', 'USD'],
  ['plan_desk_business_y', 'prod_desk', 'Desk Business yearly', 1200, 'y', 'USD'],
  ['plan_mail_basic_m', 'prod_mail', 'Mail Basic', 15, 'm', 'EUR'],
  ['plan_mail_pro_m', 'prod_mail', 'Mail Pro', 45, 'm', 'EUR'],
  ['plan_mail_pro_y', 'prod_mail', 'Mail Pro yearly', 450, 'y', 'EUR'],
  ['plan_foreign_m', 'prod_foreign', 'Not yours', 10, 'm', 'USD'],
]

export const seedPlans = (): Plan[] => planRows.map(toPlan)

const toPlan = ([id, product_id, plan_name, price, billing_period, currency]: PlanRow): Plan => ({
  id,
  product_id,
  plan_name,
  plan_code: id.replace('plan_', '').replaceAll('_', '-'),
  plan_type: product_id === 'prod_mail' ? 'flat_fee' : 'per_unit',
  plan_active: 'true',
  price,
  currency_code: currency,
  currency_symbol: currency === 'USD' ? '$' : '€',
  billing_period,
  billing_period_num: '1',
  billing_cycle: 'lifetime',
  billing_cycle_num: '',
  trial_period: 0,
  trial_type: 'day',
  setup_fee: 0,
  setup_fee_type: '',
  custom_payment_term: 0,
  failed_payment_gateway: '',
  failed_payment_gateway_array: [],
  funnel: [],
  is_metered: false,
  plan_description: `<p>${plan_name}</p>`,
  ...stamps,
})

type AddonRow = readonly [
  id: string,
  product: string,
  name: string,
  code: string,
  price: number,
  plans: string[] | null,
]

const addonRows: readonly AddonRow[] = [
  ['addon_seats', 'prod_desk', 'Five more seats', 'more-seats', 25, null],
  [
    'addon_priority',
    'prod_desk',
    'Priority support',
    'priority',
    40,
    ['plan_desk_team_m', 'plan_desk_business_m'],
  ],
  ['addon_training', 'prod_desk', 'Training day', 'training', 300, null],
  ['addon_archive', 'prod_mail', 'Mail archive', 'archive', 8, null],
]

export const seedAddons = (): Addon[] =>
  addonRows.map(([id, product_id, name, code, price, plans]) => ({
    id,
    product_id,
    user_id: userId,
    name,
    code,
    price,
    billing_period: 'm',
    billing_period_num: 1,
    billing_cycle: id === 'addon_training' ? 'onetime' : 'lifetime',
    status: true,
    associate_plans: plans ? 'selected_plans' : 'all',
    plans_array: plans && [...plans],
    category_array: ['extras'],
    description: '',
    ...stamps,
  }))

export const seedMultiplans = (): Multiplan[] => [
  multiplan('mp_desk', 'prod_desk', 'Choose your desk', [
    'plan_desk_starter_m',
    'plan_desk_team_m',
    'plan_desk_business_m',
  ]),
  multiplan('mp_desk_yearly', 'prod_desk', 'Pay for a year', ['plan_desk_team_y', 'plan_desk_business_y']),
  multiplan('mp_mail', 'prod_mail', 'Choose your mail', ['plan_mail_basic_m', 'plan_mail_pro_m']),
]

const multiplan = (id: string, product_id: string, page_title: string, plans: string[]): Multiplan => ({
  id,
  product_id,
  page_title,
  multiplan_list: 'radio',
  preferred_plan_id: plans[1] ?? '',
  plans,
  checkout_page: `https://checkout.example.com/checkout/${id}`,
  ...stamps,
})

export const seedCoupons = (): Coupon[] => [
  coupon('SPRING20', 20, 'active', 30_000, null),
  coupon('TEAM10', 10, 'active', 30_000, ['plan_desk_team_m', 'plan_desk_team_y']),
  coupon('LASTYEAR', 50, 'active', -200, null),
  coupon('PAUSED', 15, 'inactive', 30_000, null),
]

/** Valid coupons stay so for decades: a demo started late must still find them. */
const coupon = (
  code: string,
  discount: number,
  status: string,
  days: number,
  plans: string[] | null,
): Coupon => ({
  id: `coupon_${code.toLowerCase()}`,
  product_id: 'prod_desk',
  coupon_name: `${discount} percent off`,
  coupon_code: code,
  status,
  apply_to: 'total_amount',
  discount,
  discount_type: 'percent',
  redemption_type: 'number_time',
  redemption_cycle: 1,
  maximum_redemption: 100,
  used_redemption: 3,
  associate_plans: plans ? 'selected_plans' : 'all',
  plans_array: plans,
  valid_upto: daysFromEpoch(days).slice(0, 10),
  ...stamps,
})
