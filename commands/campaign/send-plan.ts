import { z } from 'zod'
import { email } from '../../packs/email/endpoints.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { fewNames } from '../../src/lib/view/format.ts'
import { formatNumber } from '../../src/lib/view/format-number.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { type Block, diff, facts, list, note, text, type View } from '../../src/lib/view/view.ts'
import { leftOutWords, report, standingWords } from './recipients.ts'

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
    title: `Send ${theirs(plan.name)} to ${total === 1 ? theirs(emails[0] ?? '') : plural(total, 'person', 'people')}`,
    tone: 'warn',
    blocks: [
      facts({
        Campaign: `${theirs(plan.name)} (${theirs(plan.campaignId)})`,
        Status: plan.status,
        Subject: isReplaced(plan.own.subject, plan.subject) ? '' : plan.own.subject,
        'From name': isReplaced(plan.own.senderName, plan.fromName) ? '' : plan.own.senderName,
        'Send from': plan.senderEmail,
        'Delivery server': plan.deliveryServerId,
        Recipients: { role: 'target', value: plural(total, 'address', 'addresses') },
        'Given twice': found.duplicates > 0 ? plural(found.duplicates, 'address', 'addresses') : '',
        Domains: total > 5 ? domainWords(plan) : '',
      }),
      ...replacements(plan),
      list(
        total > emails.length ? [...emails, `and ${plural(total - emails.length, 'more', 'more')}`] : emails,
      ),
      ...(plan.attachments?.length
        ? [
            text('Attachments'),
            list(plan.attachments.map(({ filename, url }) => `${theirs(filename)}: ${theirs(url, 300)}`)),
          ]
        : []),
      ...(found.included.length > 0
        ? [
            note(
              'bad',
              `Also goes to people who should not get email: ${found.included.map((one) => theirs(one)).join(', ')}.`,
            ),
          ]
        : []),
      ...(digest === undefined
        ? []
        : [
            note(
              'plain',
              'The recipients are fixed: later changes to subscribers do not change who gets this.',
            ),
          ]),
      ...(leftOut === ''
        ? []
        : [
            note(
              'warn',
              `Left out: ${leftOut}${namesOf((found.leftOut ?? []).map(({ email: one }) => one))}.`,
            ),
          ]),
      ...(found.strangers === 0
        ? []
        : [
            note(
              'warn',
              `${found.strangers === total ? 'No recipient is a subscriber' : `${plural(found.strangers, 'recipient is', 'recipients are')} no ${found.strangers === 1 ? 'subscriber' : 'subscribers'}`}${namesOf(found.notSubscribers ?? [])}.`,
            ),
          ]),
      note('warn', 'Emails are queued at once and cannot be recalled.'),
      ...namedFacts(
        'Left out',
        (found.leftOut ?? []).map(({ email: one, why }) => `${one} (${standingWords[why]})`),
      ),
      ...namedFacts('Not subscribers', found.notSubscribers ?? []),
    ],
  }
}

/** The first of them, behind what says how many there are. */
const namesOf = (named: readonly string[]): string =>
  named.length === 0 ? '' : `: ${fewNames(named.map((one) => theirs(one)))}`

/** All who are known by name, where the card names the first few. */
const namedFacts = (label: string, named: readonly string[]): Block[] =>
  named.length === 0 ? [] : [facts({ [label]: named.join(', ') })]

const domainWords = ({ recipients: { report: found } }: SendPlan): string =>
  found.domains.map(({ name, count }) => `${theirs(name)} ${formatNumber(count)}`).join(', ')

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
