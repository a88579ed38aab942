import { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { textFile } from '../../src/kernel/command/line/text-file.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { defined } from '../../src/lib/defined.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { emailAddress } from '../../src/lib/services/endpoints/request-fields.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { filterParams, isScoreRange, scoreRange } from '../subscriber/everybody.ts'
import { addressesIn } from './address-file.ts'
import { receiptOf } from './receipt.ts'
import {
  emailsParam,
  fromAddresses,
  fromFilters,
  includeParam,
  type Report,
  recipientsKey,
} from './recipients.ts'
import { type Campaign, campaignId, readCampaign } from './record.ts'
import { attachments, type SendPlan, sendPlan, sendPreview } from './send-plan.ts'

const words = (what: string) => z.string().trim().min(1, `${what} must not be empty`)

const filters = { ...filterParams, search: words('the search').optional() }
const filterNames = Object.keys(filters) as (keyof typeof filters)[]

/** What may replace the campaign's own subject and sender, and go with it. */
export const overrides = {
  subject: words('the subject').optional().describe('Subject line instead of the campaign’s own'),
  fromName: words('the sender name').optional().describe('Sender name instead of the campaign’s own'),
  senderEmail: emailAddress.optional().describe('Address to send from'),
  deliveryServerId: words('the delivery server id').optional().describe('Delivery server to send through'),
  attachments: attachments
    .optional()
    .describe('Files as [{"filename":"a.pdf","url":"https://..."}], at most 1 MB each')
    .meta({ json: true }),
}

const input = z
  .object({
    campaignId: campaignId.describe('Id of a live campaign').meta({ kind: 'campaign' }),
    emails: emailsParam.optional().describe('Email addresses').meta({ kind: 'subscriber' }),
    file: textFile.optional().describe('CSV or text file with the addresses').meta({ file: true }),
    ...filters,
    search: filters.search.describe('Find subscribers by part of their address or name'),
    include: includeParam
      .optional()
      .describe('Also send to people who are unsubscribed, bounced, complaint or suppressed'),
    ...overrides,
  })
  .refine(isScoreRange, scoreRange)
  .refine((given) => sourcesOf(given).length <= 1, {
    path: ['emails'],
    message: 'choose the recipients in one way only: addresses, a file, or filters',
  })
type Input = z.infer<typeof input>

export const campaignSend = defineServiceChange({
  name: 'campaign send',
  summary: 'Send a live campaign to addresses, to a file of addresses, or to subscribers that match',
  area: 'email',
  input,
  positional: ['campaignId', 'emails'],
  oneOf: ['emails', 'file', ...filterNames],
  examples: [
    'campaign send cmp_welcome ada@example.com',
    'campaign send cmp_order_receipt ada@example.com,kim@example.com --subject "Your receipt, again"',
    'campaign send cmp_spring_sale --status subscribed --tags customer',
  ],
  workflow: true,
  uses: [
    'email.getCampaign',
    'email.findCampaigns',
    'email.findSubscribers',
    'email.getSubscriber',
    'email.sendCampaign',
  ],
  plan: sendPlan,
  intent: ({ campaignId: id, emails }, pinned) => ({
    campaignId: id,
    emails: pinned === undefined ? recipientsKey(emails ?? []) : pinned.digest,
  }),
  async prepare(given, context, pinned) {
    const found = await liveCampaign(given.campaignId, context)
    if (!found.ok) return found
    const { name, status, subject, senderName } = found.value
    const who = pinned === undefined ? await fewRecipients(given, context) : ok(pinned.report as Pinning)
    if (!who.ok) return who
    return ok({
      campaignId: given.campaignId,
      name: name || given.campaignId,
      status,
      own: { subject, senderName },
      recipients: { ...who.value, ...defined({ digest: pinned?.digest }) },
      subject: given.subject,
      fromName: given.fromName,
      senderEmail: given.senderEmail,
      deliveryServerId: given.deliveryServerId,
      attachments: given.attachments,
    })
  },
  preview: sendPreview,
  row: 'email.sendCampaign',
  request: (plan) => ({ body: bodyOf(plan, plan.recipients.emails) }),
  done: (plan, { data }) => receiptOf(data, plan.name, plan.recipients.emails.length),
  lookUps: ({ campaignId: id, recipients: { emails } }) => [
    ...emails.slice(0, 1).map((address) => `subscriber get ${address}`),
    `campaign get ${id}`,
  ],
  bulk: {
    requests: (plan, items) => [
      { row: 'email.sendCampaign', input: { body: bodyOf(plan, items as string[]) } },
    ],
    async pin(given, context) {
      const { emails, file, include = [] } = given
      if (emails !== undefined && emails.length <= context.chunk) return ok(undefined)
      const live = await liveCampaign(given.campaignId, context)
      if (!live.ok) return live
      const addresses = file === undefined ? ok(emails) : await addressesIn(file)
      if (!addresses.ok) return addresses
      const collected =
        addresses.value === undefined
          ? await fromFilters(filtersOf(given), include, context)
          : await fromAddresses(addresses.value, include, context)
      if (!collected.ok) return collected
      const set = await context.pin(collected.value.emails)
      const shown: Pinning = {
        total: set.total,
        emails: collected.value.emails.slice(0, 5),
        report: collected.value.report,
      }
      const { emails: _, ...kept } = given
      return ok({
        pinned: { ...set, report: shown },
        input: { ...kept, ...(file === undefined ? {} : { file: { name: file.name, text: '' } }) },
      })
    },
    async work(plan, items, context) {
      const emails = items as string[]
      await context.throttle()
      const { data } = await context.email.sendCampaign({ body: bodyOf(plan, emails) })
      const queued = Math.min(data?.queued ?? emails.length, emails.length)
      const why = `The service queued only ${queued} of the ${emails.length} addresses in this batch, and does not say which.`
      const missing = { item: 'one address of this batch', outcome: 'failed' as const, why }
      return { done: queued, troubles: Array.from({ length: emails.length - queued }, () => missing) }
    },
    probe: (_plan, { email }) => email.findCampaigns({ query: { limit: 1 } }),
  },
})

type Pinning = { total: number; emails: string[]; report: Report }

const filtersOf = (given: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(filterNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])))

const sourcesOf = (given: Readonly<Record<string, unknown>>): string[] => [
  ...(given.emails === undefined ? [] : ['emails']),
  ...(given.file === undefined ? [] : ['file']),
  ...(Object.keys(filtersOf(given)).length === 0 ? [] : ['filters']),
]

const fewRecipients = async (
  { emails = [], include = [] }: Input,
  context: ReadContext,
): Promise<Result<Pinning>> => {
  const collected = await fromAddresses(emails, include, context)
  return collected.ok ? ok({ ...collected.value, total: collected.value.emails.length }) : collected
}

export const liveCampaign = async (
  id: string,
  context: Pick<ReadContext, 'email'>,
): Promise<Result<Campaign>> => {
  const found = await readCampaign(id, context)
  if (!found.ok || found.value.status.toLowerCase() === 'live') return found
  return no(
    refusal(
      'not_allowed_now',
      `${theirs(found.value.name || id)} is ${theirs(found.value.status)}, and only a live campaign can be sent.`,
      { next: 'Set it live in the email service first, or choose another with campaign find.' },
    ),
  )
}

const bodyOf = (plan: SendPlan, emails: string[]) => ({
  campaignId: plan.campaignId,
  emails,
  subject: plan.subject,
  fromName: plan.fromName,
  senderEmail: plan.senderEmail,
  deliveryServerId: plan.deliveryServerId,
  attachments: plan.attachments,
})
