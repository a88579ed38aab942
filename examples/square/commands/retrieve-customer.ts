import { answer, defineQuery, idOf, openView, z } from 'bellhop/pack'

export const retrieveCustomer = defineQuery({
  name: 'square retrieve-customer',
  summary: 'Returns details for a single customer',
  area: 'square',
  input: z.object({
    customerId: idOf('customer id').describe('The ID of the customer to retrieve'),
  }),
  positional: ['customerId'],
  examples: ['square retrieve-customer example'],
  uses: ['square.retrieveCustomer'],
  async run({ customerId }, { read }) {
    const { data } = await read('square.retrieveCustomer', { params: { customer_id: customerId } })
    return answer(openView('Retrieve customer', data))
  },
})
