import type { KindTraits } from '../../src/lib/things/kinds.ts'

export const kinds = {
  customer: {
    prefixes: ['cus', 'cust', 'customer'],
    perPerson: 'one',
    showsId: true,
    money: true,
    idForm: /^(?![\da-f]{24}$)\S+$/i,
    byHand: { describe: 'Id of the customer in the billing service' },
  },
  subscription: { prefixes: ['sub', 'subscription'], perPerson: 'some', money: true },
  payment: {
    prefixes: ['pay', 'payment', 'txn', 'tx', 'tr', 'ch', 'inv'],
    perPerson: 'many',
    money: true,
  },
  plan: { prefixes: ['plan'], byName: true },
  product: { prefixes: ['prod', 'product'], byName: true },
  'add-on': { prefixes: ['addon'], byName: true },
  license: { prefixes: ['lic', 'license'], byName: true },
  multiplan: { prefixes: ['mp', 'multiplan'], byName: true },
} as const satisfies Readonly<Record<string, KindTraits>>

declare module '../../src/lib/view/thing.ts' {
  interface ThingKinds extends Record<keyof typeof kinds, unknown> {}
}
