import { z } from 'zod'
import { newMultiplan } from '../../packs/billing/requests.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { ifReadable } from '../../src/lib/services/read-answer.ts'
import { asTyped, theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, facts } from '../../src/lib/view/view.ts'
import { pageFields } from './fields.ts'
import { type Page, pageBlocks, pageIn, pagesIn, planWords } from './record.ts'

export const multiplanCreate = defineServiceChange({
  name: 'multiplan create',
  area: 'billing',
  title: 'Create checkout page',
  summary: 'Create a checkout page that offers several plans of a product',
  input: z
    .object({
      productId: idOf('the product id').describe('Product the plans belong to').meta({ kind: 'product' }),
      ...pageFields,
    })
    .refine(
      ({ plans, preferredPlanId }) => preferredPlanId === undefined || plans.includes(preferredPlanId),
      { path: ['preferredPlanId'], message: 'the preferred plan must be one of the plans' },
    ),
  positional: ['productId'],
  examples: [
    'multiplan create prod_desk --page-title "Spring offer" --plans plan_desk_starter_m,plan_desk_team_m',
    'multiplan create prod_mail --page-title "Mail for all" --plans plan_mail_basic_m,plan_mail_pro_m --multiplan-list select --preferred-plan-id plan_mail_pro_m',
  ],
  uses: ['billing.createMultiplan', 'billing.findMultiplans'],
  plan: z.object({ body: newMultiplan, planNames: z.array(wording(z.string())) }),
  async prepare({ productId, pageTitle, plans, multiplanList, preferredPlanId }, { billing }) {
    const pages = pagesIn((await ifReadable(billing.findMultiplans()))?.data)
    const twin = pages.find((page) => page.productId === productId && page.title === pageTitle)
    if (twin !== undefined) {
      return no(
        refusal('not_allowed_now', `The product already has a page titled ${asTyped(pageTitle)}.`, {
          next: `Choose another title${twin.id === undefined ? '' : `, or look at ${twin.id} with multiplan get`}.`,
        }),
      )
    }
    const known = plans.map((id) => planAmong(pages, id))
    const foreign = known.find((plan) => plan.productId !== undefined && plan.productId !== productId)
    if (foreign !== undefined) {
      return no(
        refusal('not_allowed_now', `${planWords(foreign)} is a plan of another product.`, {
          next: `Use only plans of ${theirs(productId)}.`,
        }),
      )
    }
    return ok({
      body: {
        product_id: productId,
        page_title: pageTitle,
        plans,
        multiplan_list: multiplanList,
        preferred_plan_id: preferredPlanId,
      },
      planNames: known.map(planWords),
    })
  },
  preview: ({ body, planNames }) => ({
    title: `Create the page ${asTyped(body.page_title)}`,
    tone: 'warn',
    blocks: [
      facts({ Product: body.product_id }),
      diff({
        Title: [null, body.page_title],
        Plans: [null, planNames.join(', ')],
        Choice: [null, body.multiplan_list ?? 'radio, the default'],
        Preferred: [null, body.preferred_plan_id ?? null],
      }),
    ],
  }),
  row: 'billing.createMultiplan',
  request: ({ body }) => ({ body }),
  done({ body }, { data }) {
    const message = `The page ${asTyped(body.page_title)} was created.`
    if (data === undefined) return { message }
    const page = pageIn(data)
    return {
      message: page.address === undefined ? message : `${message} It is at ${page.address}`,
      view: { title: body.page_title, tone: 'good', blocks: pageBlocks(page) },
    }
  },
  lookUps: () => ['multiplan find'],
})

/** No endpoint lists plans, but existing checkout pages contain some of them. */
const planAmong = (pages: readonly Page[], id: string) =>
  pages.flatMap((page) => page.plans).find((plan) => plan.id === id && plan.name !== undefined) ?? {
    id,
    name: undefined,
    productId: undefined,
    price: undefined,
  }
