import { z } from 'zod'
import { hexId, isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { emailField, integerOf, isPublicUrl, textField } from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { pageOf } from '../../../src/lib/sandbox/endpoint/page.ts'
import { notFound, parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { listById, membersOf } from './lists.ts'
import { type Campaign, type EmailState, success } from './state.ts'

const types = ['all', 'Regular', 'API / Workflow Campaign']

export function findCampaigns({ state, query }: HandlerCall<EmailState>) {
  const page = integerOf(query, 'page', 1)
  const asked = integerOf(query, 'limit', 10)
  const type = query.get('campaignType') || 'all'
  if (page < 1) refuse('page starts at 1')
  if (asked < 1) refuse('limit must be at least 1')
  if (!types.includes(type)) refuse(`campaignType must be one of ${types.join(', ')}`)
  const limit = Math.min(asked, 100)
  const own = ownCampaigns(state).filter((one) => type === 'all' || one.campaignDetails.campaignType === type)
  const found = pageOf(own, page, limit)
  return success('Campaigns retrieved', {
    campaigns: found.items.map(toCampaign),
    pagination: {
      page,
      limit,
      totalCount: found.total,
      totalPages: found.totalPages,
      hasNextPage: found.hasNextPage,
      hasPrevPage: found.hasPrevPage,
    },
  })
}

export const getCampaign = ({ state, params: [id = ''] }: HandlerCall<EmailState>) =>
  success('Campaign retrieved', { campaign: toCampaign(campaignById(state, id)) })

const maxFileSize = 1_048_576

const sendFields = {
  campaignId: textField,
  deliveryServerId: z.string().optional(),
  senderEmail: emailField.optional(),
  fromName: z.string().optional(),
  subject: z.string().optional(),
  attachments: z
    .array(
      z.object({
        filename: z.string().regex(/[^/\\]\.[A-Za-z0-9]{1,10}$/, 'must end in an extension such as .pdf'),
        url: z.string().refine(isPublicUrl, 'must be a publicly accessible URL'),
      }),
    )
    .default([]),
}

const toAddresses = z.object({
  ...sendFields,
  emails: z.array(emailField).min(1, 'must name at least one address'),
})

export function sendCampaign({ state, body, now }: HandlerCall<EmailState>) {
  const request = parseOrRefuse(toAddresses, body)
  return queueEmails(state, request, request.emails, now)
}

const toLists = z.object({
  ...sendFields,
  listIds: z.array(z.string()).min(1, 'must name at least one list'),
})

export function sendCampaignToList({ state, body, now }: HandlerCall<EmailState>) {
  const request = parseOrRefuse(toLists, body)
  const members = request.listIds.flatMap((id) => membersOf(state, listById(state, id)))
  const reachable = members.filter((one) => one.status === 'subscribed' && !one.isSuppressed)
  return queueEmails(state, request, [...new Set(reachable.map((one) => one.email))], now)
}

const creation = z.object({
  campaignName: textField,
  subject: textField,
  senderName: z.string().default(''),
  preheaderText: z.string().default(''),
  htmlContent: z.string().default(''),
})

export function createCampaign({ state, body, now }: HandlerCall<EmailState>) {
  const { htmlContent, ...details } = parseOrRefuse(creation, body)
  const at = isoOf(now)
  const serial = state.serial++
  const campaign: Campaign = {
    _id: hexId('campaign', serial),
    businessId: state.businessId,
    campaignDetails: { campaignType: 'API / Workflow Campaign', ...details },
    // Campaigns made through the API are live from the start.
    status: 'live',
    templateId: {
      _id: hexId('new-template', serial),
      name: details.campaignName,
      builderType: 'HTML',
      htmlContent,
    },
    createdAt: at,
    updatedAt: at,
  }
  state.campaigns.push(campaign)
  return success('Campaign created', { campaign: toCampaign(campaign) }, 201)
}

function queueEmails(
  state: EmailState,
  request: z.output<typeof toAddresses> | z.output<typeof toLists>,
  emails: string[],
  now: number,
) {
  const campaign = campaignById(state, request.campaignId)
  const { campaignName, senderName, subject } = campaign.campaignDetails
  if (campaign.status !== 'live')
    refuse(`${campaignName} is ${campaign.status}; only a live campaign can be sent`)
  for (const { filename, url } of request.attachments) {
    if ((state.fileSizes[url] ?? 0) > maxFileSize) refuse(`${filename} is larger than 1 MB`)
  }
  const sent = emails.map((email) => ({
    campaignId: campaign._id,
    email,
    subject: request.subject ?? subject,
    fromName: request.fromName ?? senderName,
    senderEmail: request.senderEmail ?? '',
    attachments: request.attachments,
    queuedAt: isoOf(now),
  }))
  state.outbox.push(...sent)
  return success('Campaign queued', {
    campaignId: campaign._id,
    campaignName,
    totalEmails: emails.length,
    queued: sent.length,
    message: `${sent.length} ${sent.length === 1 ? 'email is' : 'emails are'} queued`,
  })
}

const ownCampaigns = (state: EmailState) =>
  state.campaigns.filter((one) => one.businessId === state.businessId)

const campaignById = (state: EmailState, id: string): Campaign =>
  ownCampaigns(state).find((one) => one._id === id) ?? notFound(`campaign ${id}`)

const toCampaign = ({ businessId, ...campaign }: Campaign) => campaign
