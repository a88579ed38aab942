import type { ServiceLinks } from '../../src/lib/services/endpoints/service-links.ts'
import { linkEnd } from '../../src/lib/things/link.ts'

/** The answers that name people in fields which nobody here writes. */
const namesPeople: ReadonlySet<string> = new Set(['findTransactions', 'findRefunds', 'changePlan'])

export const links: ServiceLinks = {
  trust: 'money',
  seen: ({ row, key, record, asked }, add) => {
    if (!namesPeople.has(row)) return
    const isList = row === 'findTransactions' || row === 'findRefunds'
    const own = record.id ?? record._id
    const customer =
      key === 'customer'
        ? linkEnd('customer', own)
        : linkEnd('customer', record.customer_id ?? (isList ? asked.customer_id : undefined))
    const isPayment = row === 'findTransactions' && record.amount !== undefined && !/refund/i.test(key)
    const subscription = record.subscription_id ?? (key === 'subscription' ? own : undefined)
    if (isPayment) add(customer, linkEnd('payment', own))
    add(customer, linkEnd('payment', record.payment_id ?? record.transaction_id))
    add(customer, linkEnd('subscription', subscription))
    add(customer, linkEnd('email', record.email_id ?? record.customer_email ?? record.email))
  },
}
