import { z } from 'zod'
import { codeOf } from '../../src/kernel/command/id.ts'
import { lineFor } from '../../src/kernel/command/line/print.ts'
import { defineServiceChange } from '../../src/kernel/command/service-change.ts'
import { ok } from '../../src/lib/result.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { diff, facts, note } from '../../src/lib/view/view.ts'
import { licenseCodes } from './codes.ts'
import { licenseId, productId } from './input.ts'
import { listed } from './listed.ts'
import { codeIn, usedIn } from './record.ts'

export const licenseDeleteCode = defineServiceChange({
  name: 'license delete-code',
  area: 'billing',
  title: 'Delete license code',
  summary: 'Delete one code of a license',
  input: z.object({ productId, licenseId, code: codeOf('the code').describe('Code to delete') }),
  positional: ['productId', 'licenseId', 'code'],
  examples: ['license delete-code prod_desk lic_502 HG-502-2'],
  uses: ['billing.deleteLicenseCode', 'billing.licenseCodes', 'billing.findLicenses'],
  plan: z.object({
    productId: z.string(),
    licenseId: z.string(),
    code: z.string(),
    isListed: z.boolean(),
    used: z.string().nullable(),
  }),
  async prepare({ productId: product, licenseId: id, code }, context) {
    const read = await listed(product, id, context)
    if (!read.ok) return read
    const known = read.value.codes.find((one) => codeIn(one) === code)
    return ok({
      productId: product,
      licenseId: id,
      code,
      isListed: known !== undefined,
      used: (known && usedIn(known)) ?? null,
    })
  },
  preview: ({ productId: product, licenseId: id, code, isListed, used }) => ({
    title: `Delete the code ${theirs(code)}`,
    tone: 'warn',
    blocks: [
      facts({ License: id, Product: product, Used: used }),
      diff({ Code: [code, null] }),
      // The list may have pages that are not documented, so a missing code is only a warning.
      ...(isListed ? [] : [note('warn', 'The service does not list this code: check the spelling.')]),
      ...(used === 'yes' ? [note('warn', 'This code is in use.')] : []),
    ],
  }),
  row: 'billing.deleteLicenseCode',
  request: ({ productId: product, licenseId: id, code }) => ({
    params: { product_id: product, license_id: id, code },
  }),
  done: ({ licenseId: id, code }) => ({
    message: `The code ${theirs(code)} of license ${theirs(id)} was deleted.`,
  }),
  async checkOutcome({ productId: product, licenseId: id, code, isListed }, context) {
    const read = await listed(product, id, context)
    if (!read.ok || !isListed)
      return { happened: null, message: 'The service did not list this code before.' }
    const happened = !read.value.codes.some((one) => codeIn(one) === code)
    return { happened, message: `The service ${happened ? 'no longer lists' : 'still lists'} this code.` }
  },
  lookUps: (plan) => [lineFor(licenseCodes, { productId: plan.productId, licenseId: plan.licenseId })],
})
