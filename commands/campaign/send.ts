import { z } from 'zod'
import { defineChange } from '../../src/command/define.ts'
import { no, ok } from '../../src/result.ts'
import { email } from '../../src/services/email.ts'
import { emailAddress } from '../../src/services/fields.ts'
import { refusal } from '../../src/view/refusals.ts'
import { type Block, diff, facts, list, note, text } from '../../src/view/view.ts'
import { plural } from '../../src/view/words.ts'
import { receiptOf } from './receipt.ts'
import {
  emailsParam,
  recipients,
  recipientsKey,
  recipientWords,
  sampleOf,
  toRecipients,
} from './recipients.ts'
import { campaignId, readCampaign } from './record.ts'

const attachments = email.rows.sendCampaign.body.shape.attachments.unwrap()
const words = (what: string) => z.string().trim().min(1, `${what} must not be empty`)

export const campaignSend = defineChange({
  name: 'campaign send',
  summary: 'Send a live campaign to single email addresses',
  area: 'email',
  input: z.object({
    campaignId: campaignId.describe('Id of a live campaign').meta({ suggest: 'campaigns' }),
    emails: emailsParam.describe('Email addresses'),
    subject: words('the subject').optional().describe('Subject line instead of the campaign’s own'),
    fromName: words('the sender name').optional().describe('Sender name instead of the campaign’s own'),
    senderEmail: emailAddress.optional().describe('Address to send from'),
    deliveryServerId: words('the delivery server id').optional().describe('Delivery server to send through'),
    attachments: attachments
      .optional()
      .describe('Files as [{"filename":"a.pdf","url":"https://..."}], at most 1 MB each')
      .meta({ json: true }),
  }),
  positional: ['campaignId', 'emails'],
  examples: [
    'campaign send cmp_welcome ada@example.com',
    'campaign send cmp_order_receipt ada@example.com,kim@example.com --subject "Your receipt, again"',
  ],
  uses: ['email.getCampaign', 'email.findCampaigns', 'email.sendCampaign'],
  plan: z.object({
    campaignId: z.string(),
    name: z.string(),
    status: z.string(),
    /** The campaign's own subject and sender, next to what replaces them. */
    own: z.object({ subject: z.string(), senderName: z.string() }),
    recipients,
    subject: z.string().optional(),
    fromName: z.string().optional(),
    senderEmail: z.string().optional(),
    deliveryServerId: z.string().optional(),
    attachments: attachments.optional(),
  }),
  intent: ({ campaignId: id, emails }) => ({ campaignId: id, emails: recipientsKey(emails) }),
  async prepare({ campaignId: id, emails, ...dressing }, context) {
    const found = await readCampaign(id, context)
    if (!found.ok) return found
    const { name, status, subject, senderName } = found.value
    if (status.toLowerCase() !== 'live') {
      return no(
        refusal('not_allowed_now', `${name || id} is ${status}, and only a live campaign can be sent.`, {
          next: 'Set it live in the email service first, or choose another with campaign find.',
        }),
      )
    }
    const own = { subject, senderName }
    return ok({
      campaignId: id,
      name: name || id,
      status,
      own,
      recipients: toRecipients(emails),
      ...dressing,
    })
  },
  preview: (plan) => ({
    title: `Send ${plan.name} to ${plural(plan.recipients.emails.length, 'address', 'addresses')}`,
    tone: 'warn',
    blocks: [
      facts({
        Campaign: `${plan.name} (${plan.campaignId})`,
        Status: plan.status,
        Subject: isReplaced(plan.own.subject, plan.subject) ? '' : plan.own.subject,
        'From name': isReplaced(plan.own.senderName, plan.fromName) ? '' : plan.own.senderName,
        'Send from': plan.senderEmail,
        'Delivery server': plan.deliveryServerId,
        Recipients: recipientWords(plan.recipients),
      }),
      ...replacements(plan),
      list(sampleOf(plan.recipients)),
      ...(plan.attachments?.length
        ? [text('Attachments'), list(plan.attachments.map(({ filename, url }) => `${filename}: ${url}`))]
        : []),
      note('warn', 'Mail is queued at once and cannot be called back.'),
    ],
  }),
  async apply({ campaignId: id, name, recipients: to, subject, fromName, ...plan }, context) {
    const { senderEmail, deliveryServerId, attachments: files } = plan
    const { data, understood } = await context.email.sendCampaign({
      body: {
        campaignId: id,
        emails: to.emails,
        subject,
        fromName,
        senderEmail,
        deliveryServerId,
        attachments: files,
      },
    })
    return { ...receiptOf(data, name, to.emails.length), understood }
  },
  lookUps: ({ campaignId: id, recipients: { emails } }) => [
    ...emails.slice(0, 1).map((address) => `subscriber get ${address}`),
    `campaign get ${id}`,
  ],
})

type Dressing = {
  own: { subject: string; senderName: string }
  subject?: string | undefined
  fromName?: string | undefined
}

const isReplaced = (own: string, given: string | undefined) => given !== undefined && given !== own

const replacements = ({ own, subject, fromName }: Dressing): Block[] => {
  if (!isReplaced(own.subject, subject) && !isReplaced(own.senderName, fromName)) return []
  return [
    diff({
      Subject: [own.subject, subject ?? own.subject],
      'From name': [own.senderName, fromName ?? own.senderName],
    }),
  ]
}
