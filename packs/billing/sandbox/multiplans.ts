import { z } from 'zod'
import { isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { textField } from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { notFound, parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { planById, productById, success } from './records.ts'
import type { BillingState, Multiplan } from './state.ts'

const checkoutHost = 'https://checkout.example.com'

const creation = z.object({
  product_id: textField,
  page_title: textField,
  plans: z.array(textField).min(1, 'must name at least one plan'),
  multiplan_list: z.enum(['radio', 'select']).default('radio'),
  preferred_plan_id: z.string().default(''),
})

export function createMultiplan({ state, body, now }: HandlerCall<BillingState>) {
  const wanted = parseOrRefuse(creation, body)
  check(state, wanted)
  const id = `mp_${1000 + state.serial++}`
  const multiplan: Multiplan = {
    id,
    ...wanted,
    checkout_page: `${checkoutHost}/checkout/${id}`,
    createdAt: isoOf(now),
    updatedAt: isoOf(now),
  }
  state.multiplans.push(multiplan)
  return success('Multiplan created', toMultiplan(state, multiplan))
}

export const getMultiplan = ({ state, params: [id = ''] }: HandlerCall<BillingState>) =>
  success('Multiplan retrieved', toMultiplan(state, multiplanById(state, id)))

export const findMultiplans = ({ state }: HandlerCall<BillingState>) =>
  success(
    'Multiplans retrieved',
    state.multiplans.map((one) => toMultiplan(state, one)),
  )

export function updateMultiplan({ state, params: [id = ''], body, now }: HandlerCall<BillingState>) {
  const multiplan = multiplanById(state, id)
  const { product_id, page_title, plans, multiplan_list, preferred_plan_id } = multiplan
  const known = { product_id, page_title, plans, multiplan_list, preferred_plan_id }
  const wanted = parseOrRefuse(creation, { ...known, ...(body as object | undefined) })
  check(state, wanted, id)
  Object.assign(multiplan, wanted, { updatedAt: isoOf(now) })
  return success('Multiplan updated', toMultiplan(state, multiplan))
}

export function deleteMultiplan({ state, params: [id = ''] }: HandlerCall<BillingState>) {
  const gone = multiplanById(state, id)
  state.multiplans = state.multiplans.filter((one) => one !== gone)
  return success('Multiplan deleted')
}

function check(state: BillingState, wanted: z.output<typeof creation>, ownId?: string) {
  const { product_id, page_title, plans, preferred_plan_id } = wanted
  productById(state, product_id)
  const siblings = state.multiplans.filter((one) => one.product_id === product_id && one.id !== ownId)
  if (siblings.some((one) => one.page_title === page_title)) {
    refuse(`the product has a multiplan titled ${page_title} already`, 409)
  }
  for (const id of plans) {
    if (planById(state, id).product_id !== product_id) refuse(`plan ${id} belongs to another product`)
  }
  if (preferred_plan_id !== '' && !plans.includes(preferred_plan_id)) {
    refuse('preferred_plan_id must be one of the plans')
  }
}

const multiplanById = (state: BillingState, id: string): Multiplan =>
  state.multiplans.find((one) => one.id === id) ?? notFound(`multiplan ${id}`)

const toMultiplan = (state: BillingState, multiplan: Multiplan) => ({
  ...multiplan,
  plans: multiplan.plans.map((id) => planById(state, id)),
})
