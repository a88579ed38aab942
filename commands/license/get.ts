import { z } from 'zod'
import { orUnread } from '../../packs/billing/loose.ts'
import { answerThing } from '../../src/kernel/command/answer.ts'
import { defineQuery } from '../../src/kernel/command/define.ts'
import { theirs, theirTitle } from '../../src/lib/view/outside.ts'
import { found } from '../billing/reads.ts'
import { licenseId, nextAfter, productId } from './input.ts'
import { licenseBlocks, licenseIn } from './record.ts'

export const licenseGet = defineQuery({
  name: 'license get',
  area: 'billing',
  summary: 'Show one license with its codes and how many are used',
  input: z.object({ productId, licenseId }),
  positional: ['productId', 'licenseId'],
  examples: ['license get prod_desk lic_501'],
  uses: ['billing.getLicense'],
  async run({ productId: product, licenseId: id }, { billing }) {
    const read = await found(
      billing.getLicense({ params: { product_id: product, license_id: id } }),
      `license ${theirs(id)} of ${theirs(product)}`,
      nextAfter(product),
    )
    if (!read.ok) return read
    const license = licenseIn(read.value.data)
    return answerThing({
      title: license.name ? theirTitle(license.name) : `License ${theirs(id)}`,
      tone: 'plain',
      blocks: orUnread(license, licenseBlocks({ ...license, id: license.id || id }, product)),
    })
  },
})
