import { printDuration } from '../../lib/codecs/duration.ts'
import { absolute, money } from '../../lib/view/format.ts'
import type { Judged } from '../model/change.ts'
import type { Budget } from './policy.ts'

/** What was spent within the window of a budget, currency by currency; null where nobody knows which. */
export type Spent = readonly { currency: string | null; sum: number }[]

type Measure = Pick<Budget, 'limit' | 'windowMs' | 'rates'>

/** One budget, with what is asked for beside what its window holds; all sums are in `currency`, where that is known. */
export type BudgetUse<B extends Measure = Budget> = {
  budget: B
  currency: string | null
  used: number
  /** With what is asked for; null where that is not known. */
  after: number | null
  isOver: boolean
}

/** As it was counted when a change was asked for; an older version stored the sum alone. What nobody counted is over. */
export const spentThen = (counted: Judged['spent'][number] | undefined): Spent =>
  counted?.sums ?? [{ currency: null, sum: counted?.sum ?? Number.NaN }]

type Asked = { amount: number | null; currency: string | null }

/**
 * A limit holds in each currency by itself, or for all together where the file gives rates. An amount in a currency that nobody
 * knows counts in each, at the highest rate. What cannot be counted is over, so that a fault never loosens a budget.
 */
export const useOf = <B extends Measure>(budget: B, spent: Spent, asked: Asked): BudgetUse<B> => {
  const currency = currencyOf(budget, spent, asked)
  const rateOf = ratesInto(budget, currency)
  const used = sumOf(
    ...spent.flatMap((one) => {
      const rate = rateOf(one.currency)
      return rate === undefined ? [] : [one.sum * rate]
    }),
  )
  const amount = knownAmount(asked.amount)
  const rate = rateOf(asked.currency)
  const after = amount === null || rate === undefined ? null : sumOf(used, amount * rate)
  return { budget, currency, used, after, isOver: after === null || !(after <= budget.limit) }
}

/** "180 of 200 USD used in the last 24 h" */
export const usedWords = ({
  budget: { limit, windowMs, rates },
  currency,
  used,
}: BudgetUse<Measure>): string => {
  const of = currency === null ? `${money(limit)} (currency unknown)` : money(limit, { code: currency })
  const at = rates === undefined ? '' : `, by the rates of ${dayWords(rates.day)} in bellhop.yml`
  return `${money(used)} of ${of} used in the last ${printDuration(windowMs)}${at}`
}

/** What it would come to with what is asked for, or why nobody knows. */
export const afterWords = (use: BudgetUse<Measure>, { amount, currency }: Asked): string => {
  if (use.after !== null) return `this would make ${money(use.after, { code: use.currency })}`
  return knownAmount(amount) === null || currency === null
    ? 'the amount of this one is not known'
    : `this one is in ${currency}, for which bellhop.yml has no rate`
}

/** A negative or broken number is no amount: it must not slip under a limit. */
export const knownAmount = (amount: number | null): number | null =>
  amount !== null && Number.isFinite(amount) && amount >= 0 ? amount : null

/** In what the sums are told: that of the budget, or that of what is asked for; else the one of which most was spent. */
const currencyOf = (budget: Measure, spent: Spent, { currency }: Asked): string | null =>
  budget.rates?.to ??
  currency ??
  spent.filter((one) => one.currency !== null).toSorted((one, other) => other.sum - one.sum)[0]?.currency ??
  null

const ratesInto =
  ({ rates }: Measure, told: string | null) =>
  (currency: string | null): number | undefined => {
    if (rates === undefined) return currency === null || currency === told ? 1 : undefined
    if (currency === null) return Math.max(1, ...Object.values(rates.of))
    return currency === rates.to ? 1 : rates.of[currency]
  }

/** 0.1 + 0.2 is 0.3 in money. */
const sumOf = (...sums: number[]): number => Math.round(sums.reduce((sum, one) => sum + one, 0) * 1e6) / 1e6

const dayWords = (day: string): string => absolute(Date.parse(day)).replace(/,.*/, '')
