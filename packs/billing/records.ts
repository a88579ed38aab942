import { z } from 'zod'
import {
  anything,
  flag,
  lenientList,
  listOf,
  number,
  part,
  record,
  text,
  texts,
} from '../../src/lib/services/endpoints/answer-fields.ts'

const times = { createdAt: text, updatedAt: text }

const planShape = {
  id: text,
  product_id: text,
  plan_name: text,
  plan_code: text,
  plan_type: text,
  plan_active: text,
  price: number,
  currency_code: text,
  currency_symbol: text,
  billing_period: text,
  billing_period_num: text,
  billing_cycle: text,
  billing_cycle_num: text,
  trial_period: number,
  trial_type: text,
  setup_fee: number,
  setup_fee_type: text,
  custom_payment_term: number,
  failed_payment_gateway: text,
  failed_payment_gateway_array: lenientList(z.unknown()),
  funnel: lenientList(z.unknown()),
  is_metered: flag,
  plan_description: text,
  ...times,
}

export const multiplan = record({
  id: text,
  product_id: text,
  page_title: text,
  multiplan_list: text,
  preferred_plan_id: text,
  plans: lenientList(record(planShape)),
  checkout_page: text,
  ...times,
})

const addonShape = {
  id: text,
  product_id: text,
  user_id: text,
  name: text,
  code: text,
  price: number,
  billing_period: text,
  billing_period_num: number,
  billing_cycle: text,
  status: flag,
  associate_plans: text,
  plans_array: texts,
  category_array: texts,
  description: text,
  ...times,
}

export const addon = record(addonShape)

const license = record({
  id: text,
  name: text,
  method: text,
  status: text,
  total_license: number,
  used_license: number,
  license_codes: lenientList(record({ code: text, is_used: text })),
  plan_id: text,
  ...times,
})

/** The answer is the list itself, so only a list is accepted here. */
export const licenses = listOf(license)

const coupon = part({
  id: text,
  product_id: text,
  coupon_name: text,
  coupon_code: text,
  status: text,
  apply_to: text,
  discount: number,
  discount_type: text,
  redemption_type: text,
  redemption_cycle: number,
  maximum_redemption: number,
  used_redemption: number,
  associate_plans: text,
  plans_array: texts,
  valid_upto: text,
  ...times,
})

const subscription = part({
  id: text,
  customer_id: text,
  product_id: text,
  plan_id: text,
  email_id: text,
  plan: part(planShape),
  amount: number,
  setup_fee: number,
  quantity: number,
  status: text,
  payment_terms: text,
  currency_symbol: text,
  payment_method: text,
  taxable: flag,
  gateway_type: text,
  gateway_id: text,
  custom_fields: lenientList(z.unknown()),
  addons: lenientList(record({ ...addonShape, quantity: number, adjusted_amount: number })),
  coupon,
  update_reason: text,
  update_type: text,
  starts_at: text,
  activation_date: text,
  expiry_date: text,
  next_billing_date: text,
  last_billing_date: text,
  canceled_date: text,
  trial_days: number,
  trial_expiry_date: text,
  ...times,
})

const creditNote = part({
  total_tax: text,
  current_plan_name: text,
  new_plan_name: text,
  update_type: text,
  transaction_note: text,
  current_plan_price: number,
  current_plan_quantity: number,
  current_plan_total: number,
  new_plan_price: number,
  used_amount: number,
  used_days: number,
  remaining_days: number,
  new_credits: number,
  total_credit_amount: number,
  charge_amount: number,
  new_plan_total: text,
  credit_applied: lenientList(
    record({ id: text, amount: number, deducted_from: number, remaining_amount: number }),
  ),
})

const invoice = part({
  id: text,
  invoice_id: text,
  customer_id: text,
  subscription_id: text,
  product_id: text,
  quantity: text,
  setup_fee: number,
  amount: number,
  due_amount: number,
  status: text,
  payment_term: text,
  due_date: text,
  currency_symbol: text,
  subscription,
  credit_note: creditNote,
  tax_apply: part({
    country: text,
    tax_id: text,
    exempt_tax: lenientList(z.unknown()),
    total_amount: number,
    total_tax: text,
  }),
  ...times,
})

const customer = part({
  id: text,
  first_name: text,
  last_name: text,
  email_id: text,
  credit: anything,
  billing_address: part({
    street1: text,
    city: text,
    state: text,
    state_code: text,
    zip_code: text,
    country: text,
  }),
  shipping_address: part({}),
  ...times,
})

/** The documented answer has a message and no data. */
export const refundReceipt = record({})

export const planChangeAnswer = record({
  // The account's own record.
  user: part({
    id: text,
    verified: text,
    currency: text,
    first_name: text,
    last_name: text,
    email: text,
    address_line1: text,
    address_line2: text,
    city: text,
    state: text,
    country: text,
    zip_code: text,
    phone: text,
    mobile: text,
    facebook_url: text,
    twitter_url: text,
    time_zone: text,
    date_format: text,
    ip_address: text,
    currency_symbol: text,
    ...times,
  }),
  customer,
  product: part({ id: text, product_name: text, description: text, redirect_url: text, ...times }),
  plan: part(planShape),
  subscription,
  invoice,
})
