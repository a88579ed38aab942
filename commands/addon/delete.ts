import { z } from 'zod'
import { valuesBefore } from '../../src/kernel/command/differences.ts'
import { wording } from '../../src/kernel/command/facts.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { ok } from '../../src/lib/result.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { diff, facts, note } from '../../src/lib/view/view.ts'
import { found, ifShown } from '../billing/reads.ts'
import { addonGet } from './get.ts'
import { addonIn, addonWords, priceWords, reachWords } from './record.ts'

export const addonDelete = defineServiceChange({
  name: 'addon delete',
  area: 'billing',
  title: 'Delete add-on',
  summary: 'Delete an add-on',
  input: z.object({ addonId: idOf('the add-on id').describe('Add-on to delete').meta({ kind: 'add-on' }) }),
  positional: ['addonId'],
  examples: ['addon delete addon_archive'],
  uses: ['billing.deleteAddon', 'billing.getAddon'],
  plan: z.object({
    addonId: z.string(),
    name: wording(z.string()).nullable(),
    productId: z.string().nullable(),
    price: wording(z.string()).nullable(),
    reach: wording(z.string()).nullable(),
    was: valuesBefore,
  }),
  async prepare({ addonId }, { billing }) {
    const read = await found(
      ifShown(billing.getAddon({ params: { addon_id: addonId } })),
      `add-on ${theirs(addonId)}`,
      'addon find with a product id lists them.',
    )
    if (!read.ok) return read
    const record = addonIn(read.value?.data)
    return ok({
      addonId,
      name: addonWords(record) ?? null,
      productId: record.product_id ?? null,
      price: priceWords(record.price) ?? null,
      reach: record.plans_array?.length
        ? record.plans_array.join(', ')
        : (reachWords(record.associate_plans) ?? null),
      was: {
        name: record.name ?? null,
        code: record.code ?? null,
        price: record.price ?? null,
        associate_plans: record.associate_plans ?? null,
        plans_array: record.plans_array ?? null,
      },
    })
  },
  preview: ({ addonId, name, productId, price, reach }) => ({
    title: `Delete the add-on ${name ?? theirs(addonId)}`,
    tone: 'warn',
    blocks: [
      facts({ 'Add-on': addonId, Product: productId }),
      name === null
        ? note('warn', 'The service’s answer about this add-on could not be read.')
        : diff({ Name: [name, null], Price: [price, null], 'Goes with': [reach, null] }),
      note('warn', 'Bellhop cannot restore a deleted add-on.'),
    ],
  }),
  row: 'billing.deleteAddon',
  request: ({ addonId }) => ({ params: { addon_id: addonId } }),
  done: ({ addonId, name }) => ({ message: `The add-on ${name ?? theirs(addonId)} was deleted.` }),
  lookUps: ({ addonId }) => [lineFor(addonGet, { addonId })],
})
