/** Why a change was asked for, and for whom, as far as its plan says so. */
export const purposeOf = (
  plan: unknown,
): { reason: string | null; customer: string | null; target: string | null } => {
  const fields = recordOf(plan)
  const body = recordOf(fields.body)
  return {
    reason: textOf(fields.reason) ?? textOf(fields.description) ?? textOf(body.description),
    customer:
      textOf(fields.customer) ??
      textOf(fields.customerId) ??
      textOf(recordOf(fields.evidence).customer) ??
      textOf(body.customer_id),
    target: textOf(fields.paymentId),
  }
}

/** Whose money or record it is about, as far as its plan says so. */
export const payerOf = (plan: unknown): string | null => purposeOf(plan).customer

/** What stands there, if it is text. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

export const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
