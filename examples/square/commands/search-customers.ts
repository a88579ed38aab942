import { defineServiceChange, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const searchCustomers = defineServiceChange({
  name: 'square search-customers',
  summary: 'Searches the customer profiles associated with a Square account using a supported...',
  area: 'square',
  input: z.object({
    cursor: z.string().optional().describe('Include the pagination cursor in subsequent calls to this endpoint to retrieve the...'),
    limit: z.int().optional().describe('The maximum number of results to return in a single page'),
    query: z.record(z.string(), z.unknown()).optional().describe('Represents a query (including filtering criteria, sorting criteria, or both) used to...').meta({ json: true }),
  }),
  examples: ['square search-customers'],
  uses: ['square.searchCustomers'],
  plan: z.object({ body: requests.searchCustomers.body }),
  async prepare({ cursor, limit, query }) {
    return ok({ body: { cursor, limit, query } })
  },
  preview: () => ({ title: 'Search customers', tone: 'plain', blocks: [] }),
  row: 'square.searchCustomers',
  request: ({ body }) => ({ body }),
  done: (_, { data }) => ({ message: 'Search customers: done.', view: openView('Search customers', data) }),
})
