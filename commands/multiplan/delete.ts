import { z } from 'zod'
import { wording } from '../../src/kernel/command/facts.ts'
import { idOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { ok } from '../../src/lib/result.ts'
import { asTyped, theirs } from '../../src/lib/view/outside.ts'
import { diff, facts, note } from '../../src/lib/view/view.ts'
import { found, ifShown } from '../billing/reads.ts'
import { multiplanGet } from './get.ts'
import { pageIn, planWords } from './record.ts'

export const multiplanDelete = defineServiceChange({
  name: 'multiplan delete',
  area: 'billing',
  title: 'Delete checkout page',
  summary: 'Delete a multiplan checkout page',
  input: z.object({
    id: idOf('the multiplan id').describe('Multiplan to delete').meta({ kind: 'multiplan' }),
  }),
  positional: ['id'],
  examples: ['multiplan delete mp_desk_yearly'],
  uses: ['billing.deleteMultiplan', 'billing.getMultiplan'],
  plan: z.object({
    id: z.string(),
    title: z.string().nullable(),
    productId: z.string().nullable(),
    address: z.string().nullable(),
    plans: z.array(wording(z.string())),
    planIds: z.array(z.string().nullable()).nullish(),
  }),
  async prepare({ id }, { billing }) {
    const read = await found(
      ifShown(billing.getMultiplan({ params: { multiplan_id: id } })),
      `multiplan ${theirs(id)}`,
      'multiplan find lists them all.',
    )
    if (!read.ok) return read
    const { title, productId, address, plans } = pageIn(read.value?.data)
    return ok({
      id,
      title: title ?? null,
      productId: productId ?? null,
      address: address ?? null,
      plans: plans.map(planWords),
      planIds: plans.map(({ id: one }) => one ?? null),
    })
  },
  preview: ({ id, title, productId, address, plans }) => ({
    title: `Delete the page ${theirs(title ?? id)}`,
    tone: 'warn',
    blocks: [
      facts({ Multiplan: id, Product: productId }),
      title === null && address === null
        ? note('warn', 'The service’s answer about this page could not be read.')
        : diff({
            Title: [title, null],
            Checkout: [address, null],
            Plans: [plans.join(', ') || null, null],
          }),
      note('warn', 'Bellhop cannot restore a deleted page.'),
    ],
  }),
  row: 'billing.deleteMultiplan',
  request: ({ id }) => ({ params: { multiplan_id: id } }),
  done: ({ id, title }) => ({
    message: `The page ${title === null ? theirs(id) : `${asTyped(title)} (${theirs(id)})`} was deleted.`,
  }),
  lookUps: ({ id }) => [lineFor(multiplanGet, { id })],
})
