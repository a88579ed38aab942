import { z } from 'zod'
import { evidencePlan } from './evidence.ts'

export const kinds = ['refund', 'refund_credit', 'record_refund'] as const

export const refundPlan = z.object({
  paymentId: z.string(),
  amount: z.int().positive().optional(),
  refundType: z.enum(kinds).optional(),
  description: z.string().optional(),
  /** The currency that was typed: it is never sent. */
  typed: z.string().optional(),
  evidence: evidencePlan.optional(),
  /** Why nobody has looked at the payment. */
  unseen: z.string().optional(),
})
export type RefundPlan = z.infer<typeof refundPlan>
