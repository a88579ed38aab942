import type { UnshownFields } from './services-page.ts'

const inside = (path: string, names: string): string[] => names.split(' ').map((name) => `${path}${name}`)

/**
 * Answer fields that no command ever shows, and why; `api call` shows all of them. `plan.*` is everything in `plan`. A test
 * fills every field of the answers in the endpoint tables with a value of its own, looks for it in what the commands
 * show, and compares.
 */
export const unshownFields: readonly UnshownFields[] = [
  {
    record: 'subscriber',
    fields: inside('', 'userId businessId campaignDetails._id campaignDetails.campaignId'),
    why: 'the account’s own ids, and ids of campaigns that are shown by name',
  },
  {
    record: 'subscriber',
    fields: ['suppressionDetail.updatedAt'],
    why: 'the beginning of the suppression is shown',
  },
  {
    record: 'page of subscribers',
    fields: ['suppressionList'],
    why: 'members are not documented; `subscriber get` says of each whether it is suppressed',
  },
  { record: 'page of subscribers', fields: ['pagination.itemsPerPage'], why: 'repeats the request' },
  { record: 'page of campaigns', fields: ['pagination.limit'], why: 'repeats the request' },
  {
    record: 'statistics',
    fields: ['isListSpecific'],
    why: 'the name of the selected list is shown, which says so',
  },
  {
    record: 'statistics',
    fields: inside('', 'leadScoreConfig.createdAt leadScoreConfig.updatedAt'),
    why: 'the rules are shown, not when they were written',
  },
  { record: 'statistics', fields: ['listWiseCounts.totalSubscribers'], why: 'repeats the count' },
  { record: 'campaign', fields: ['templateId._id'], why: 'the template is shown by name' },
  {
    record: 'list',
    fields: inside(
      '',
      'counts.totalSubscribers counts.unsubscribedCount counts.engagedCount counts.lastUpdated createdAt updatedAt',
    ),
    why: 'a list that was just made is empty and new',
  },
  { record: 'removal', fields: inside('', 'subscriberId email'), why: 'repeats the request' },
  {
    record: 'contact',
    fields: inside('', 'settingId userId broadcastIds attributes._id __v'),
    why: 'the service’s own ids and its count of revisions',
  },
  { record: 'contact list', fields: ['attributes'], why: 'members are not documented; a table has no room' },
  {
    record: 'sent message',
    fields: inside('platformResponse.', 'messaging_product contacts.input contacts.channel_id status'),
    why: 'repeats the recipient and the success of the call',
  },
  {
    record: 'multiplan',
    fields: inside(
      'plans.',
      'billing_cycle billing_cycle_num custom_payment_term failed_payment_gateway failed_payment_gateway_array funnel is_metered plan_description plan_type setup_fee_type createdAt updatedAt',
    ),
    why: 'details of a plan that its own page in the billing service shows',
  },
  {
    record: 'multiplan',
    fields: ['plans.product_id', 'plans.currency_symbol'],
    why: 'the product of the page, and a sign where the code of the currency is shown',
  },
  { record: 'add-on', fields: ['billing_cycle'], why: 'shown as one time, or as the period that recurs' },
  { record: 'add-on', fields: ['user_id'], why: 'the account’s own id' },
  {
    record: 'plan change',
    fields: ['user.*'],
    why: 'the account itself, not the customer',
  },
  {
    record: 'plan change',
    fields: [
      ...inside('customer.billing_address.', 'street1 city state state_code zip_code country'),
      ...inside('customer.', 'shipping_address createdAt updatedAt'),
    ],
    why: 'the address of a customer is nobody’s business in a chat',
  },
  {
    record: 'plan change',
    fields: inside('product.', 'id description redirect_url createdAt updatedAt'),
    why: 'the product is shown by name',
  },
  {
    record: 'plan change',
    fields: [
      ...inside('plan.', 'id product_id plan_code plan_type plan_active price currency_symbol is_metered'),
      ...inside('plan.', 'billing_period billing_period_num billing_cycle billing_cycle_num trial_period'),
      ...inside('plan.', 'trial_type setup_fee setup_fee_type custom_payment_term failed_payment_gateway'),
      ...inside('plan.', 'failed_payment_gateway_array funnel plan_description createdAt updatedAt'),
    ],
    why: 'name and currency of the new plan are shown, and the invoice says what it costs',
  },
  {
    record: 'plan change',
    fields: ['subscription.plan.*', 'invoice.subscription.*'],
    why: 'copies of the plan and of the subscription in the same answer',
  },
  {
    record: 'plan change',
    fields: [
      ...inside('invoice.', 'id customer_id subscription_id product_id quantity setup_fee amount'),
      ...inside('invoice.', 'currency_symbol createdAt updatedAt tax_apply.exempt_tax'),
    ],
    why: 'repeats the subscription; the charge, what is due and the number of the invoice are shown',
  },
  {
    record: 'plan change',
    fields: inside(
      'invoice.credit_note.',
      'current_plan_price current_plan_quantity current_plan_total new_plan_price used_amount total_tax update_type credit_applied.id credit_applied.deducted_from',
    ),
    why: 'what the shown credit, total, tax and days are worked out from',
  },
  {
    record: 'plan change',
    fields: [
      ...inside('subscription.', 'id customer_id product_id plan_id email_id currency_symbol'),
      ...inside('subscription.', 'payment_terms update_type custom_fields taxable'),
    ],
    why: 'repeats the request, the customer or the invoice, which has the tax; custom fields are not documented',
  },
  {
    record: 'plan change',
    fields: inside('subscription.', 'starts_at activation_date trial_days createdAt updatedAt'),
    why: 'the next dates are shown: billing, expiry and the end of the trial',
  },
  {
    record: 'plan change',
    fields: inside(
      'subscription.addons.',
      'id product_id user_id code price billing_period billing_period_num billing_cycle status associate_plans plans_array category_array description createdAt updatedAt',
    ),
    why: 'name, quantity and amount are shown; `addon get` shows the rest',
  },
  {
    record: 'plan change',
    fields: inside(
      'subscription.coupon.',
      'id product_id coupon_name status redemption_type redemption_cycle maximum_redemption used_redemption associate_plans plans_array valid_upto createdAt updatedAt',
    ),
    why: 'code and discount are shown; the rest is about other redemptions',
  },
]
