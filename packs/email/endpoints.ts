import { z } from 'zod'
import { openRead, openWrite } from '../../src/lib/services/endpoints/path-only.ts'
import { hasText } from '../../src/lib/services/endpoints/read-back.ts'
import {
  emailAddress,
  filled,
  isPublic,
  queryInteger,
  queryNames,
  segment,
  webUrl,
  words,
} from '../../src/lib/services/endpoints/request-fields.ts'
import { type Choice, defineRow, defineService } from '../../src/lib/services/endpoints/row.ts'
import { kinds } from './kinds.ts'
import { links } from './links.ts'
import * as answers from './records.ts'

const byEmail = z.object({ email: emailAddress })
const byId = z.object({ id: segment })

const attachment = z.strictObject({
  filename: z
    .string('an attachment needs a filename')
    .regex(/[^./\\]\.[A-Za-z0-9]{1,16}$/, 'an attachment filename needs an extension such as .pdf'),
  url: webUrl.refine(
    isPublic,
    'an attachment needs an address that the service can reach, not one on this machine',
  ),
})

const shown = {
  updateSubscriber: defineRow({
    method: 'PUT',
    path: '/subscribers/{email}',
    noun: 'subscriber',
    effect: 'idempotent',
    shown: true,
    summary: 'Update a subscriber by email',
    readBack: { read: 'getSubscriber', tells: 'values' },
    params: byEmail,
    body: z.strictObject({
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      leadScore: z.int('a lead score is a whole number').optional(),
      status: filled('the status').optional(),
      tagsToAdd: z.array(filled('a tag')).optional(),
      tagsToRemove: z.array(filled('a tag')).optional(),
      customFields: z
        .object({ company: z.string().optional(), position: z.string().optional() })
        .catchall(z.json())
        .optional(),
    }),
    answer: answers.subscriber,
    identity: { email: 'email' },
  }),
  getSubscriber: defineRow({
    method: 'GET',
    path: '/subscribers/{email}',
    noun: 'subscriber',
    effect: 'read',
    shown: true,
    summary: 'Get a subscriber by email',
    params: byEmail,
    answer: answers.subscriber,
    identity: { email: 'email' },
  }),
  findSubscribers: defineRow({
    method: 'GET',
    path: '/subscribers',
    noun: 'subscriber',
    effect: 'read',
    shown: true,
    summary: 'Find subscribers, a page at a time',
    query: z.strictObject({
      page: queryInteger('the page', { min: 1 }).optional(),
      limit: queryInteger('the page size', { min: 1, max: 100 }).optional(),
      search: z.string().optional(),
      status: z
        .enum(
          ['subscribed', 'unsubscribed', 'bounced', 'complaint'],
          'the status is one of subscribed, unsubscribed, bounced, complaint',
        )
        .optional(),
      tags: queryNames('a tag').optional(),
      segments: queryNames('a segment').optional(),
      lists: queryNames('a list').optional(),
      leadScoreMin: queryInteger('the lowest lead score').optional(),
      leadScoreMax: queryInteger('the highest lead score').optional(),
    }),
    answer: answers.subscriberPage,
  }),
  subscriberStats: defineRow({
    method: 'GET',
    path: '/subscribers/stats',
    noun: 'subscriber',
    effect: 'read',
    shown: true,
    summary: 'Statistics of all subscribers',
    answer: answers.subscriberStatistics,
  }),
  findCampaigns: defineRow({
    method: 'GET',
    path: '/campaigns',
    noun: 'campaign',
    effect: 'read',
    shown: true,
    summary: 'Find campaigns, a page at a time',
    query: z.strictObject({
      page: queryInteger('the page', { min: 1 }).optional(),
      // No upper bound: the service cuts larger pages to 100 instead of refusing them.
      limit: queryInteger('the page size', { min: 1 }).optional(),
      campaignType: z
        .enum(
          ['all', 'Regular', 'API / Workflow Campaign'],
          'the campaign type is one of all, Regular, API / Workflow Campaign',
        )
        .optional(),
    }),
    answer: answers.campaignPage,
  }),
  sendCampaign: defineRow({
    method: 'POST',
    path: '/campaigns/send-to-individual',
    noun: 'campaign',
    effect: 'once',
    shown: true,
    summary: 'Send a live campaign to single addresses',
    // The document declares campaignId and emails optional and does not say what happens without them: both are asked for.
    body: z.strictObject({
      campaignId: filled('the campaign id'),
      emails: z.array(emailAddress).min(1, 'at least one address is needed'),
      deliveryServerId: filled('the delivery server id').optional(),
      senderEmail: emailAddress.optional(),
      fromName: filled('the sender name').optional(),
      subject: filled('the subject').optional(),
      attachments: z.array(attachment).optional(),
    }),
    details: ['deliveryServerId'],
    answer: answers.campaignReceipt,
    identity: { campaignId: 'campaignId' },
  }),
  createList: defineRow({
    method: 'POST',
    path: '/lists',
    noun: 'list',
    effect: 'once',
    shown: true,
    summary: 'Create a subscriber list',
    readBack: { read: 'findLists', input: () => ({}), tells: hasText('name', ['name', 'listName']) },
    body: z.strictObject({ name: words('the list name', 100) }),
    answer: answers.createdList,
  }),
  removeFromLists: defineRow({
    method: 'POST',
    path: '/lists/remove-subscriber',
    noun: 'list',
    effect: 'idempotent',
    shown: true,
    summary: 'Remove a subscriber from lists',
    body: z
      .strictObject({
        email: emailAddress.optional(),
        subscriberId: filled('the subscriber id').optional(),
        listIds: z.array(filled('a list id')).min(1, 'at least one list id is needed'),
      })
      .refine(
        (body) => body.email !== undefined || body.subscriberId !== undefined,
        'an email or a subscriber id is needed',
      ),
    answer: answers.removal,
    identity: { email: 'email', subscriberId: 'subscriberId' },
  }),
}

