import { defineServiceChange, idOf, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const deleteCustomer = defineServiceChange({
  name: 'square delete-customer',
  summary: 'Deletes a customer profile from a business',
  area: 'square',
  input: z.object({
    customerId: idOf('customer id').describe('The ID of the customer to delete'),
    version: z.int().optional().describe('The current version of the customer profile'),
  }),
  positional: ['customerId'],
  examples: ['square delete-customer example'],
  uses: ['square.deleteCustomer'],
  plan: z.object({ params: requests.deleteCustomer.params, query: requests.deleteCustomer.query }),
  async prepare({ customerId, version }) {
    return ok({ params: { customer_id: customerId }, query: { version } })
  },
  preview: () => ({ title: 'Delete customer', tone: 'plain', blocks: [] }),
  row: 'square.deleteCustomer',
  request: ({ params, query }) => ({ params, query }),
  done: (_, { data }) => ({ message: 'Delete customer: done.', view: openView('Delete customer', data) }),
})
