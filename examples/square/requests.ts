import { z } from 'bellhop/pack'

export const listCustomers = {
  query: z.object({
    cursor: z.string().optional(),
    limit: z.int().optional(),
    sort_field: z.string().optional(),
    sort_order: z.string().optional(),
  }),
}

export const createCustomer = {
  body: z.object({
    address: z.record(z.string(), z.unknown()).optional(),
    birthday: z.string().optional(),
    company_name: z.string().optional(),
    email_address: z.string().optional(),
    family_name: z.string().optional(),
    given_name: z.string().optional(),
    idempotency_key: z.string().optional(),
    nickname: z.string().optional(),
    note: z.string().optional(),
    phone_number: z.string().optional(),
    reference_id: z.string().optional(),
  }),
}

export const searchCustomers = {
  body: z.object({
    cursor: z.string().optional(),
    limit: z.int().optional(),
    query: z.record(z.string(), z.unknown()).optional(),
  }),
}

export const retrieveCustomer = {
  params: z.object({
    customer_id: z.string(),
  }),
}

export const updateCustomer = {
  params: z.object({
    customer_id: z.string(),
  }),
  body: z.object({
    address: z.record(z.string(), z.unknown()).optional(),
    birthday: z.string().optional(),
    company_name: z.string().optional(),
    email_address: z.string().optional(),
    family_name: z.string().optional(),
    given_name: z.string().optional(),
    nickname: z.string().optional(),
    note: z.string().optional(),
    phone_number: z.string().optional(),
    reference_id: z.string().optional(),
    version: z.int().optional(),
  }),
}

export const deleteCustomer = {
  params: z.object({
    customer_id: z.string(),
  }),
  query: z.object({
    version: z.int().optional(),
  }),
}

export const listPaymentRefunds = {
  query: z.object({
    begin_time: z.string().optional(),
    end_time: z.string().optional(),
    sort_order: z.string().optional(),
    cursor: z.string().optional(),
    location_id: z.string().optional(),
    status: z.string().optional(),
    source_type: z.string().optional(),
    limit: z.int().optional(),
  }),
}

export const refundPayment = {
  body: z.object({
    amount_money: z.object({ amount: z.int(), currency: z.string() }),
    app_fee_money: z.object({ amount: z.int(), currency: z.string() }).optional(),
    idempotency_key: z.string(),
    payment_id: z.string(),
    reason: z.string().optional(),
  }),
}

export const getPaymentRefund = {
  params: z.object({
    refund_id: z.string(),
  }),
}
