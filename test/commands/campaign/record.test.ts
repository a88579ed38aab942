import { expect, test } from 'vitest'
import { readCampaign, toCampaign } from '../../../commands/campaign/record.ts'
import type { ReadContext } from '../../../src/kernel/command/context.ts'
import { ServiceError } from '../../../src/lib/services/errors.ts'

type Email = ReadContext['email']
type Page = { query?: { page?: number | string | undefined } | undefined }

const pages = 3

/** A service with 250 campaigns, whose answers are as its test wants them. */
const serviceWith = (one: unknown, pagination?: (page: number) => object, count = 250) => {
  const asked: number[] = []
  const email = {
    getCampaign: async () => {
      if (one instanceof Error) throw one
      return { data: one }
    },
    findCampaigns: async ({ query }: Page = {}) => {
      const page = Number(query?.page)
      asked.push(page)
      const ids = Array.from({ length: count }, (_, at) => ({ _id: `c${at + 1}`, status: 'live' }))
      return { data: { campaigns: ids.slice((page - 1) * 100, page * 100), pagination: pagination?.(page) } }
    },
  } as unknown as Email
  return { context: { email }, asked }
}

const gone = new ServiceError({
  kind: 'not_found',
  status: 404,
  outcome: 'not_done',
  service: 'email',
  row: 'getCampaign',
})

test.each([
  [
    'the documented record',
    { _id: 'c9', status: 'live', campaignDetails: { campaignName: 'N', subject: 'S' } },
  ],
  [
    'a wrapped record',
    { campaign: { _id: 'c9', status: 'live', campaignDetails: { campaignName: 'N', subject: 'S' } } },
  ],
  ['a flat record', { id: 'c9', status: 'live', name: 'N', subject: 'S' }],
])('a campaign is read from %s without looking further', async (_, answer) => {
  const { context, asked } = serviceWith(answer)
  const found = await readCampaign('c9', context)
  expect(found).toMatchObject({ ok: true, value: { id: 'c9', name: 'N', subject: 'S', status: 'live' } })
  expect(asked).toEqual([])
})

test.each([
  ['is not found', gone],
  ['has no status', { _id: 'c240', campaignDetails: {} }],
  ['is another one', { _id: 'c1', status: 'live' }],
  ['is nothing', undefined],
])('all pages are looked through when the answer %s', async (_, answer) => {
  const { context, asked } = serviceWith(answer, (page) => ({ hasNextPage: page < pages, totalPages: pages }))
  expect(await readCampaign('c240', context)).toMatchObject({ ok: true, value: { id: 'c240' } })
  expect(asked).toEqual([1, 2, 3])
})

test('full pages are followed even if the service does not say that there are more', async () => {
  const { context, asked } = serviceWith(gone)
  expect(await readCampaign('c240', context)).toMatchObject({ ok: true })
  expect(asked).toEqual([1, 2, 3])
})

test('a campaign on no page is not found, and the search ends', async () => {
  const { context, asked } = serviceWith(gone, (page) => ({ hasNextPage: page < pages }))
  expect(await readCampaign('c999', context)).toMatchObject({ ok: false, refusal: { code: 'not_found' } })
  expect(asked).toEqual([1, 2, 3])
})

test('the search ends with a service that always promises one more page', async () => {
  const { context, asked } = serviceWith(gone, () => ({ hasNextPage: true }))
  expect(await readCampaign('c999', context)).toMatchObject({ ok: false })
  expect(asked).toEqual([1, 2, 3, 4])
})

test('a hundred pages are looked through, and no more', async () => {
  const search = async (id: string) => {
    const { context, asked } = serviceWith(gone, () => ({ hasNextPage: true }), 10_100)
    return [(await readCampaign(id, context)).ok, asked.length]
  }
  expect(await search('c10000')).toEqual([true, 100])
  expect(await search('c10001')).toEqual([false, 100])
})

test('every field is read from where the service shows it, else from where it could be', () => {
  const fields = {
    campaignName: 'N',
    campaignType: 'T',
    subject: 'S',
    senderName: 'F',
    preheaderText: 'P',
  }
  const template = { name: 'M', builderType: 'B', htmlContent: 'H' }
  const read = { name: 'N', type: 'T', subject: 'S', senderName: 'F', preheader: 'P' }
  const drawn = { template: 'M', builder: 'B', html: 'H' }
  const other = { campaignName: 'n', campaignType: 't', subject: 's', senderName: 'f', preheaderText: 'p' }
  expect(
    toCampaign({
      _id: 'c',
      id: 'd',
      status: 'live',
      campaignDetails: fields,
      ...other,
      templateId: template,
    }),
  ).toMatchObject({ id: 'c', status: 'live', ...read, ...drawn })
  expect(toCampaign({ id: 'd', ...fields, name: 'n', type: 't', template })).toMatchObject({
    id: 'd',
    status: '',
    ...read,
    ...drawn,
  })
  expect(toCampaign({ name: 'n', type: 't' })).toMatchObject({ id: '', name: 'n', type: 't', subject: '' })
  expect(toCampaign({})).toMatchObject({ name: '', type: '', senderName: '', preheader: '', template: '' })
})
