import { z } from 'zod'
import { idOf } from '../../src/kernel/command/id.ts'
import { once } from '../../src/kernel/command/tags.ts'
import { filled } from '../../src/lib/services/endpoints/request-fields.ts'

/** The fields of an add-on: required to create one, optional to update one. */
export const addonFields = {
  name: filled('the name').describe('Name that customers see'),
  code: filled('the code').describe('Unique code, hidden from the checkout page'),
  price: z.int('the price is a whole number').min(0, 'the price is not negative').describe('Whole number'),
  billingPeriod: z
    .enum(['m', 'y', 'w'])
    .describe('Billed monthly (m), yearly (y) or weekly (w)')
    .meta({ aliases: { monthly: 'm', month: 'm', yearly: 'y', year: 'y', weekly: 'w', week: 'w' } }),
  billingPeriodNum: z
    .int('the number of periods is a whole number')
    .min(1, 'the number of periods is at least 1')
    .describe('Number of periods between bills; 1 bills every period'),
  billingCycle: z
    .enum(['lifetime', 'onetime'])
    .describe('lifetime for recurring, onetime for once')
    .meta({ aliases: { recurring: 'lifetime', one_time: 'onetime', once: 'onetime' } }),
  status: z.boolean().describe('Active, yes or no'),
  associatePlans: z
    .enum(['selected_plans', 'all_plans'])
    .describe('Available with selected plans or with all of them')
    .meta({ aliases: { selected: 'selected_plans', all: 'all_plans' } }),
  plans: z
    .array(idOf('a plan id').refine((plan) => !plan.includes(','), 'a plan id has no comma in it'))
    .overwrite(once)
    .describe('Ids of the selected plans')
    .meta({ kind: 'plan' }),
  categories: z.array(filled('a category')).overwrite(once).describe('Categories on which it is shown'),
  description: z.string().describe('For the merchant only, hidden from customers'),
}

const { plans, categories, description, ...needed } = addonFields

export const newAddonFields = {
  ...needed,
  plans: plans.min(1, 'name at least one plan').optional(),
  categories: categories.optional(),
  description: description.optional(),
}
