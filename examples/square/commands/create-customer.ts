import { defineServiceChange, ok, openView, z } from 'bellhop/pack'
import * as requests from '../requests.ts'

export const createCustomer = defineServiceChange({
  name: 'square create-customer',
  summary: 'Creates a new customer for a business',
  area: 'square',
  input: z.object({
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
  }),
  examples: ['square create-customer --email-address Amelia.Earhart@example.com'],
  uses: ['square.createCustomer'],
  plan: z.object({ body: requests.createCustomer.body.omit({ idempotency_key: true }) }),
  async prepare({ address, birthday, companyName, emailAddress, familyName, givenName, nickname, note, phoneNumber, referenceId }) {
    return ok({ body: { address, birthday, company_name: companyName, email_address: emailAddress, family_name: familyName, given_name: givenName, nickname, note, phone_number: phoneNumber, reference_id: referenceId } })
  },
  preview: () => ({ title: 'Create customer', tone: 'plain', blocks: [] }),
  row: 'square.createCustomer',
  request: ({ body }, newId) => ({ body: { ...body, idempotency_key: newId() } }),
  done: (_, { data }) => ({ message: 'Create customer: done.', view: openView('Create customer', data) }),
})
