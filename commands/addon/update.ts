import { z } from 'zod'
import { addonUpdate as request } from '../../packs/billing/requests.ts'
import { differences, valuesBefore } from '../../src/kernel/command/differences.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { no, ok } from '../../src/lib/result.ts'
import { ifReadable } from '../../src/lib/services/read-answer.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { facts, note } from '../../src/lib/view/view.ts'
import { changesOf } from './changes.ts'
import { addonFields } from './fields.ts'
import { addonGet } from './get.ts'
import { addonBlocks, addonIn, addonWords, isReadable } from './record.ts'

export const addonUpdate = defineServiceChange({
  name: 'addon update',
  area: 'billing',
  title: 'Change add-on',
  summary: 'Change the name, price, period, plans or status of an add-on',
  input: z.object({
    addonId: idOf('the add-on id').describe('Add-on to change').meta({ kind: 'add-on' }),
    ...z.object(addonFields).partial().shape,
    productId: idOf('the product id').optional().describe('Product to move it to').meta({ kind: 'product' }),
  }),
  positional: ['addonId'],
  examples: [
    'addon update addon_seats --price 30',
    'addon update addon_priority --status no --description "Sold out"',
    'addon update addon_training --associate-plans selected_plans --plans plan_desk_team_m,plan_desk_business_m',
  ],
  uses: ['billing.updateAddon', 'billing.getAddon'],
  plan: z.object({
    addonId: z.string(),
    name: wording(z.string()).nullable(),
    /** Whether the current add-on could be read. */
    isRead: z.boolean(),
    body: request,
    changes: differences,
    was: valuesBefore,
  }),
  async prepare({ addonId, ...wanted }, { billing, guesses }) {
    // The update is documented and this read is not: it may be missing where the add-on is not.
    const read = await ifReadable(billing.getAddon({ params: { addon_id: addonId } }))
    const record = addonIn(read?.data)
    const isRead = isReadable(record)
    const { body, changes, was } = changesOf(wanted, isRead ? record : undefined, guesses)
    if (changes.length === 0) {
      const isAsked = Object.values(wanted).some((value) => value !== undefined)
      return no(
        refusal(
          'nothing_to_change',
          isAsked
            ? `The add-on ${addonWords(record) ?? addonId} already has these values.`
            : 'No new value was given.',
        ),
      )
    }
    const isForAll = /^all(_plans)?$/.test(wanted.associatePlans ?? record.associate_plans ?? '')
    if (isForAll && wanted.plans?.length) {
      return no(
        refusal('not_allowed_now', 'The add-on goes with all plans, so none are selected.', {
          next: (as) => `Add ${as.flag('associatePlans')} selected_plans, or leave ${as.flag('plans')} out.`,
          field: 'plans',
        }),
      )
    }
    if (body.associate_plans === 'selected_plans' && !wanted.plans && isRead && !record.plans_array?.length) {
      return no(
        refusal('not_allowed_now', 'The add-on has no selected plans yet.', {
          next: (as) => `Name them with ${as.flag('plans')}.`,
          field: 'plans',
        }),
      )
    }
    return ok({ addonId, name: addonWords(record) ?? null, isRead, body, changes, was })
  },
  preview: ({ addonId, name, isRead, changes }) => ({
    title: `Change the add-on ${name ?? theirs(addonId)}`,
    tone: 'warn',
    blocks: [
      facts({ 'Add-on': addonId }),
      { kind: 'diff', changes },
      ...(isRead
        ? []
        : [
            note(
              'warn',
              'The service did not show an add-on with this id, or its answer could not be read: check the id for mistakes.',
            ),
          ]),
    ],
  }),
  row: 'billing.updateAddon',
  request: ({ addonId, body }) => ({ params: { addon_id: addonId }, body }),
  done: ({ addonId, name }, { data }) => ({
    message: `The add-on ${name ?? theirs(addonId)} was changed.`,
    view: data && { title: `Add-on ${theirs(addonId)}`, tone: 'good', blocks: addonBlocks(addonIn(data)) },
  }),
  lookUps: ({ addonId }) => [lineFor(addonGet, { addonId })],
})
