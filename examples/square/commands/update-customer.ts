import { defineServiceChange, idOf, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const updateCustomer = defineServiceChange({
  name: 'square update-customer',
  summary: 'Updates a customer profile',
  area: 'square',
  input: z.object({
    customerId: idOf('customer id').describe('The ID of the customer to update'),
    address: z.record(z.string(), z.unknown()).optional().describe('Represents a postal address in a country').meta({ json: true }),
    birthday: z.string().optional().describe('The birthday associated with the customer profile, in RFC 3339 format'),
    companyName: z.string().optional().describe('A business name associated with the customer profile'),
    emailAddress: z.string().optional().describe('The email address associated with the customer profile'),
    familyName: z.string().optional().describe('The family name (that is, the last name) associated with the customer profile'),
    givenName: z.string().optional().describe('The given name (that is, the first name) associated with the customer profile'),
    nickname: z.string().optional().describe('A nickname for the customer profile'),
    note: z.string().optional().describe('A custom note associated with the customer profile'),
    phoneNumber: z.string().optional().describe('The 11-digit phone number associated with the customer profile'),
    referenceId: z.string().optional().describe('An optional second ID used to associate the customer profile with an entity in another...'),
    version: z.int().optional().describe('The current version of the customer profile'),
  }),
  positional: ['customerId'],
  examples: ['square update-customer example'],
  uses: ['square.updateCustomer'],
  plan: z.object({ params: requests.updateCustomer.params, body: requests.updateCustomer.body }),
  async prepare({ customerId, address, birthday, companyName, emailAddress, familyName, givenName, nickname, note, phoneNumber, referenceId, version }) {
    return ok({ params: { customer_id: customerId }, body: { address, birthday, company_name: companyName, email_address: emailAddress, family_name: familyName, given_name: givenName, nickname, note, phone_number: phoneNumber, reference_id: referenceId, version } })
  },
  preview: () => ({ title: 'Update customer', tone: 'plain', blocks: [] }),
  row: 'square.updateCustomer',
  request: ({ params, body }) => ({ params, body }),
  done: (_, { data }) => ({ message: 'Update customer: done.', view: openView('Update customer', data) }),
})
