import { idOf } from '../../src/kernel/command/id.ts'

export const productId = idOf('the product id')
  .describe('Product the license belongs to')
  .meta({ kind: 'product' })

export const licenseId = idOf('the license id').describe('License: a pool of codes').meta({ kind: 'license' })

/** What to do when there is no such license. */
export const nextAfter = (product: string) =>
  `Check both ids; license find ${product} lists the licenses of that product.`
