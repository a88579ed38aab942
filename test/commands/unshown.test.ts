import { expect, test } from 'vitest'
import { unshownFields } from '../../src/reference/unshown-fields.ts'
import { textOfView } from '../../src/view/text.ts'
import { createFront } from '../harness/front.ts'
import { openTeamBot } from './team-bot.ts'

const front = createFront()
const bot = await openTeamBot({ front: front.open })

// The records as the documents list their fields. Every text and number is one that stands nowhere else; what is
// written out has to be that word, or is a flag, and is not looked for.
const T = Symbol('text')
const N = Symbol('number')
const D = Symbol('digits as text')
const times = { createdAt: T, updatedAt: T }

const plan = {
  ...{ id: T, product_id: T, plan_name: T, plan_code: T, plan_type: T, plan_active: 'true', price: N },
  ...{ currency_code: T, currency_symbol: T, billing_period: 'm', billing_period_num: D, billing_cycle: T },
  ...{ billing_cycle_num: T, trial_period: N, trial_type: T, setup_fee: N, setup_fee_type: T },
  ...{ custom_payment_term: N, failed_payment_gateway: T, failed_payment_gateway_array: [T], funnel: [T] },
  ...{ is_metered: true, plan_description: T, ...times },
}
const addon = {
  ...{ id: T, product_id: T, user_id: T, name: T, code: T, price: N, billing_period: T, billing_cycle: T },
  ...{ status: true, associate_plans: T, plans_array: [T], category_array: [T], description: T, ...times },
}
const coupon = {
  ...{ id: T, product_id: T, coupon_name: T, coupon_code: T, status: T, apply_to: T, discount: N },
  ...{ discount_type: T, redemption_type: T, redemption_cycle: N, maximum_redemption: N },
  ...{ used_redemption: N, associate_plans: T, plans_array: [T], valid_upto: T, ...times },
}
const subscription = {
  ...{ id: T, customer_id: T, product_id: T, plan_id: T, email_id: T, amount: N, setup_fee: N, quantity: N },
  ...{ status: T, payment_terms: T, currency_symbol: T, payment_method: T, taxable: true, gateway_type: T },
  ...{ gateway_id: T, custom_fields: [T], addons: [{ ...addon, quantity: N, adjusted_amount: N }], coupon },
  ...{ update_reason: T, update_type: T, starts_at: T, activation_date: T, expiry_date: T },
  ...{ next_billing_date: T, last_billing_date: T, canceled_date: T, trial_days: N, trial_expiry_date: T },
  ...times,
}
const creditNote = {
  ...{ total_tax: D, current_plan_name: T, new_plan_name: T, update_type: T, transaction_note: T },
  ...{ current_plan_price: N, current_plan_quantity: N, current_plan_total: N, new_plan_price: N },
  ...{ used_amount: N, used_days: N, remaining_days: N, new_credits: N, total_credit_amount: N },
  ...{ charge_amount: N, new_plan_total: D },
  credit_applied: [{ id: T, amount: N, deducted_from: N, remaining_amount: N }],
}
const invoice = {
  ...{ id: T, invoice_id: T, customer_id: T, subscription_id: T, product_id: T, quantity: T, setup_fee: N },
  ...{ amount: N, due_amount: N, status: T, payment_term: T, due_date: T, currency_symbol: T, ...times },
  credit_note: creditNote,
  tax_apply: { country: T, tax_id: T, exempt_tax: [T], total_amount: N, total_tax: D },
}
const planChange = {
  user: {
    id: T,
    first_name: T,
    last_name: T,
    email: T,
    currency: T,
    time_zone: T,
    phone: T,
    city: T,
    ...times,
  },
  customer: {
    ...{ id: T, first_name: T, last_name: T, email_id: T, credit: N, ...times },
    billing_address: { street1: T, city: T, state: T, state_code: T, zip_code: T, country: T },
  },
  product: { id: T, product_name: T, description: T, redirect_url: T, ...times },
  subscription,
  invoice,
}
const subscriber = {
  ...{ _id: T, userId: T, businessId: T, email: T, firstName: T, lastName: T, mobile: T, leadScore: N },
  ...{ dateOfBirth: T, status: T, country: T, city: T, tags: [T], source: T, segments: [T], lists: [T] },
  ...{ customFields: { company: T, position: T }, activity: [T], automationWorkflows: [T], totalSent: N },
  ...{ totalDelivered: N, totalOpens: N, totalUniqueOpens: N, totalUniqueClick: N, totalClicks: N },
  ...{ deleteAfter: T, suppressionDetail: { ...times, reason: T, type: T }, isSuppressed: true },
  ...{ campaignDetails: [{ _id: T, campaignId: T, campaignName: T }], ...times },
}
const rule = { value: N, status: T }
const statistics = {
  ...{ totalSubscribersInBusiness: N, totalSubscribersAcrossAllLists: N, engagedSubscribers: N },
  listWiseCounts: [
    { _id: T, listName: T, count: N, totalSubscribers: N, unsubscribedCount: N, engagedCount: N },
  ],
  leadScoreAnalytics: { averageLeadScore: N, hotLeads: N, coldLeads: N },
  leadScoreConfig: { emailOpen: rule, emailClick: rule, emailBounce: rule, unsubscribe: rule, ...times },
  statusAnalytics: { subscribed: N, unsubscribed: N, bounced: N, spam: N },
  ...{ isListSpecific: true, selectedListName: T },
}
const campaign = {
  ...{
    _id: 'cmp_welcome',
    status: T,
    templateId: { _id: T, name: T, builderType: T, htmlContent: T },
    ...times,
  },
  campaignDetails: { campaignType: T, campaignName: T, senderName: T, subject: T, preheaderText: T },
}
const counts = { totalSubscribers: N, unsubscribedCount: N, engagedCount: N, lastUpdated: T }
const contact = {
  ...{ _id: T, name: T, settingId: T, userId: T, countryCode: T, mobile: T, status: T, source: T, list: [T] },
  ...{ attributes: [{ name: T, value: T, _id: T }], optin: true, incomingBlocked: true, broadcastIds: [T] },
  ...{ tags: [T], __v: N, lastActive: T, ...times },
}
const sent = {
  ...{ to: T, chatId: T },
  platformResponse: {
    ...{ messaging_product: T, contacts: [{ input: T, channel_id: T }], status: N },
    messages: [{ id: T, message_status: T }],
  },
}
const license = {
  ...{ id: T, name: T, method: T, status: T, total_license: N, used_license: N, plan_id: T, ...times },
  license_codes: [{ code: T, is_used: T }],
}
const multiplan = {
  ...{ id: T, product_id: T, page_title: T, multiplan_list: T, preferred_plan_id: T, plans: [plan] },
  ...{ checkout_page: T, ...times },
}
const list = { id: T, name: T, count: N, counts, ...times }
const removal = { subscriberId: T, email: T, removedLists: [T], currentLists: [T] }
const receipt = { campaignId: T, campaignName: T, totalEmails: N, queued: N, message: T }
const contactList = { _id: T, name: T, createdAt: T, tags: [T], optin: true, attributes: [T] }

