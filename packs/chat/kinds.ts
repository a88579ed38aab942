import type { KindTraits } from '../../src/lib/things/kinds.ts'
import { contactId } from './fields.ts'

export const kinds = {
  contact: {
    prefixes: ['con', 'contact', 'ct'],
    knownBy: 'number',
    perPerson: 'one',
    idForm: /^[\da-f]{24}$/i,
    byHand: { describe: 'Id of the contact in the messaging service', id: contactId },
  },
} as const satisfies Readonly<Record<string, KindTraits>>

declare module '../../src/lib/view/thing.ts' {
  interface ThingKinds extends Record<keyof typeof kinds, unknown> {}
}
