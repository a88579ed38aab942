import type { z } from 'zod'
import type { ThingKind } from '../view/thing.ts'

/** What is known of a kind of thing that a service has. */
export type KindTraits = {
  /** What its ids start with, before an underscore: `pay` for `pay_1001`. */
  readonly prefixes?: readonly string[]
  /** People write an address or a number in the place of its id. */
  readonly knownBy?: 'address' | 'number'
  /** What its ids look like, where an id of unknown kind could be one. */
  readonly idForm?: RegExp
  /** How many of them one person has, where it belongs to a person: of `many`, each leads back to whom it came from. */
  readonly perPerson?: 'one' | 'some' | 'many'
  /** Money goes where it leads: only links that may steer money lead to it. */
  readonly money?: true
  /** Its id says something to people, such as an address, and is read beside its name. */
  readonly showsId?: true
  /** People call it by its name, and all of them can be read in one go. */
  readonly byName?: true
  /** What `person link` says of the flag that sets it by hand, and the form of its ids; without it, no hand sets it. */
  readonly byHand?: { readonly describe: string; readonly id?: z.ZodType<string, string> }
}

/** What the bot itself has. */
const own: Readonly<Record<string, KindTraits>> = {
  change: {},
  job: { prefixes: ['job'] },
  colleague: { byName: true },
  schedule: {},
  entry: {},
}

let inUse: Readonly<Record<string, KindTraits>> = own
let byPrefix: ReadonlyMap<string, readonly ThingKind[]> = new Map()

/** The kinds of the services that are in use. */
export const useKinds = (kinds: Readonly<Record<string, KindTraits>>): void => {
  // A person is the likeliest to be meant.
  const ofPeople = (one: KindTraits) => (one.knownBy === undefined ? 1 : 0)
  const sorted = Object.entries(kinds).toSorted(([, one], [, other]) => ofPeople(one) - ofPeople(other))
  inUse = { ...Object.fromEntries(sorted), ...own }
  const pairs = Object.entries(inUse).flatMap(([kind, { prefixes = [] }]) =>
    prefixes.map((prefix) => ({ prefix, kind: kind as ThingKind })),
  )
  byPrefix = new Map(
    [...Map.groupBy(pairs, ({ prefix }) => prefix)].map(([prefix, of]) => [
      prefix,
      // What moves money comes first: taken for something else, it would cost most.
      of.map(({ kind }) => kind).toSorted((one, other) => rankOf(one) - rankOf(other)),
    ]),
  )
}

const rankOf = (kind: string): number => (traitsOf(kind).money ? 0 : 1)

export const allKinds = (): ThingKind[] => Object.keys(inUse) as ThingKind[]

/** Without those of the bot itself. */
export const serviceKinds = (): ThingKind[] => allKinds().filter((kind) => !Object.hasOwn(own, kind))

export const traitsOf = (kind: string): KindTraits =>
  Object.hasOwn(inUse, kind) ? (inUse[kind] as KindTraits) : {}

/** The kinds of which this holds, in the order of the packs. */
export const kindsWith = (holds: (traits: KindTraits) => boolean): ThingKind[] =>
  allKinds().filter((kind) => holds(traitsOf(kind)))

/** `pay_1001` is a payment; a prefix can stand for more than one kind. */
export const kindsByPrefix = (id: string): readonly ThingKind[] | undefined => {
  const prefix = /^([a-z]{2,12})_[\w-]+$/i.exec(id)?.[1]?.toLowerCase()
  return prefix === undefined ? undefined : byPrefix.get(prefix)
}
