import {
  type Column,
  type Loose,
  looseTable,
  otherFacts,
  recordWith,
  textIn,
} from '../../packs/billing/loose.ts'
import { licenses } from '../../packs/billing/records.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { when } from '../../src/lib/view/format.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, facts } from '../../src/lib/view/view.ts'

const known = ['id', 'name', 'license_codes', 'total_license', 'used_license']

export const licenseIn = (data: unknown) => toLicense(recordWith(data, known))

/** A license with its documented fields, taken from the exported schema of the list. */
export const toLicense = (record: Loose) => licenses.parse([record])[0] ?? {}
type License = ReturnType<typeof toLicense>

/** "2 of 6 codes used" */
const useWords = ({ total_license: total, used_license: used }: License): string | undefined => {
  if (typeof total !== 'number') return undefined
  return typeof used === 'number' ? `${used} of ${plural(total, 'code')} used` : plural(total, 'code')
}

export const licenseBlocks = (license: License, product?: string): Block[] => [
  facts({
    Name: license.name,
    Status: license.status,
    Codes: useWords(license),
    Method: license.method,
    Plan: thing('plan', license.plan_id),
    Created: when(license.createdAt),
    Updated: when(license.updatedAt),
    Id: thing('license', license.id, {
      name: license.name,
      of: product === undefined ? undefined : { kind: 'product', id: product },
    }),
  }),
  ...(license.license_codes?.length ? [looseTable(license.license_codes, codeColumns)] : []),
  ...otherFacts(license, [...known, 'status', 'method', 'plan_id', 'createdAt', 'updatedAt', '_id', '__v']),
]

export const codeIn = (record: Loose): string | undefined =>
  textIn(record, 'code', 'license_code', 'key', 'value')

/** The service answers "yes" or "no"; any other word, or a boolean, is shown unchanged. */
export const usedIn = (record: Loose): string | undefined => {
  const used = textIn(record, 'is_used', 'used', 'status')
  return used === 'true' ? 'yes' : used === 'false' ? 'no' : used
}

export const codeColumns: readonly Column[] = [
  { label: 'Code', of: codeIn },
  { label: 'Used', of: usedIn },
]
