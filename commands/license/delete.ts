import { z } from 'zod'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { ok } from '../../src/lib/result.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { diff, facts, note } from '../../src/lib/view/view.ts'
import { found, ifShown } from '../billing/reads.ts'
import { licenseGet } from './get.ts'
import { licenseId, nextAfter, productId } from './input.ts'
import { licenseIn } from './record.ts'

export const licenseDelete = defineServiceChange({
  name: 'license delete',
  area: 'billing',
  summary: 'Delete a license and all of its codes',
  input: z.object({ productId, licenseId }),
  positional: ['productId', 'licenseId'],
  examples: ['license delete prod_mail lic_514'],
  uses: ['billing.deleteLicense', 'billing.getLicense'],
  plan: z.object({
    productId: z.string(),
    licenseId: z.string(),
    name: z.string().nullable(),
    total: z.number().nullable(),
    // Only whether codes are in use, not how many: the number changes often, and a changed plan makes the
    // votes invalid.
    isInUse: z.boolean(),
  }),
  async prepare({ productId: product, licenseId: id }, { billing }) {
    const read = await found(
      ifShown(billing.getLicense({ params: { product_id: product, license_id: id } })),
      `license ${theirs(id)} of ${theirs(product)}`,
      nextAfter(product),
    )
    if (!read.ok) return read
    const license = licenseIn(read.value?.data)
    return ok({
      productId: product,
      licenseId: id,
      name: license.name || null,
      total: license.total_license ?? null,
      isInUse: (license.used_license ?? 0) > 0,
    })
  },
  preview: ({ productId: product, licenseId: id, name, total, isInUse }) => ({
    title: `Delete the license ${theirs(name ?? id)}`,
    tone: 'warn',
    blocks: [
      facts({ License: id, Product: product }),
      name === null && total === null
        ? note('warn', 'The service’s answer about this license could not be read.')
        : diff({ Name: [name, null], Codes: [total === null ? null : plural(total, 'code'), null] }),
      note('warn', isInUse ? 'Some of its codes are in use.' : 'Bellhop cannot restore a deleted license.'),
    ],
  }),
  row: 'billing.deleteLicense',
  request: (plan) => ({ params: { product_id: plan.productId, license_id: plan.licenseId } }),
  done: ({ licenseId: id, name }) => ({
    message: `The license ${name === null ? id : `${theirs(name)} (${theirs(id)})`} was deleted.`,
  }),
  lookUps: (plan) => [lineFor(licenseGet, { productId: plan.productId, licenseId: plan.licenseId })],
})
