import { multiplan } from '../../src/services/endpoints/billing-records.ts'
import { money, when } from '../../src/view/format.ts'
import { type Block, facts, table } from '../../src/view/view.ts'
import { type Loose, otherFacts, recordIn, recordsIn, textIn } from '../billing/loose.ts'

/** A plan of a page: expanded in documented answers, perhaps only an id elsewhere. */
export type PagePlan = {
  id: string | undefined
  name: string | undefined
  productId: string | undefined
  price: string | undefined
}

export type Page = {
  id: string | undefined
  productId: string | undefined
  title: string | undefined
  preferred: string | undefined
  address: string | undefined
  plans: PagePlan[]
  raw: Loose
}

const known = ['id', 'page_title', 'checkout_page', 'plans', 'product_id']

export const pageIn = (data: unknown): Page => toPage(recordIn(data, known))

export const pagesIn = (data: unknown): Page[] => recordsIn(data).map(toPage)

export const planWords = ({ id, name }: PagePlan): string =>
  name !== undefined && id !== undefined ? `${name} (${id})` : (name ?? id ?? 'unnamed')

export const pageBlocks = (page: Page, now: number): Block[] => [
  facts({
    Title: page.title,
    Checkout: page.address,
    Product: page.productId,
    Choice: textIn(page.raw, 'multiplan_list'),
    Preferred: page.preferred,
    Created: when(page.raw.createdAt, now),
    Updated: when(page.raw.updatedAt, now),
    Id: page.id,
  }),
  ...(page.plans.length === 0
    ? []
    : [
        table(
          ['Plan', 'Price#', 'Id'],
          page.plans.map((plan) => [plan.name ?? '', plan.price ?? '', plan.id ?? '']),
        ),
      ]),
  ...otherFacts(page.raw, [
    ...known,
    'multiplan_list',
    'preferred_plan_id',
    'createdAt',
    'updatedAt',
    'user_id',
  ]),
]

const toPage = (raw: Loose): Page => {
  const read = multiplan.parse(raw)
  return {
    id: read.id || undefined,
    productId: read.product_id || undefined,
    title: read.page_title || undefined,
    preferred: read.preferred_plan_id || undefined,
    address: read.checkout_page || undefined,
    plans: Array.isArray(raw.plans) ? raw.plans.flatMap(toPagePlan) : [],
    raw,
  }
}

const toPagePlan = (value: unknown): PagePlan[] => {
  if (typeof value === 'string' || typeof value === 'number') {
    return [{ id: String(value), name: undefined, productId: undefined, price: undefined }]
  }
  const plan = multiplan.shape.plans.parse([value])?.[0]
  if (plan === undefined) return []
  const symbol = plan.currency_symbol
  return [
    {
      id: plan.id || undefined,
      name: plan.plan_name || undefined,
      productId: plan.product_id || undefined,
      price:
        typeof plan.price === 'number'
          ? money(plan.price, symbol ? { symbol } : { code: plan.currency_code })
          : undefined,
    },
  ]
}
