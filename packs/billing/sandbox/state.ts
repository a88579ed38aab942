export interface Product {
  id: string
  user_id: string
  product_name: string
  description: string | null
  redirect_url: string | null
  createdAt: string
  updatedAt: string
}

export interface Plan {
  id: string
  product_id: string
  plan_name: string
  plan_code: string
  plan_type: string
  plan_active: string
  price: number
  currency_code: string
  currency_symbol: string
  billing_period: string
  billing_period_num: string
  billing_cycle: string
  billing_cycle_num: string
  trial_period: number
  trial_type: string
  setup_fee: number
  setup_fee_type: string
  custom_payment_term: number
  failed_payment_gateway: string
  failed_payment_gateway_array: string[]
  funnel: string[]
  is_metered: boolean
  plan_description: string
  createdAt: string
  updatedAt: string
}

export interface Multiplan {
  id: string
  product_id: string
  page_title: string
  multiplan_list: 'radio' | 'select'
  preferred_plan_id: string
  /** Plan ids; answers carry the plans themselves. */
  plans: string[]
  checkout_page: string
  createdAt: string
  updatedAt: string
}

export interface Addon {
  id: string
  product_id: string
  user_id: string
  name: string
  code: string
  price: number
  billing_period: string
  billing_period_num: number
  billing_cycle: string
  status: boolean
  associate_plans: string
  plans_array: string[] | null
  category_array: string[]
  description: string
  createdAt: string
  updatedAt: string
}

export interface SubscribedAddon extends Addon {
  quantity: number
  adjusted_amount: number
}

export interface Coupon {
  id: string
  product_id: string
  coupon_name: string
  coupon_code: string
  status: string
  apply_to: string
  discount: number
  discount_type: string
  redemption_type: string
  redemption_cycle: number
  maximum_redemption: number
  used_redemption: number
  associate_plans: string
  plans_array: string[] | null
  valid_upto: string
  createdAt: string
  updatedAt: string
}

/** A plan change with every id resolved: what is applied, now or at the end of the term. */
export interface PlanOrder {
  plan_id: string
  price: number
  quantity: number
  setup_fee: number
  addons: SubscribedAddon[]
  coupon_code: string
  payment_term: string
  payment_mode: string
  card_id: string
  update_reason: string
}

export interface Subscription {
  id: string
  customer_id: string
  product_id: string
  plan_id: string
  email_id: string
  plan: Plan
  amount: number
  setup_fee: number
  quantity: number
  status: string
  payment_terms: string
  currency_symbol: string
  payment_method: string
  taxable: boolean
  gateway_type: string
  gateway_id: string
  custom_fields: unknown[]
  addons: SubscribedAddon[]
  coupon: Coupon | Record<string, never>
  update_reason: string
  update_type: string
  starts_at: string
  activation_date: string
  expiry_date: string
  next_billing_date: string
  last_billing_date: string
  createdAt: string
  updatedAt: string
  canceled_date: string | null
  trial_days: number
  trial_expiry_date: string
  scheduled_change: { applies_at: string; order: PlanOrder } | null
}

export interface Customer {
  id: string
  first_name: string
  last_name: string
  email_id: string
  credit: number | null
  billing_address: Record<'street1' | 'city' | 'state' | 'state_code' | 'zip_code' | 'country', string>
  shipping_address: Record<string, string>
  createdAt: string
  updatedAt: string
}

export interface Transaction {
  id: string
  customer_id: string
  subscription_id: string
  invoice_id: string
  amount: number
  refunded_amount: number
  currency_code: string
  currency_symbol: string
  status: string
  createdAt: string
}

export interface Refund {
  id: string
  payment_id: string
  customer_id: string
  amount: number
  currency_code: string
  refund_type: string
  description: string
  createdAt: string
}

export interface License {
  id: string
  product_id: string
  name: string
  method: string
  status: string
  license_codes: { code: string; is_used: 'yes' | 'no' }[]
  plan_id: string
  createdAt: string
  updatedAt: string
}

export interface BillingState {
  user: Record<string, string> & { id: string }
  products: Product[]
  plans: Plan[]
  multiplans: Multiplan[]
  addons: Addon[]
  coupons: Coupon[]
  customers: Customer[]
  subscriptions: Subscription[]
  transactions: Transaction[]
  refunds: Refund[]
  licenses: License[]
  invoices: ({ id: string; invoice_id: string; subscription_id: string } & Record<string, unknown>)[]
  serial: number
}
