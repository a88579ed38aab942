import type { z } from 'zod'
import type { addonUpdate } from '../../packs/billing/requests.ts'
import { type Guesses, toNames } from '../../src/lib/services/endpoints/guesses.ts'
import { names, yesNo } from '../../src/lib/view/format.ts'
import type { addonFields } from './fields.ts'
import { type Addon, cycleWords, periodWords, priceWords, reachWords } from './record.ts'

type Wanted = { [K in keyof typeof addonFields]?: z.infer<(typeof addonFields)[K]> | undefined } & {
  productId?: string | undefined
}
type Body = z.infer<typeof addonUpdate>
type Line = { label: string; before: string; after: string }

/**
 * The fields to send and to show: those that differ from the add-on as it is now, or all of them if it could
 * not be read.
 */
export const changesOf = (
  wanted: Wanted,
  current: Addon | undefined,
  guesses: Guesses,
): { body: Body; changes: Line[]; was: { [K in keyof Body]?: Addon[K] | null } } => {
  const body = bodyOf(wanted, guesses)
  const next: Addon = { ...body, plans_array: wanted.plans }
  const changed = lines.flatMap(({ key, label, of }) => {
    if (body[key] === undefined) return []
    const before = current?.[key] === undefined ? 'not shown' : of(current) || 'nothing'
    const after = of(next) || 'nothing'
    return before === after ? [] : [{ key, line: { label, before, after } }]
  })
  return {
    body: Object.fromEntries(changed.map(({ key }) => [key, body[key]])),
    changes: changed.map(({ line }) => line),
    was: Object.fromEntries(changed.map(({ key }) => [key, current?.[key] ?? null])),
  }
}

const lines: readonly {
  key: keyof Body
  label: string
  of: (addon: Addon) => string | null | undefined
}[] = [
  { key: 'name', label: 'Name', of: ({ name }) => name },
  { key: 'code', label: 'Code', of: ({ code }) => code },
  { key: 'price', label: 'Price', of: ({ price }) => priceWords(price) },
  { key: 'billing_cycle', label: 'Cycle', of: ({ billing_cycle }) => cycleWords(billing_cycle) },
  { key: 'billing_period', label: 'Period', of: ({ billing_period }) => periodWords(billing_period, 1) },
  {
    key: 'billing_period_num',
    label: 'Number of periods',
    of: ({ billing_period_num }) => (billing_period_num ? String(billing_period_num) : undefined),
  },
  { key: 'status', label: 'Active', of: ({ status }) => yesNo(status) },
  { key: 'associate_plans', label: 'Goes with', of: ({ associate_plans }) => reachWords(associate_plans) },
  { key: 'plans_array', label: 'Plans', of: ({ plans_array }) => names(plans_array, '') },
  { key: 'category_array', label: 'Categories', of: ({ category_array }) => names(category_array, '') },
  { key: 'product_id', label: 'Product', of: ({ product_id }) => product_id },
  { key: 'description', label: 'Description', of: ({ description }) => description },
]

const bodyOf = (wanted: Wanted, guesses: Guesses): Body => ({
  name: wanted.name,
  code: wanted.code,
  price: wanted.price,
  billing_period: wanted.billingPeriod,
  billing_period_num: wanted.billingPeriodNum,
  billing_cycle: wanted.billingCycle,
  status: wanted.status,
  associate_plans: wanted.associatePlans,
  plans_array: wanted.plans === undefined ? undefined : plansOf(wanted.plans, guesses),
  category_array: wanted.categories,
  description: wanted.description,
  product_id: wanted.productId,
})

/** The service answers null when there are no plans. */
const plansOf = (plans: readonly string[], { plans_array }: Guesses) =>
  plans.length === 0 ? null : toNames(plans, plans_array)
