import type { FieldWords } from '../../src/lib/services/endpoints/field-words.ts'

// What people read for the service's own words, on cards, in forms and in what was done.

export const refundTypeWords = {
  label: 'Kind',
  values: {
    refund: 'back to how it was paid',
    refund_credit: 'credit for later invoices',
    record_refund: 'a record only, no money moves',
  },
} as const satisfies FieldWords

export const paymentModeWords = {
  label: 'Paid',
  values: { offline: 'offline', credit_card: 'by credit card' },
} as const satisfies FieldWords

export const paymentTermWords = {
  label: 'Invoice due',
  values: {
    net0: 'at once',
    net15: 'in 15 days',
    net30: 'in 30 days',
    net45: 'in 45 days',
    net60: 'in 60 days',
    neteom: 'at the end of the month',
    neteonm: 'at the end of next month',
  },
} as const satisfies FieldWords

export const activationWords = {
  label: 'When',
  values: { immediately: 'now', eot: 'at the end of the term' },
} as const satisfies FieldWords
