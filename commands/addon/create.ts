import { z } from 'zod'
import { membersIn } from '../../packs/billing/loose.ts'
import { newAddon } from '../../packs/billing/requests.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { toFlagText } from '../../src/lib/services/endpoints/guesses.ts'
import { ifReadable } from '../../src/lib/services/read-answer.ts'
import { names } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { diff, facts } from '../../src/lib/view/view.ts'
import { newAddonFields } from './fields.ts'
import { addonFind } from './find.ts'
import { addonBlocks, addonIn, cycleWords, periodWords, priceWords, reachWords, toAddon } from './record.ts'

const input = z
  .object({
    productId: idOf('the product id').describe('Product to add it to').meta({ kind: 'product' }),
    ...newAddonFields,
  })
  .refine(({ associatePlans, plans }) => associatePlans === 'all_plans' || plans !== undefined, {
    path: ['plans'],
    message: 'name the selected plans, or choose all_plans',
  })
  .refine(({ associatePlans, plans }) => associatePlans === 'selected_plans' || plans === undefined, {
    path: ['plans'],
    message: 'leave the plans out, or choose selected_plans',
  })

export const addonCreate = defineServiceChange({
  name: 'addon create',
  area: 'billing',
  title: 'Create add-on',
  summary: 'Create an add-on for a product, for all of its plans or for some',
  input,
  positional: ['productId'],
  examples: [
    'addon create prod_desk --name "Phone support" --code phone --price 30 --billing-period m --billing-period-num 1 --billing-cycle lifetime --status yes --associate-plans all_plans',
    'addon create prod_desk --name "Data import" --code import --price 150 --billing-period y --billing-period-num 1 --billing-cycle onetime --status yes --associate-plans selected_plans --plans plan_desk_team_m,plan_desk_business_m --categories extras',
  ],
  uses: ['billing.createAddon', 'billing.findAddons'],
  plan: z.object({ productId: z.string(), body: newAddon }),
  async prepare(wanted, { billing }) {
    const { productId, code } = wanted
    const listed = await ifReadable(billing.findAddons({ params: { product_id: productId } }))
    const twin = membersIn(listed?.data)
      .map(toAddon)
      .find((one) => one.code === code)
    if (twin !== undefined) {
      return no(
        refusal(
          'not_allowed_now',
          `The code ${theirs(code)} is already used by the add-on ${theirs(twin.name || twin.id || '')}.`,
          {
            next: 'Choose another code, or change that one with addon update.',
          },
        ),
      )
    }
    return ok({ productId, body: bodyOf(wanted) })
  },
  preview: ({ productId, body }) => ({
    title: `Create the add-on ${theirs(body.name)}`,
    tone: 'warn',
    blocks: [
      facts({ Product: productId }),
      diff({
        Name: [null, body.name],
        Code: [null, body.code],
        Price: [null, priceWords(body.price) ?? null],
        Cycle: [null, cycleWords(body.billing_cycle) ?? null],
        Period: [null, periodWords(body.billing_period, body.billing_period_num) ?? null],
        'Active (status)': [null, body.status === 'true' ? 'yes' : 'no'],
        'Goes with': [
          null,
          body.plans_array ? names(body.plans_array) : (reachWords(body.associate_plans) ?? null),
        ],
        Categories: [null, body.category_array ? names(body.category_array) : null],
        Description: [null, body.description ?? null],
      }),
    ],
  }),
  row: 'billing.createAddon',
  request: ({ productId, body }) => ({ params: { product_id: productId }, body }),
  done: ({ body }, { data }) => ({
    message: `The add-on ${theirs(body.name)} (${theirs(body.code)}) was created.`,
    view: data && { title: body.name, tone: 'good', blocks: addonBlocks(addonIn(data)) },
  }),
  lookUps: ({ productId }) => [lineFor(addonFind, { productId })],
})

const bodyOf = (wanted: z.infer<typeof input>): z.infer<typeof newAddon> => ({
  name: wanted.name,
  code: wanted.code,
  price: wanted.price,
  billing_period: wanted.billingPeriod,
  billing_period_num: wanted.billingPeriodNum,
  billing_cycle: wanted.billingCycle,
  status: toFlagText(wanted.status),
  associate_plans: wanted.associatePlans,
  plans_array: wanted.plans,
  category_array: wanted.categories,
  description: wanted.description,
})
