import { answer, defineQuery, openView, z } from 'bellhop/pack'

export const listPaymentRefunds = defineQuery({
  name: 'square list-payment-refunds',
  summary: 'Retrieves a list of refunds for the account making the request',
  area: 'square',
  input: z.object({
    beginTime: z.string().optional().describe('The timestamp for the beginning of the requested reporting period, in RFC 3339 format'),
    endTime: z.string().optional().describe('The timestamp for the end of the requested reporting period, in RFC 3339 format'),
    sortOrder: z.string().optional().describe('The order in which results are listed'),
    cursor: z.string().optional().describe('A pagination cursor returned by a previous call to this endpoint'),
    locationId: z.string().optional().describe('Limit results to the location supplied'),
    status: z.string().optional().describe('If provided, only refunds with the given status are returned'),
    sourceType: z.string().optional().describe('If provided, only refunds with the given source type are returned'),
    limit: z.int().optional().describe('The maximum number of results to be returned in a single page'),
  }),
  examples: ['square list-payment-refunds'],
  uses: ['square.listPaymentRefunds'],
  async run({ beginTime, endTime, sortOrder, cursor, locationId, status, sourceType, limit }, { read }) {
    const { data } = await read('square.listPaymentRefunds', { query: { begin_time: beginTime, end_time: endTime, sort_order: sortOrder, cursor, location_id: locationId, status, source_type: sourceType, limit } })
    return answer(openView('List payment refunds', data))
  },
})
