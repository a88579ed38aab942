import { z } from 'zod'
import { defineServiceChange } from '../../src/command/service-change.ts'
import { ok } from '../../src/model/result.ts'
import { diff, facts, note } from '../../src/view/view.ts'
import { codeOf } from '../billing/id.ts'
import { lineFor } from '../billing/line.ts'
import { recordsIn } from '../billing/loose.ts'
import { found, ifShown } from '../billing/reads.ts'
import { licenseCodes } from './codes.ts'
import { licenseId, nextAfter, productId } from './input.ts'
import { codeIn, usedIn } from './record.ts'

export const licenseDeleteCode = defineServiceChange({
  name: 'license delete-code',
  area: 'billing',
  summary: 'Delete one code of a license',
  input: z.object({ productId, licenseId, code: codeOf('the code').describe('Code to delete') }),
  positional: ['productId', 'licenseId', 'code'],
  examples: ['license delete-code prod_desk lic_502 HG-502-2'],
  uses: ['billing.deleteLicenseCode', 'billing.licenseCodes'],
  plan: z.object({
    productId: z.string(),
    licenseId: z.string(),
    code: z.string(),
    isListed: z.boolean(),
    used: z.string().nullable(),
  }),
  async prepare({ productId: product, licenseId: id, code }, { billing }) {
    const read = await found(
      ifShown(billing.licenseCodes({ params: { product_id: product, license_id: id } })),
      `license ${id} of ${product}`,
      nextAfter(product),
    )
    if (!read.ok) return read
    const listed = recordsIn(read.value?.data).find((one) => codeIn(one) === code)
    return ok({
      productId: product,
      licenseId: id,
      code,
      isListed: listed !== undefined,
      used: (listed && usedIn(listed)) ?? null,
    })
  },
  preview: ({ productId: product, licenseId: id, code, isListed, used }) => ({
    title: `Delete the code ${code}`,
    tone: 'warn',
    blocks: [
      facts({ License: id, Product: product, Used: used }),
      diff({ Code: [code, null] }),
      // The list may come in pages that nobody documents, so a missing code is said, not refused.
      ...(isListed ? [] : [note('warn', 'The service does not list this code: check it for mistakes.')]),
      ...(used === 'yes' ? [note('warn', 'Somebody uses this code.')] : []),
    ],
  }),
  row: 'billing.deleteLicenseCode',
  request: ({ productId: product, licenseId: id, code }) => ({
    params: { product_id: product, license_id: id, code },
  }),
  done: ({ licenseId: id, code }) => ({ message: `The code ${code} of license ${id} was deleted.` }),
  lookUps: (plan) => [lineFor(licenseCodes, { productId: plan.productId, licenseId: plan.licenseId })],
})
