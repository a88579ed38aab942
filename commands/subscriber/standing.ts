import type { Subscriber } from './record.ts'

/** Why somebody should get no mail. */
export const standings = ['unsubscribed', 'bounced', 'complaint', 'suppressed'] as const
export type Standing = (typeof standings)[number]

/** Undefined for somebody who may be written to, as far as the record tells; a reason without a flag is believed. */
export const standingOf = (one: Subscriber): Standing | undefined => {
  const status = one.status?.trim().toLowerCase() ?? ''
  if (status === 'unsubscribed' || status === 'bounced') return status
  if (status === 'complaint' || status === 'complained' || status === 'spam') return 'complaint'
  if (one.isSuppressed) return 'suppressed'
  const why = one.suppressionDetail?.reason || one.suppressionDetail?.type
  return why && one.isSuppressed !== false ? 'suppressed' : undefined
}
