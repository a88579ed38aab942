import { z } from 'zod'
import { isoOf } from '../../../src/lib/sandbox/endpoint/deterministic.ts'
import { integerOf, textField } from '../../../src/lib/sandbox/endpoint/fields.ts'
import type { HandlerCall } from '../../../src/lib/sandbox/endpoint/handler.ts'
import { pageOf } from '../../../src/lib/sandbox/endpoint/page.ts'
import { notFound, parseOrRefuse, refuse } from '../../../src/lib/sandbox/endpoint/refuse.ts'
import { planById, productById, success } from './records.ts'
import type { BillingState, License } from './state.ts'

export function findLicenses({ state, params: [productId = ''], query }: HandlerCall<BillingState>) {
  const product = productById(state, productId)
  const limit = integerOf(query, 'limit', 10)
  const page = integerOf(query, 'page', 1)
  if (limit < 1 || limit > 100) refuse('limit must be between 1 and 100')
  if (page < 1) refuse('page starts at 1')
  const own = state.licenses.filter((one) => one.product_id === product.id)
  return success('Licenses retrieved', pageOf(own, page, limit).items.map(toLicense))
}

const content = z.object({
  name: textField,
  method: textField.default('list'),
  status: textField.default('active'),
  plan_id: z.string().default(''),
  codes: z.array(textField).default([]),
})

export function createLicense({ state, params: [productId = ''], body, now }: HandlerCall<BillingState>) {
  const product = productById(state, productId)
  const { codes, ...wanted } = parseOrRefuse(content, body)
  if (wanted.plan_id !== '') planById(state, wanted.plan_id)
  const license: License = {
    id: `lic_${1000 + state.serial++}`,
    product_id: product.id,
    ...wanted,
    license_codes: [...new Set(codes)].map((code) => ({ code, is_used: 'no' })),
    createdAt: isoOf(now),
    updatedAt: isoOf(now),
  }
  state.licenses.push(license)
  return success('License created', toLicense(license))
}

export const getLicense = (call: HandlerCall<BillingState>) =>
  success('License retrieved', toLicense(licenseOf(call)))

export function updateLicense(call: HandlerCall<BillingState>) {
  const license = licenseOf(call)
  const { name, method, status, plan_id } = license
  const { codes, ...wanted } = parseOrRefuse(content, {
    ...{ name, method, status, plan_id },
    ...(call.body as object | undefined),
  })
  if (wanted.plan_id !== '') planById(call.state, wanted.plan_id)
  const known = license.license_codes.map((one) => one.code)
  const added = [...new Set(codes)].filter((code) => !known.includes(code))
  Object.assign(license, wanted, { updatedAt: isoOf(call.now) })
  license.license_codes.push(...added.map((code) => ({ code, is_used: 'no' as const })))
  return success('License updated', toLicense(license))
}

export function deleteLicense(call: HandlerCall<BillingState>) {
  const gone = licenseOf(call)
  call.state.licenses = call.state.licenses.filter((one) => one !== gone)
  return success('License deleted')
}

export const licenseCodes = (call: HandlerCall<BillingState>) =>
  success('License codes retrieved', licenseOf(call).license_codes)

export function deleteLicenseCode(call: HandlerCall<BillingState>) {
  const license = licenseOf(call)
  const [, , code = ''] = call.params
  if (!license.license_codes.some((one) => one.code === code)) notFound(`license code ${code}`)
  license.license_codes = license.license_codes.filter((one) => one.code !== code)
  license.updatedAt = isoOf(call.now)
  return success('License code deleted')
}

function licenseOf({ state, params: [productId = '', licenseId = ''] }: HandlerCall<BillingState>): License {
  const product = productById(state, productId)
  const found = state.licenses.find((one) => one.id === licenseId && one.product_id === product.id)
  return found ?? notFound(`license ${licenseId}`)
}

const toLicense = ({ product_id, ...license }: License) => ({
  ...license,
  total_license: license.license_codes.length,
  used_license: license.license_codes.filter((one) => one.is_used === 'yes').length,
})
