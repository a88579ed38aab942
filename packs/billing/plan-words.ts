import { isRecord } from '../../src/lib/services/read-answer.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { shortDay } from '../../src/lib/view/zones.ts'
import type { KeptPlan, KeptPlans } from './last-plan.ts'
import { type Loose, textIn } from './loose.ts'
import type { Payment } from './payments.ts'

type Clock = { now: number; zone: string }

/**
 * "Desk Starter, renews 1 Dec", for each subscription of which something is known: by what was changed here, or else by the
 * newest payment, if its record says so. Of what nobody showed nothing is said.
 */
export const plansWords = (
  payments: readonly Payment[] = [],
  kept: ReadonlyMap<string, KeptPlans>,
  { now, zone }: Clock,
): string[] => {
  const newest = payments.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))
  const dayOf = (at: number) => shortDay(at, zone, now)
  const paid = new Map<string, string>()
  for (const { record } of newest) {
    const key = textIn(record, 'subscription_id') ?? textIn(partOf(record, 'subscription'), 'id') ?? ''
    const words = paid.has(key) || kept.has(key) ? undefined : paidPlan(record, now, dayOf)
    if (words !== undefined) paid.set(key, words)
  }
  return [
    ...[...kept.values()].flatMap(({ now: current, next }) => keptWords(current, next, dayOf)),
    ...paid.values(),
  ]
}

const keptWords = (
  current: KeptPlan | undefined,
  next: KeptPlan | undefined,
  dayOf: (at: number) => string,
): string[] => {
  const moves =
    next &&
    `moves to ${nameOf(next)} ${next.at === undefined ? 'at the end of its term' : `on ${dayOf(next.at)}`}`
  if (current === undefined) return moves === undefined ? [] : [moves]
  const since = current.at === undefined ? undefined : `since ${dayOf(current.at)}`
  const renews = current.renews === undefined ? since : `renews ${dayOf(current.renews)}`
  const more = moves ?? renews
  return [`${nameOf(current)}${more === undefined ? '' : `, ${more}`}`]
}

const nameOf = ({ name, id }: KeptPlan): string => theirs(name ?? id)

/** No document shows the record of a payment: where it holds the plan as other answers do, that is what was paid for. */
const paidPlan = (record: Loose, now: number, dayOf: (at: number) => string): string | undefined => {
  const subscription = partOf(record, 'subscription')
  const own = [partOf(subscription, 'plan'), partOf(record, 'plan')]
  const name =
    own.map((plan) => textIn(plan, 'plan_name', 'name')).find((one) => one !== undefined) ??
    textIn(record, 'plan_name')
  if (name === undefined) return undefined
  const ends = Date.parse(
    textIn(subscription, 'next_billing_date') ?? textIn(record, 'next_billing_date') ?? '',
  )
  return `${theirs(name)}${ends > now ? `, renews ${dayOf(ends)}` : ''}`
}

const partOf = (record: Loose, key: string): Loose => {
  const part = record[key]
  return isRecord(part) ? part : {}
}
