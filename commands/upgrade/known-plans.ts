import { z } from 'zod'
import { numberIn, textIn } from '../../packs/billing/loose.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { ifReadable, isRecord, recordsIn } from '../../src/lib/services/read-answer.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { money } from '../../src/lib/view/format.ts'
import { theirs, theirWord } from '../../src/lib/view/outside.ts'

/** A plan as some checkout page has it. No endpoint lists plans, so a plan that no page has cannot be known. */
export const knownPlan = z.object({
  name: z.string().nullable(),
  price: wording(z.string()).nullable(),
  period: wording(z.string()).nullable(),
  trial: wording(z.string()).nullable(),
  setupFee: wording(z.string()).nullable(),
  /** The same as the service has it, to compare with; plans that were stored earlier do not have it. */
  listPrice: z.number().nullish(),
  listFee: z.number().nullish(),
  terms: z
    .object({
      currency: z.string().nullable(),
      period: z.string().nullable(),
      count: z.number().nullable(),
      trial: z.number().nullable(),
      trialUnit: z.string().nullable(),
    })
    .nullish(),
})
export type KnownPlan = z.infer<typeof knownPlan>

/** The plan on the checkout pages: `seen` is false where the pages were read and none has it. */
export const lookUpPlan = async (
  planId: string,
  { billing }: Pick<ReadContext, 'billing'>,
): Promise<{ plan?: KnownPlan; seen: 'yes' | 'no' | 'unread' }> => {
  const read = await ifReadable(billing.findMultiplans())
  if (read === undefined) return { seen: 'unread' }
  const plans = recordsIn(read.data, 'multiplans').flatMap(({ plans: sold }) =>
    Array.isArray(sold) ? sold.filter(isRecord) : [],
  )
  const found = plans.find((one) => textIn(one, 'id', '_id', 'plan_id') === planId)
  if (found === undefined) return { seen: plans.length === 0 ? 'unread' : 'no' }
  const currency = { code: textIn(found, 'currency_code'), symbol: textIn(found, 'currency_symbol') }
  const amount = (key: string) => {
    const value = numberIn(found, key)
    return value === undefined || (key !== 'price' && value === 0) ? null : money(value, currency)
  }
  return {
    seen: 'yes',
    plan: {
      name: textIn(found, 'plan_name', 'name') ?? null,
      price: amount('price'),
      period: periodOf(textIn(found, 'billing_period'), numberIn(found, 'billing_period_num')),
      trial: trialOf(numberIn(found, 'trial_period'), textIn(found, 'trial_type')),
      setupFee: amount('setup_fee'),
      listPrice: numberIn(found, 'price') ?? null,
      listFee: numberIn(found, 'setup_fee') ?? null,
      terms: {
        currency: currency.code ?? currency.symbol ?? null,
        period: textIn(found, 'billing_period') ?? null,
        count: numberIn(found, 'billing_period_num') ?? null,
        trial: numberIn(found, 'trial_period') ?? null,
        trialUnit: textIn(found, 'trial_type') ?? null,
      },
    },
  }
}

const periods: Record<string, string> = { d: 'day', w: 'week', m: 'month', y: 'year' }

const periodOf = (period: string | undefined, count = 1): string | null => {
  if (period === undefined) return null
  const word = periods[period] ?? theirWord(period)
  return count === 1 ? `each ${word}` : `each ${plural(count, word)}`
}

const trialOf = (length: number | undefined, unit = 'day'): string | null =>
  length ? plural(length, theirWord(unit)) : null

/** "Business: 99 USD each month, 14 days of trial" */
export const planWords = ({ name, price, period, trial }: KnownPlan): string =>
  [
    `${name ? theirs(name) : ''}${price === null ? '' : `: ${price}`}${period === null ? '' : ` ${period}`}`,
    trial === null ? 'no trial' : `${trial} of trial`,
  ].join(', ')
