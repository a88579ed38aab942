import type { KindTraits } from '../../src/lib/things/kinds.ts'

export const kinds = {
  subscriber: {
    prefixes: ['sub'],
    knownBy: 'address',
    perPerson: 'one',
    idForm: /^\S+$/,
    showsId: true,
  },
  campaign: { prefixes: ['cmp', 'camp', 'campaign'], byName: true },
  list: { prefixes: ['lst', 'list'], byName: true },
} as const satisfies Readonly<Record<string, KindTraits>>

declare module '../../src/lib/view/thing.ts' {
  interface ThingKinds extends Record<keyof typeof kinds, unknown> {}
}
