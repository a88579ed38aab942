import { type Loose, membersIn } from '../../packs/billing/loose.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { ifKnown, ifReadable } from '../../src/lib/services/read-answer.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { nextAfter } from './input.ts'
import { toLicense } from './record.ts'

type Reads = Pick<ReadContext, 'billing'>
type Listed = { codes: Loose[]; isFromListing: boolean }

/** The codes of a license, or a "no" that says where to look. */
export const listed = async (product: string, id: string, context: Reads): Promise<Result<Listed>> => {
  const read = await ifKnown(readCodes(product, id, context))
  if (read !== undefined) return ok(read)
  return no(
    refusal('not_found', `The billing service knows no license ${theirs(id)} of ${theirs(product)}.`, {
      next: nextAfter(product),
    }),
  )
}

/** From their own read, which is documented by path only, or else from the documented listing. */
const readCodes = async (product: string, id: string, { billing }: Reads): Promise<Listed | undefined> => {
  const read = await ifReadable(billing.licenseCodes({ params: { product_id: product, license_id: id } }))
  if (read !== undefined) return { codes: membersIn(read.data), isFromListing: false }
  for (let page = 1; page <= maxPages; page++) {
    const listing = await billing.findLicenses({
      params: { product_id: product },
      query: { limit: pageSize, page },
    })
    const licenses = (listing.data ?? []).map(toLicense)
    const license = licenses.find((one) => one.id === id)
    if (license !== undefined) return { codes: license.license_codes ?? [], isFromListing: true }
    if (licenses.length < pageSize) return undefined
  }
  return undefined
}

const pageSize = 100
const maxPages = 50
