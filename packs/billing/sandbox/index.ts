import { defineSandbox } from '../../../src/lib/sandbox/service-sandbox.ts'
import type { billing } from '../endpoints.ts'
import * as addons from './addons.ts'
import * as licenses from './licenses.ts'
import * as multiplans from './multiplans.ts'
import { applyDueChanges, changePlan } from './plan-change.ts'
import * as refunds from './refunds.ts'
import { seedBilling } from './seed.ts'
import type { BillingState } from './state.ts'

export const sandbox = defineSandbox<BillingState, typeof billing.rows>({
  seed: seedBilling,
  handlers: {
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
  },
  pass: applyDueChanges,
  introduces: () =>
    seedBilling().customers.map(({ id }) => ({
      teaches: seedBilling().transactions.find((one) => one.customer_id === id)?.id ?? id,
      row: 'findTransactions',
      input: { params: { customer_id: id } },
    })),
})