const pathOnly = {
  createSubscriber: openWrite({
    method: 'POST',
    path: '/subscribers',
    noun: 'subscriber',
    effect: 'once',
    summary: 'Create a subscriber',
    readBack: {
      read: 'getSubscriber',
      input: ({ body }) => (typeof body.email === 'string' ? { params: { email: body.email } } : undefined),
      tells: (records) => records.length > 0,
    },
  }),
  getSubscriberById: openRead({
    path: '/subscribers/{id}',
    noun: 'subscriber',
    summary: 'Get a subscriber by id',
    params: byId,
  }),
  updateSubscriberById: openWrite({
    method: 'PUT',
    path: '/subscribers/{id}',
    noun: 'subscriber',
    effect: 'idempotent',
    summary: 'Update a subscriber by id',
    params: byId,
  }),
  deleteSubscribers: openWrite({
    method: 'DELETE',
    path: '/subscribers',
    noun: 'subscriber',
    effect: 'once',
    summary: 'Delete subscribers',
  }),
  customFields: openRead({
    path: '/custom-fields',
    noun: 'subscriber',
    summary: 'Custom fields of subscribers',
  }),
  createCampaign: openWrite({
    method: 'POST',
    path: '/campaigns',
    noun: 'campaign',
    effect: 'once',
    summary: 'Create a campaign',
  }),
  getCampaign: openRead({
    path: '/campaigns/{id}',
    noun: 'campaign',
    summary: 'Get a campaign',
    params: byId,
  }),
  sendCampaignToList: {
    ...openWrite({
      method: 'POST',
      path: '/campaigns/send-to-list',
      noun: 'campaign',
      effect: 'once',
      widens: 'sendCampaign',
      summary: 'Send a campaign to a list',
    }),
    details: ['deliveryServerId'],
  },
  findLists: openRead({ path: '/lists', noun: 'list', summary: 'Find subscriber lists' }),
  getList: openRead({ path: '/lists/{id}', noun: 'list', summary: 'Get a subscriber list', params: byId }),
  findListByName: openRead({
    path: '/lists',
    noun: 'list',
    summary: 'Find one subscriber list by its name',
    byQuery: true,
  }),
  addToList: openWrite({
    method: 'POST',
    path: '/lists/add-subscriber',
    noun: 'list',
    effect: 'once',
    summary: 'Add a subscriber to lists',
  }),
  moveToList: openWrite({
    method: 'POST',
    path: '/lists/move-subscriber',
    noun: 'list',
    effect: 'once',
    summary: 'Move a subscriber between lists',
  }),
  listsAndSegments: openRead({ path: '/lists-and-segments', noun: 'list', summary: 'Lists and segments' }),
}

/** A subscriber is asked for by address or by id, and a list by its name or with all others. */
const choose = ({ rows, params, query }: Choice) => {
  if (rows.includes('findLists')) return { row: 'name' in query ? 'findListByName' : 'findLists' }
  const isEmail = params.some(({ email: key }) => key?.includes('@'))
  return { row: rows.find((_, at) => isEmail === 'email' in (params[at] ?? {})) }
}

export const email = defineService({
  name: 'email',
  title: 'Email',
  auth: 'bearer',
  environment: { baseUrl: 'EMAIL_BASE_URL', keys: { apiKey: 'EMAIL_API_KEY' } },
  prefix: '/api/v2',
  rows: { ...shown, ...pathOnly },
  envelope: true,
  proof: { row: 'findSubscribers', input: { query: { limit: 1 } } },
  choose,
  kinds,
  links,
})

declare module '../../src/lib/services/endpoints/row.ts' {
  interface Tables {
    email: typeof email
  }
}
