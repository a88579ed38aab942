import { z } from 'zod'
import { idOf } from '../../src/kernel/command/id.ts'
import { filled } from '../../src/lib/services/endpoints/request-fields.ts'

/** What a checkout page is made of, for creating one and, all optional, for updating one. */
export const pageFields = {
  pageTitle: filled('the page title').describe('Title of the page, unique within the product'),
  plans: z
    .array(idOf('a plan id'), 'the plans are a list of ids')
    .min(1, 'name at least one plan')
    .refine((plans) => new Set(plans).size === plans.length, 'each plan can be named only once')
    .describe('Ids of the plans to offer, in this order')
    .meta({ kind: 'plan' }),
  multiplanList: z
    .enum(['radio', 'select'])
    .describe('How the plans are offered; radio if left out')
    .optional(),
  preferredPlanId: idOf('the preferred plan')
    .describe('Plan that is chosen at first: one of the plans')
    .meta({ kind: 'plan' })
    .optional(),
}
