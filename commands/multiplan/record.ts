import { type Loose, membersIn, otherFacts, recordWith, textIn } from '../../packs/billing/loose.ts'
import { multiplan } from '../../packs/billing/records.ts'
import { plural } from '../../src/lib/view/button-labels.ts'
import { money, when } from '../../src/lib/view/format.ts'
import { theirs } from '../../src/lib/view/outside.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, facts, table } from '../../src/lib/view/view.ts'
import { periodWords } from '../addon/record.ts'

/** A plan of a page: a complete record in documented answers, possibly only an id in others. */
export type PagePlan = {
  id: string | undefined
  name: string | undefined
  productId: string | undefined
  price: string | undefined
  billed?: string | undefined
  trial?: string | undefined
  setupFee?: string | undefined
  active?: string | undefined
  code?: string | undefined
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

export const pageIn = (data: unknown): Page => toPage(recordWith(data, known))

export const pagesIn = (data: unknown): Page[] => membersIn(data).map(toPage)

export const planWords = ({ id, name }: PagePlan): string =>
  name !== undefined && id !== undefined ? `${theirs(name)} (${theirs(id)})` : theirs(name ?? id ?? 'unnamed')

export const pageBlocks = (page: Page): Block[] => [
  facts({
    Title: page.title,
    Checkout: page.address,
    Product: thing('product', page.productId),
    Choice: textIn(page.raw, 'multiplan_list'),
    Preferred: thing('plan', page.preferred),
    Created: when(page.raw.createdAt),
    Updated: when(page.raw.updatedAt),
    Id: thing('multiplan', page.id, { name: page.title }),
  }),
  ...(page.plans.length === 0 ? [] : [planTable(page.plans)]),
  ...otherFacts(page.raw, [
    ...known,
    'multiplan_list',
    'preferred_plan_id',
    'createdAt',
    'updatedAt',
    'user_id',
  ]),
]

/** Name, price and id; of the rest, the columns in which any plan has something. */
const planTable = (plans: readonly PagePlan[]): Block => {
  const columns = planColumns.filter(
    ([, key, isAlways]) => isAlways || plans.some((plan) => plan[key] !== undefined),
  )
  return table(
    columns.map(([label]) => label),
    plans.map((plan) => columns.map(([, key]) => plan[key] ?? '')),
    plans.map(({ id, name }) => thing('plan', id, { name })),
  )
}

const planColumns: readonly (readonly [label: string, key: keyof PagePlan, isAlways?: true])[] = [
  ['Plan', 'name', true],
  ['Price#', 'price', true],
  ['Billed', 'billed'],
  ['Trial', 'trial'],
  ['Setup fee#', 'setupFee'],
  ['Active', 'active'],
  ['Code', 'code'],
  ['Id', 'id', true],
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
  return [
    {
      id: plan.id || undefined,
      name: plan.plan_name || undefined,
      productId: plan.product_id || undefined,
      price: amountWords(plan.price, plan),
      billed: periodWords(plan.billing_period, Number(plan.billing_period_num || 1)),
      trial: plan.trial_period ? plural(plan.trial_period, plan.trial_type || 'day') : undefined,
      setupFee: plan.setup_fee ? amountWords(plan.setup_fee, plan) : undefined,
      active: plan.plan_active === 'true' ? 'yes' : plan.plan_active === 'false' ? 'no' : undefined,
      code: plan.plan_code || undefined,
    },
  ]
}

type Currency = { currency_code?: string | null | undefined; currency_symbol?: string | null | undefined }

const amountWords = (amount: number | null | undefined, { currency_code, currency_symbol }: Currency) =>
  typeof amount === 'number' ? money(amount, { code: currency_code, symbol: currency_symbol }) : undefined