type Case = [name: string, record: object, wrap: (record: unknown) => unknown, lines: string[]]
const own = (record: unknown) => record
const many = (name: string) => (record: unknown) => ({ [name]: [record] })
const id = '64b000000000000000000001'

const cases: Case[] = [
  [
    'subscriber',
    subscriber,
    own,
    ['subscriber get ada@example.com', 'subscriber update ada@example.com --lead-score 3'],
  ],
  ['statistics', statistics, own, ['subscriber stats']],
  ['campaign', campaign, own, ['campaign get cmp_welcome']],
  ['campaign', campaign, many('campaigns'), ['campaign find']],
  ['receipt', receipt, own, ['campaign send cmp_welcome ada@example.com']],
  ['list', list, (record) => ({ list: record }), ['list create Spring']],
  ['removal', removal, own, ['list remove ada@example.com --list-ids lst_newsletter']],
  ['contact', contact, own, [`contact get ${id}`, `contact update ${id} --name Noor`]],
  ['contact list', contactList, many('lists'), ['contact lists']],
  ['sent message', sent, own, ['message media 15550110000 spring_banner https://files.example.com/a.jpg']],
  ['multiplan', multiplan, own, ['multiplan get mp_desk']],
  ['add-on', addon, own, ['addon get addon_seats']],
  ['license', license, own, ['license get prod_desk lic_501']],
  ['plan change', planChange, own, ['upgrade sub_1001 plan_desk_business_m --payment-mode offline']],
]

/** The record with its marks filled in, and where each of them stands. */
const filled = (record: object) => {
  const marks = new Map<string, string>()
  let serial = 70_000
  const fill = (value: unknown, path: string): unknown => {
    if (value === T || value === N || value === D) {
      serial += 1
      marks.set(path, value === T ? `zq${serial}` : String(serial))
      return value === T ? `zq${serial}` : value === N ? serial : String(serial)
    }
    if (Array.isArray(value)) return value.map((one) => fill(one, path))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, fill(one, path === '' ? key : `${path}.${key}`)]),
    )
  }
  return { data: fill(record, ''), marks }
}

/** All that a line brings before people, its card included. */
const shownBy = async (line: string, data: unknown): Promise<string> => {
  const isRead =
    !/^(subscriber update|campaign send|list (create|remove)|contact update|message|upgrade)/.test(line)
  front.replace = ({ method }) => ((method === 'GET') === isRead ? data : undefined)
  if (!isRead) {
    const { preview, outcome } = await bot.run(line)
    return [textOfView(preview), outcome?.message, outcome?.view && textOfView(outcome.view)].join('\n')
  }
  const reply = await bot.say(line, 'fay')
  if (reply.kind !== 'answer') throw new Error(`${line}: ${JSON.stringify(reply)}`)
  return `${textOfView(reply.view)}\n${reply.file?.content ?? ''}`
}

test('the fields that no command shows are those that the page of services names, and no others', async () => {
  const seen = new Map<string, boolean>()
  for (const [name, record, wrap, lines] of cases) {
    const { data, marks } = filled(record)
    for (const line of lines) {
      const text = (await shownBy(line, wrap(data))).replaceAll(',', '')
      for (const [path, mark] of marks) {
        const key = `${name}: ${path}`
        seen.set(key, (seen.get(key) ?? false) || text.includes(mark))
      }
    }
  }
  const never = [...seen].filter(([, isShown]) => !isShown).map(([key]) => key)
  const named = unshownFields.flatMap(({ record, fields }) => fields.map((field) => `${record}: ${field}`))
  expect(never.sort()).toEqual(named.sort())
})
