import type { email } from '../../packs/email/endpoints.ts'
import type { Applied } from '../../src/kernel/command/define.ts'
import type { DataOf } from '../../src/lib/services/client/client.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { facts, note } from '../../src/lib/view/view.ts'

type Receipt = DataOf<typeof email.rows.sendCampaign>

/** How many of the addresses the service accepted, with a warning when it is not all of them. */
export const receiptOf = (
  receipt: Receipt | undefined,
  name: string,
  asked: number,
): Omit<Applied, 'understood'> => {
  const queued = receipt?.queued
  const campaign = receipt?.campaignName || name
  if (typeof queued !== 'number') {
    return {
      message: `The service accepted ${theirs(campaign)} for ${plural(asked, 'address', 'addresses')}.`,
    }
  }
  const total = Math.max(receipt?.totalEmails ?? asked, asked)
  const isShort = queued < total
  return {
    message: isShort
      ? `Queued only ${formatNumber(queued)} of ${plural(total, 'email')} of ${theirs(campaign)}.`
      : `Queued ${plural(queued, 'email')} of ${theirs(campaign)}.`,
    view: {
      title: campaign,
      tone: isShort ? 'warn' : 'good',
      blocks: [
        facts({
          Queued: `${formatNumber(queued)} of ${formatNumber(total)}`,
          'The service says': receipt?.message,
          Campaign: receipt?.campaignId,
        }),
        ...(isShort
          ? [note('warn', `${plural(total - queued, 'address', 'addresses')} will not get this email.`)]
          : []),
      ],
    },
  }
}
