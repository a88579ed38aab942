import { z } from 'zod'
import { wording } from '../../src/kernel/command/facts.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { recordIn } from '../../src/lib/services/read-answer.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { fewNames } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts, list, note, text } from '../../src/lib/view/view.ts'
import { listIdsParam, listsNamed, listWords } from '../list/membership.ts'
import { campaignId } from './record.ts'
import { liveCampaign, overrides } from './send.ts'

const overridden = z.object(overrides)

export const campaignSendList = defineServiceChange({
  name: 'campaign send-list',
  title: 'Send campaign to lists',
  summary: 'Send a live campaign to everybody on one or more lists',
  area: 'email',
  input: z.object({
    campaignId: campaignId.describe('Id of a live campaign').meta({ kind: 'campaign' }),
    listIds: listIdsParam,
    ...overrides,
  }),
  positional: ['campaignId', 'listIds'],
  examples: ['campaign send-list cmp_spring_sale lst_vip'],
  uses: [
    'email.getCampaign',
    'email.findCampaigns',
    'email.findLists',
    'email.subscriberStats',
    'email.sendCampaignToList',
  ],
  plan: z.object({
    campaignId: z.string(),
    name: z.string(),
    subject: z.string(),
    lists: z.array(z.object({ id: z.string(), words: wording(z.string()), subscribers: z.int().optional() })),
    overrides: overridden,
  }),
  async prepare({ campaignId: id, listIds, ...given }, context) {
    const found = await liveCampaign(id, context)
    if (!found.ok) return found
    const lists = await listsNamed(listIds, context)
    const unknown = lists.filter(({ name }) => name === '')
    if (unknown.length > 0) {
      return no(
        refusal('not_found', `No list is known as ${unknown.map(({ id: one }) => one).join(', ')}.`, {
          next: 'list find shows every list with its id.',
        }),
      )
    }
    return ok({
      campaignId: id,
      name: found.value.name || id,
      subject: found.value.subject,
      lists: lists.map((one) => ({ id: one.id, words: listWords(one), subscribers: one.subscribers })),
      overrides: overridden.parse(given),
    })
  },
  preview: ({ campaignId: id, name, subject, lists, overrides: given }) => ({
    title: `Send ${theirs(name)} to ${recipientWords(lists)}`,
    tone: 'warn',
    blocks: [
      facts({
        Campaign: `${theirs(name)} (${theirs(id)})`,
        Subject:
          given.subject === undefined ? subject : `${theirs(given.subject)} (instead of ${theirs(subject)})`,
        'From name': given.fromName,
        'Send from': given.senderEmail,
        'Delivery server': given.deliveryServerId,
        Lists: { role: 'target', value: plural(lists.length, 'list') },
        Subscribers: totalWords(lists),
      }),
      list(
        lists.map(({ words, subscribers }) =>
          subscribers === undefined ? words : `${words}: ${plural(subscribers, 'subscriber')}`,
        ),
      ),
      ...(given.attachments?.length
        ? [
            text('Attachments'),
            list(given.attachments.map(({ filename, url }) => `${theirs(filename)}: ${theirs(url)}`)),
          ]
        : []),
      note('warn', 'The service decides who of them gets it. Mail is queued and cannot be called back.'),
    ],
  }),
  row: 'email.sendCampaignToList',
  request: ({ campaignId: id, lists, overrides: given }) => ({
    body: { campaignId: id, listIds: lists.map(({ id: one }) => one), ...given },
  }),
  done({ name, lists }, { data, message }) {
    const receipt = recordIn(data, 'receipt') ?? {}
    const queued = typeof receipt.queued === 'number' ? `, ${plural(receipt.queued, 'email')} queued` : ''
    return {
      message: `The service took ${theirs(name)} for ${lists.map(({ words }) => words).join(', ')}${queued}.`,
      view: {
        title: name,
        tone: 'good',
        blocks: [
          facts({ 'The service says': typeof receipt.message === 'string' ? receipt.message : message }),
        ],
      },
    }
  },
  lookUps: ({ campaignId: id }) => [`campaign get ${id}`],
})

/** "1,240 people on VIP", or the lists alone where nobody knows how many are on them. */
const recipientWords = (lists: readonly { words: string; subscribers?: number | undefined }[]): string => {
  const known = lists.flatMap(({ subscribers }) => subscribers ?? [])
  const on = fewNames(lists.map(({ words }) => words))
  if (known.length < lists.length) return on
  return `${plural(
    known.reduce((sum, one) => sum + one, 0),
    'person',
    'people',
  )} on ${on}`
}

const totalWords = (lists: readonly { subscribers?: number | undefined }[]): string => {
  const known = lists.flatMap(({ subscribers }) => subscribers ?? [])
  if (known.length < lists.length) return 'not known'
  const total = plural(
    known.reduce((sum, one) => sum + one, 0),
    'subscriber',
  )
  return lists.length === 1 ? total : `${total}, those in several lists counted more than once`
}
