import { z } from 'zod'
import { email } from '../../src/services/endpoints/email.ts'
import { plural } from '../../src/view/button-labels.ts'
import { formatNumber } from '../../src/view/format.ts'
import { type Block, diff, facts, list, note, text, type View } from '../../src/view/view.ts'
import { leftOutWords, report } from './recipients.ts'

export const attachments = email.rows.sendCampaign.body.shape.attachments.unwrap()

/** What a send is: the campaign, what replaces its subject and sender, and who exactly gets it. */
export const sendPlan = z.object({
  campaignId: z.string(),
  name: z.string(),
  status: z.string(),
  /** The campaign's own subject and sender, next to what replaces them. */
  own: z.object({ subject: z.string(), senderName: z.string() }),
  recipients: z.object({
    total: z.int(),
    /** All of them, or of a pinned set the first few. */
    emails: z.array(z.string()),
    /** The digest of a pinned set. */
    digest: z.string().optional(),
    report,
  }),
  subject: z.string().optional(),
  fromName: z.string().optional(),
  senderEmail: z.string().optional(),
  deliveryServerId: z.string().optional(),
  attachments: attachments.optional(),
})
export type SendPlan = z.infer<typeof sendPlan>

export const sendPreview = (plan: SendPlan): View => {
  const { total, emails, digest, report: found } = plan.recipients
  const leftOut = leftOutWords(found)
  return {
    title: `Send ${plan.name} to ${plural(total, 'address', 'addresses')}`,
    tone: 'warn',
    blocks: [
      facts({
        Campaign: `${plan.name} (${plan.campaignId})`,
        Status: plan.status,
        Subject: isReplaced(plan.own.subject, plan.subject) ? '' : plan.own.subject,
        'From name': isReplaced(plan.own.senderName, plan.fromName) ? '' : plan.own.senderName,
        'Send from': plan.senderEmail,
        'Delivery server': plan.deliveryServerId,
        Recipients: plural(total, 'address', 'addresses'),
        'Left out': leftOut,
        'Not subscribers': found.strangers > 0 ? plural(found.strangers, 'address', 'addresses') : '',
        Domains: total > emails.length || total > 5 ? domainWords(plan) : '',
        Set: digest === undefined ? '' : digest.slice(0, 12),
      }),
      ...replacements(plan),
      list(sampleOf(emails, total)),
      ...(plan.attachments?.length
        ? [text('Attachments'), list(plan.attachments.map(({ filename, url }) => `${filename}: ${url}`))]
        : []),
      ...(found.included.length > 0
        ? [note('bad', `Also to those who should get no mail: ${found.included.join(', ')}.`)]
        : []),
      note('warn', 'Mail is queued at once and cannot be called back.'),
    ],
  }
}

const domainWords = ({ recipients: { report: found } }: SendPlan): string =>
  found.domains.map(({ name, count }) => `${name} ${formatNumber(count)}`).join(', ')

/** The first few, and how many more. */
const sampleOf = (emails: readonly string[], total: number, size = 5): string[] => {
  const shown = emails.slice(0, size)
  const rest = total - shown.length
  return rest > 0 ? [...shown, `and ${plural(rest, 'more', 'more')}`] : shown
}

const isReplaced = (own: string, given: string | undefined) => given !== undefined && given !== own

const replacements = ({ own, subject, fromName }: SendPlan): Block[] => {
  if (!isReplaced(own.subject, subject) && !isReplaced(own.senderName, fromName)) return []
  return [
    diff({
      Subject: [own.subject, subject ?? own.subject],
      'From name': [own.senderName, fromName ?? own.senderName],
    }),
  ]
}
