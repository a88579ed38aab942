import { z } from 'zod'
import { isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { namesOf, textField } from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { addonById, planById, productById, success } from './records.ts'
import type { Addon, BillingState } from './state.ts'

const shared = {
  name: textField,
  code: textField,
  price: z.int().min(0),
  billing_period: z.enum(['m', 'y', 'w']),
  billing_period_num: z.int().min(1),
  billing_cycle: z.enum(['lifetime', 'onetime']),
  associate_plans: z.enum(['selected_plans', 'all_plans']),
}

const creation = z.object({
  ...shared,
  status: z.string(),
  category_array: z.array(z.string()).default([]),
  plans_array: z.array(z.string()).nullable().default(null),
  description: z.string().default(''),
})

export function createAddon({ state, params: [productId = ''], body, now }: HandlerCall<BillingState>) {
  const product = productById(state, productId)
  const { status, associate_plans, plans_array, ...wanted } = parseOrRefuse(creation, body)
  checkCode(state, wanted.code)
  checkPlans(state, product.id, plans_array ?? [])
  const addon: Addon = {
    id: `addon_${1000 + state.serial++}`,
    product_id: product.id,
    user_id: state.user.id,
    ...wanted,
    status: status === 'true',
    associate_plans: echoOf(associate_plans),
    plans_array: associate_plans === 'all_plans' ? null : plans_array,
    createdAt: isoOf(now),
    updatedAt: isoOf(now),
  }
  state.addons.push(addon)
  return success('Addon created', toAddon(addon))
}

const update = z
  .object({
    ...shared,
    status: z.boolean(),
    category_array: z.array(z.string()),
    description: z.string(),
    // Declared a string, shown as null.
    plans_array: z.union([z.string(), z.array(z.string()), z.null()]),
    product_id: textField,
  })
  .partial()

export function updateAddon({ state, params: [id = ''], body, now }: HandlerCall<BillingState>) {
  const addon = addonById(state, id)
  const { associate_plans, plans_array, ...wanted } = parseOrRefuse(update, body)
  const product = productById(state, wanted.product_id ?? addon.product_id)
  if (wanted.code !== undefined) checkCode(state, wanted.code, id)
  const plans = plans_array ? namesOf(plans_array, 'plans_array') : (plans_array ?? null)
  checkPlans(state, product.id, plans ? [...plans] : [])
  Object.assign(addon, wanted, { updatedAt: isoOf(now) })
  if (plans_array !== undefined) addon.plans_array = plans ? [...plans] : null
  if (associate_plans !== undefined) addon.associate_plans = echoOf(associate_plans)
  if (addon.associate_plans === 'all') addon.plans_array = null
  return success('Addon updated', toAddon(addon))
}

export const getAddon = ({ state, params: [id = ''] }: HandlerCall<BillingState>) =>
  success('Addon retrieved', addonById(state, id))

export function findAddons({ state, params: [productId = ''] }: HandlerCall<BillingState>) {
  const product = productById(state, productId)
  return success(
    'Addons retrieved',
    state.addons.filter((one) => one.product_id === product.id),
  )
}

export function deleteAddon({ state, params: [id = ''] }: HandlerCall<BillingState>) {
  const gone = addonById(state, id)
  state.addons = state.addons.filter((one) => one !== gone)
  return success('Addon deleted')
}

/** The service answers `all` where it was told `all_plans`. */
const echoOf = (associatePlans: string) => (associatePlans === 'all_plans' ? 'all' : associatePlans)

/** The documented answers leave the billing frequency out. */
const toAddon = ({ billing_period_num, ...addon }: Addon) => addon

function checkCode(state: BillingState, code: string, ownId?: string) {
  if (state.addons.some((one) => one.code === code && one.id !== ownId)) {
    refuse(`an add-on with the code ${code} exists already`, 409)
  }
}

function checkPlans(state: BillingState, productId: string, plans: string[]) {
  for (const id of plans) {
    if (planById(state, id).product_id !== productId) refuse(`plan ${id} belongs to another product`)
  }
}
