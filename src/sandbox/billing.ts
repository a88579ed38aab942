import type { billing } from '../services/billing.ts'
import * as addons from './billing-addons.ts'
import * as licenses from './billing-licenses.ts'
import * as multiplans from './billing-multiplans.ts'
import { changePlan } from './billing-plan-change.ts'
import * as refunds from './billing-refunds.ts'
import type { BillingState } from './billing-state.ts'
import type { Handlers } from './call.ts'

export type BillingRow = keyof typeof billing.rows

export const billingHandlers: Handlers<BillingState, BillingRow> = {
  createMultiplan: multiplans.createMultiplan,
  createAddon: addons.createAddon,
  updateAddon: addons.updateAddon,
  refundPayment: refunds.refundPayment,
  findLicenses: licenses.findLicenses,
  changePlan,
  getMultiplan: multiplans.getMultiplan,
  findMultiplans: multiplans.findMultiplans,
  updateMultiplan: multiplans.updateMultiplan,
  deleteMultiplan: multiplans.deleteMultiplan,
  getAddon: addons.getAddon,
  findAddons: addons.findAddons,
  deleteAddon: addons.deleteAddon,
  findTransactions: refunds.findTransactions,
  findRefunds: refunds.findRefunds,
  deleteTransaction: refunds.deleteTransaction,
  createLicense: licenses.createLicense,
  getLicense: licenses.getLicense,
  updateLicense: licenses.updateLicense,
  deleteLicense: licenses.deleteLicense,
  licenseCodes: licenses.licenseCodes,
  deleteLicenseCode: licenses.deleteLicenseCode,
}
