import { z } from 'zod'
import { wording } from '../../src/kernel/command/facts.ts'
import { evidencePlan, lookedAt, unseenPlan } from './evidence.ts'

export const kinds = ['refund', 'refund_credit', 'record_refund'] as const

export const refundPlan = z.object({
  paymentId: z.string(),
  amount: z.int().positive().optional(),
  refundType: z.enum(kinds).optional(),
  description: z.string().optional(),
  /** The currency that was typed: it is never sent. */
  typed: z.string().optional(),
  evidence: evidencePlan.optional(),
  /** What is known instead of the payment; plans that were stored earlier hold text. */
  unseen: z.union([unseenPlan, wording(z.string())]).optional(),
})
export type RefundPlan = z.infer<typeof refundPlan>

/** Whose payment it is, or the customers of whom it could be, as far as anybody has looked. */
export const customersIn = ({ evidence, unseen }: Pick<RefundPlan, 'evidence' | 'unseen'>): string[] =>
  evidence === undefined ? lookedAt(unseen) : [evidence.customer]
