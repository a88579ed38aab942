import { isEmail } from '../../../src/lib/sandbox/endpoint/fields.ts'
import { defineSandbox } from '../../../src/lib/sandbox/service-sandbox.ts'
import { customerId, customers } from '../../seed-names.ts'
import type { email } from '../endpoints.ts'
import * as campaigns from './campaigns.ts'
import * as lists from './lists.ts'
import { seedEmail } from './seed.ts'
import type { EmailState } from './state.ts'
import { subscriberStats } from './stats.ts'
import * as subscribers from './subscribers.ts'

type EmailRow = keyof typeof email.rows

export const sandbox = defineSandbox<EmailState, typeof email.rows>({
  seed: seedEmail,
  introduces: () =>
    customers.map(({ address }, index) => ({
      teaches: customerId(index),
      row: 'getSubscriber',
      input: { params: { email: address } },
    })),
  handlers: {
    updateSubscriber: subscribers.updateSubscriber,
    getSubscriber: subscribers.getSubscriber,
    findSubscribers: subscribers.findSubscribers,
    subscriberStats,
    findCampaigns: campaigns.findCampaigns,
    sendCampaign: campaigns.sendCampaign,
    createList: lists.createList,
    removeFromLists: lists.removeFromLists,
    createSubscriber: subscribers.createSubscriber,
    getSubscriberById: subscribers.getSubscriberById,
    updateSubscriberById: subscribers.updateSubscriberById,
    deleteSubscribers: subscribers.deleteSubscribers,
    customFields: subscribers.customFields,
    createCampaign: campaigns.createCampaign,
    getCampaign: campaigns.getCampaign,
    sendCampaignToList: campaigns.sendCampaignToList,
    findLists: lists.findLists,
    getList: lists.getList,
    findListByName: lists.findListByName,
    addToList: lists.addToList,
    moveToList: lists.moveToList,
    listsAndSegments: lists.listsAndSegments,
  },
  pick: (rows, { key, query }) => pickEmailRow(rows as EmailRow[], key, query),
})

const looksLikeId = (text: string) => /^[0-9a-f]{24}$/i.test(text)

/**
 * Three pairs of rows share a method and a path; what is asked for tells them apart. A subscriber's key is an id when
 * it looks like one, otherwise it is taken for an address, perhaps a bad one.
 */
function pickEmailRow(rows: readonly EmailRow[], key: string, query: URLSearchParams): EmailRow | undefined {
  const byId = looksLikeId(key) && !isEmail(key)
  return rows.find((row) => {
    if (row === 'getSubscriberById' || row === 'updateSubscriberById') return byId
    if (row === 'getSubscriber' || row === 'updateSubscriber') return !byId
    if (row === 'findListByName') return query.has('name')
    if (row === 'findLists') return !query.has('name')
    return true
  })
}
