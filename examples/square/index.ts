import { definePack } from 'bellhop/pack'
import { listCustomers } from './commands/list-customers.ts'
import { createCustomer } from './commands/create-customer.ts'
import { searchCustomers } from './commands/search-customers.ts'
import { retrieveCustomer } from './commands/retrieve-customer.ts'
import { updateCustomer } from './commands/update-customer.ts'
import { deleteCustomer } from './commands/delete-customer.ts'
import { listPaymentRefunds } from './commands/list-payment-refunds.ts'
import { refundPayment } from './commands/refund-payment.ts'
import { getPaymentRefund } from './commands/get-payment-refund.ts'
import { square as service } from './endpoints.ts'

export const pack = definePack({
  surface: 1,
  ...service,
  commands: [listCustomers, createCustomer, searchCustomers, retrieveCustomer, updateCustomer, deleteCustomer, listPaymentRefunds, refundPayment, getPaymentRefund],
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
})
