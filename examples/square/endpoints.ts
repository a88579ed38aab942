import { defineRow, defineService } from 'bellhop/pack'
import * as answers from './answers.ts'
import * as requests from './requests.ts'

// Square Connect API, at https://connect.squareup.com. A line that begins with "Decide" is for you: change what follows it, or take the line out.
export const square = defineService({
  name: 'square',
  title: 'Square Connect API',
  auth: 'bearer',
  environment: {
    baseUrl: 'SQUARE_BASE_URL',
    keys: { apiKey: 'SQUARE_API_KEY' },
  },
  rows: {
    listCustomers: defineRow({
      method: 'GET',
      path: '/v2/customers',
      noun: 'square',
      effect: 'read',
      shown: true,
      summary: 'Lists customer profiles associated with a Square account',
      query: requests.listCustomers.query,
      answer: answers.listCustomers,
    }),
    createCustomer: defineRow({
      method: 'POST',
      path: '/v2/customers',
      noun: 'square',
      effect: 'once',
      shown: true,
      summary: 'Creates a new customer for a business',
      body: requests.createCustomer.body,
      answer: answers.createCustomer,
    }),
    // Decide: It may only read, as its name says. If so, it may be repeated, and its effect is idempotent.
    searchCustomers: defineRow({
      method: 'POST',
      path: '/v2/customers/search',
      noun: 'square',
      effect: 'once',
      shown: true,
      summary: 'Searches the customer profiles associated with a Square account using a supported...',
      body: requests.searchCustomers.body,
      answer: answers.searchCustomers,
    }),
    retrieveCustomer: defineRow({
      method: 'GET',
      path: '/v2/customers/{customer_id}',
      noun: 'square',
      effect: 'read',
      shown: true,
      summary: 'Returns details for a single customer',
      params: requests.retrieveCustomer.params,
      answer: answers.retrieveCustomer,
      identity: { 'customer.id': 'customer_id' },
    }),
    // Decide: PUT can be repeated by the rules of HTTP. If this one can, its effect is idempotent.
    updateCustomer: defineRow({
      method: 'PUT',
      path: '/v2/customers/{customer_id}',
      noun: 'square',
      effect: 'once',
      shown: true,
      summary: 'Updates a customer profile',
      params: requests.updateCustomer.params,
      body: requests.updateCustomer.body,
      answer: answers.updateCustomer,
      identity: { 'customer.id': 'customer_id' },
    }),
    // Decide: DELETE can be repeated by the rules of HTTP. If this one can, its effect is idempotent.
    deleteCustomer: defineRow({
      method: 'DELETE',
      path: '/v2/customers/{customer_id}',
      noun: 'square',
      effect: 'once',
      shown: true,
      summary: 'Deletes a customer profile from a business',
      params: requests.deleteCustomer.params,
      query: requests.deleteCustomer.query,
      answer: answers.deleteCustomer,
    }),
    listPaymentRefunds: defineRow({
      method: 'GET',
      path: '/v2/refunds',
      noun: 'square',
      effect: 'read',
      shown: true,
      summary: 'Retrieves a list of refunds for the account making the request',
      query: requests.listPaymentRefunds.query,
      answer: answers.listPaymentRefunds,
    }),
    // Decide: It is taken to move money, by its words. If it does not, take movesMoney out.
    refundPayment: defineRow({
      method: 'POST',
      path: '/v2/refunds',
      noun: 'square',
      effect: 'once',
      movesMoney: true,
      shown: true,
      summary: 'Refunds a payment',
      body: requests.refundPayment.body,
      answer: answers.refundPayment,
      // Decide: It is settled later, by the states that its document lists. What is each of them?
      later: {
        says: [{ id: 'refund.id', state: 'refund.status', accepted: ['PENDING'], done: ['COMPLETED'], failed: ['REJECTED', 'FAILED'] }],
        ask: { row: 'getPaymentRefund', by: 'refund_id' },
      },
    }),
    getPaymentRefund: defineRow({
      method: 'GET',
      path: '/v2/refunds/{refund_id}',
      noun: 'square',
      effect: 'read',
      shown: true,
      summary: 'Retrieves a specific refund using the refund_id',
      params: requests.getPaymentRefund.params,
      answer: answers.getPaymentRefund,
      identity: { 'refund.id': 'refund_id' },
    }),
  },
})

declare module 'bellhop/pack' {
  interface Tables {
    square: typeof square
  }
}
