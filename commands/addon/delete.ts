import { z } from 'zod'
import { idOf } from '../../src/command/id.ts'
import { lineFor } from '../../src/command/line/print.ts'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { ok } from '../../src/model/result.ts'
import { diff, facts, note } from '../../src/view/view.ts'
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
    name: z.string().nullable(),
    productId: z.string().nullable(),
    price: z.string().nullable(),
    reach: z.string().nullable(),
  }),
  async prepare({ addonId }, { billing }) {
    const read = await found(
      ifShown(billing.getAddon({ params: { addon_id: addonId } })),
      `add-on ${addonId}`,
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
    })
  },
  preview: ({ addonId, name, productId, price, reach }) => ({
    title: `Delete the add-on ${name ?? addonId}`,
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
  done: ({ addonId, name }) => ({ message: `The add-on ${name ?? addonId} was deleted.` }),
  lookUps: ({ addonId }) => [lineFor(addonGet, { addonId })],
})
