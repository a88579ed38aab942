import type { z } from 'zod'
import { type Loose, otherFacts, recordWith } from '../../packs/billing/loose.ts'
import { addon } from '../../packs/billing/records.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { money, names, when, yesNo } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, facts } from '../../src/lib/view/view.ts'

export type Addon = z.infer<typeof addon>

const known = ['id', 'name', 'code', 'price', 'product_id']

/** The add-on in an answer; an empty record if there is none that can be read. */
export const addonIn = (data: unknown): Addon => toAddon(recordWith(data, known))

export const toAddon = (record: Loose): Addon => addon.parse(record)

export const isReadable = (record: Addon): boolean => Boolean(record.id || record.name || record.code)

export const addonWords = ({ name, code }: Addon): string | undefined =>
  name && code ? `${theirs(name)} (${theirs(code)})` : name || code || undefined

export const priceWords = (price: number | null | undefined): string | undefined =>
  price === undefined || price === null ? undefined : money(price)

/** "every month", "every 2 years" */
export const periodWords = (
  period: string | null | undefined,
  every: number | null | undefined,
): string | undefined => {
  const word = period ? periods[period] : undefined
  if (word === undefined) return period || undefined
  return typeof every === 'number' && every !== 1 ? `every ${plural(every, word)}` : `every ${word}`
}

export const cycleWords = (cycle: string | null | undefined): string | undefined =>
  cycle ? (cycles[cycle] ?? cycle) : undefined

/** The service answers `all` for what was sent as `all_plans`. */
export const reachWords = (reach: string | null | undefined): string | undefined =>
  reach ? (/^all(_plans)?$/.test(reach) ? 'all plans' : reach.replaceAll('_', ' ')) : undefined

/** An add-on that is billed once has no period worth showing. */
export const billedWords = ({ billing_cycle, billing_period, billing_period_num }: Addon) =>
  billing_cycle === 'onetime' ? cycleWords(billing_cycle) : periodWords(billing_period, billing_period_num)

export const addonBlocks = (record: Addon): Block[] => [
  facts({
    Name: record.name,
    Code: record.code,
    Price: priceWords(record.price),
    Billed: billedWords(record),
    Active: yesNo(record.status),
    'Goes with': reachWords(record.associate_plans),
    Plans: record.plans_array?.length ? names(record.plans_array) : undefined,
    Categories: record.category_array?.length ? names(record.category_array) : undefined,
    Description: record.description,
    Product: thing('product', record.product_id),
    Created: when(record.createdAt),
    Updated: when(record.updatedAt),
    Id: thing('add-on', record.id, { name: record.name }),
  }),
  ...otherFacts(record, [...Object.keys(addon.shape), '_id', '__v']),
]

const periods: Record<string, string> = { m: 'month', y: 'year', w: 'week' }
const cycles: Record<string, string> = { lifetime: 'recurring', onetime: 'one time' }
