import { z } from 'zod'
import { email } from '../../packs/email/endpoints.ts'
import { plural } from '../../src/view/button-labels.ts'
import { formatNumber } from '../../src/view/format-number.ts'
import { type Block, diff, facts, list, note, text, type View } from '../../src/view/view.ts'
import { leftOutWords, report } from './recipients.ts'

export const attachments = email.rows.sendCampaign.body.shape.attachments.unwrap()

/** The plan of a send: the campaign, its new subject and sender if any, and its exact recipients. */
export const sendPlan = z.object({
  campaignId: z.string(),
  name: z.string(),
  status: z.string(),
  /** The campaign's own subject and sender, shown next to the new ones. */
  own: z.object({ subject: z.string(), senderName: z.string() }),
  recipients: z.object({
    total: z.int(),
    /** All of them or, for a stored set, the first few. */
    emails: z.array(z.string()),
    /** The digest of a stored set. */
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
    title: `Send ${plan.name} to ${total === 1 ? emails[0] : plural(total, 'person', 'people')}`,
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
        Domains: total > 5 ? domainWords(plan) : '',
      }),
      ...replacements(plan),
      list(
        total > emails.length ? [...emails, `and ${plural(total - emails.length, 'more', 'more')}`] : emails,
      ),
      ...(plan.attachments?.length
        ? [text('Attachments'), list(plan.attachments.map(({ filename, url }) => `${filename}: ${url}`))]
        : []),
      ...(found.included.length > 0
        ? [note('bad', `Also goes to people who should not get email: ${found.included.join(', ')}.`)]
        : []),
      ...(digest === undefined
        ? []
        : [
            note(
              'plain',
              'The recipients are fixed: later changes to subscribers do not change who gets this.',
            ),
          ]),
      note('warn', 'Emails are queued at once and cannot be recalled.'),
    ],
  }
}

const domainWords = ({ recipients: { report: found } }: SendPlan): string =>
  found.domains.map(({ name, count }) => `${name} ${formatNumber(count)}`).join(', ')

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
