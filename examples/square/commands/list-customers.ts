import { answer, defineQuery, openView, z } from 'bellhop/pack'

export const listCustomers = defineQuery({
  name: 'square list-customers',
  summary: 'Lists customer profiles associated with a Square account',
  area: 'square',
  input: z.object({
    cursor: z.string().optional().describe('A pagination cursor returned by a previous call to this endpoint'),
    limit: z.int().optional().describe('The maximum number of results to return in a single page'),
    sortField: z.string().optional().describe('Indicates how customers should be sorted'),
    sortOrder: z.string().optional().describe('Indicates whether customers should be sorted in ascending (ASC) or descending (DESC) order'),
  }),
  examples: ['square list-customers'],
  uses: ['square.listCustomers'],
  async run({ cursor, limit, sortField, sortOrder }, { read }) {
    const { data } = await read('square.listCustomers', { query: { cursor, limit, sort_field: sortField, sort_order: sortOrder } })
    return answer(openView('List customers', data))
  },
})
