import { plural } from '../../src/view/button-labels.ts'
import { formatNumber } from '../../src/view/format-number.ts'
import type { Subscriber } from './record.ts'

/** Reasons why somebody should not get email. */
export const standings = ['unsubscribed', 'bounced', 'complaint', 'suppressed'] as const
export type Standing = (typeof standings)[number]

/**
 * Undefined for somebody who may get email according to the record. A reason counts even when its flag is not
 * set.
 */
export const standingOf = (one: Subscriber): Standing | undefined => {
  const status = one.status?.trim().toLowerCase() ?? ''
  if (status === 'unsubscribed' || status === 'bounced') return status
  if (status === 'complaint' || status === 'complained' || status === 'spam') return 'complaint'
  if (one.isSuppressed) return 'suppressed'
  const why = one.suppressionDetail?.reason || one.suppressionDetail?.type
  return why && one.isSuppressed !== false ? 'suppressed' : undefined
}

/** "subscribed, opened 9 of 19 mails" */
export const subscriberLine = (one: Subscriber): string => {
  const sent = one.totalDelivered ?? one.totalSent ?? 0
  const opened = one.totalUniqueOpens ?? one.totalOpens
  const state = standingOf(one) ?? one.status ?? 'known'
  if (sent === 0 || opened === undefined || opened === null) return state
  return `${state}, opened ${formatNumber(Math.min(opened, sent))} of ${plural(sent, 'mail')}`
}
