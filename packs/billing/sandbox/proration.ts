import { day } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import type { PlanOrder } from './state.ts'
import type { Term } from './terms.ts'

export interface Proration {
  usedDays: number
  remainingDays: number
  currentTotal: number
  usedAmount: number
  newCredits: number
  totalCredit: number
  newTotal: number
  creditApplied: number
  creditLeft: number
  charge: number
}

interface Figures {
  current: { price: number; quantity: number }
  term: Term
  now: number
  /** Credit that the customer had before. */
  credit: number
  order: PlanOrder
  discount: { discount: number; discount_type: string } | undefined
}

/** What is left of the running term is credited against the new total; what the credit does not cover is charged. */
export function prorate({ current, term, now, credit, order, discount }: Figures): Proration {
  const termDays = Math.max(1, Math.round((term.end - term.start) / day))
  const usedDays = Math.min(termDays, Math.max(0, Math.floor((now - term.start) / day)))
  const currentTotal = cents(current.price * current.quantity)
  const usedAmount = cents((currentTotal * usedDays) / termDays)
  const newCredits = cents(currentTotal - usedAmount)
  const totalCredit = cents(newCredits + credit)
  const newTotal = cents(recurringTotal(order, discount) + order.setup_fee)
  const creditApplied = Math.min(totalCredit, newTotal)
  return {
    usedDays,
    remainingDays: termDays - usedDays,
    currentTotal,
    usedAmount,
    newCredits,
    totalCredit,
    newTotal,
    creditApplied,
    creditLeft: cents(totalCredit - creditApplied),
    charge: cents(newTotal - creditApplied),
  }
}

export function recurringTotal(order: PlanOrder, discount: Figures['discount']): number {
  const addons = order.addons.reduce((sum, addon) => sum + addon.adjusted_amount, 0)
  const full = order.price * order.quantity + addons
  if (!discount) return cents(full)
  const off = discount.discount_type === 'percent' ? (full * discount.discount) / 100 : discount.discount
  return cents(Math.max(0, full - off))
}

export const cents = (amount: number) => Math.round(amount * 100) / 100
