import type { HandlerResult } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { notFound } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import type { Addon, BillingState, Customer, Plan, Product, Transaction } from './state.ts'

export const success = (message: string, data?: unknown): HandlerResult => ({
  body: { status: 'success', message, ...(data !== undefined && { data }) },
})

/** Another account's product is as good as none. */
export const productById = (state: BillingState, id: string): Product =>
  state.products.find((one) => one.id === id && one.user_id === state.user.id) ?? notFound(`product ${id}`)

export const planById = (state: BillingState, id: string): Plan => {
  const plan = state.plans.find((one) => one.id === id) ?? notFound(`plan ${id}`)
  productById(state, plan.product_id)
  return plan
}

export const addonById = (state: BillingState, id: string): Addon =>
  state.addons.find((one) => one.id === id) ?? notFound(`add-on ${id}`)

export const customerById = (state: BillingState, id: string): Customer =>
  state.customers.find((one) => one.id === id) ?? notFound(`customer ${id}`)

export const transactionById = (state: BillingState, id: string): Transaction =>
  state.transactions.find((one) => one.id === id) ?? notFound(`payment ${id}`)

export const toProduct = ({ user_id, ...product }: Product) => product
