import { madeOnce } from '../../lib/made-once.ts'
import { orAfter } from '../../lib/retry.ts'
import { kindsWith } from '../../lib/things/kinds.ts'
import type { Thing, ThingKind } from '../../lib/view/thing.ts'
import type { Actor } from '../command/context.ts'
import type { Core } from '../core.ts'
import { seenThings, thingsOfKind } from './sources.ts'

/** Kinds that people call by name, and that can be read in one go. */
const called = (): ThingKind[] => kindsWith(({ byName }) => byName === true)

type Index = ReadonlyMap<string, readonly Thing[]>
const indexes = new WeakMap<readonly Thing[], Index>()

export type ThingNames = {
  /** By their whole name, whatever the case. */
  named: (words: string) => readonly Thing[]
  /** By some words of their name, where that can only be one: "spring" is the Spring sale, and "Business" Desk Business beside Desk Business yearly. */
  part: (words: string) => Thing | undefined
}

/** Finds things by their names; only those that the actor may read. */
export const thingNames = async (core: Core, actor: Actor): Promise<ThingNames> => {
  const found = await Promise.all(
    called().map((kind) =>
      orAfter(
        core.timings.patienceMs.names,
        [],
        thingsOfKind(core, actor, kind, { typed: '', within: [] }).catch(() => []),
      ),
    ),
  )
  const all = [...found.map(indexOf), indexOf(await seenThings(core, actor).catch(() => []))]
  return {
    named: (words) => {
      const key = words.toLowerCase()
      return all.flatMap((index) => index.get(key) ?? [])
    },
    part: (words) => onlyOne(found.flat(), ` ${words.toLowerCase()} `),
  }
}

/** Of several the one whose whole name the others go on from. */
const onlyOne = (things: readonly Thing[], key: string): Thing | undefined => {
  const fitting = things.filter(({ name = '' }) => ` ${name.toLowerCase()} `.includes(key))
  const [shortest, ...others] = fitting.toSorted((one, other) => lengthOf(one) - lengthOf(other))
  const goesOn = ({ kind, name = '' }: Thing) =>
    kind === shortest?.kind && name.toLowerCase().startsWith(`${shortest.name?.toLowerCase()} `)
  return others.every(goesOn) ? shortest : undefined
}

const lengthOf = ({ name = '' }: Thing): number => name.length

/** A colleague goes by the first name as well, and a payment by a number that stands in its name. */
const callsOf = ({ kind, id, name = '' }: Thing): string[] => {
  const whole = name.toLowerCase()
  const more =
    kind === 'colleague'
      ? [id.toLowerCase(), whole.split(' ')[0] as string]
      : whole.split(' · ').filter((part) => /^[a-z]+-?\d+$/.test(part))
  return [...new Set([whole, ...more])].filter((one) => one !== '')
}

/** One index for each list, as long as the list is kept. */
const indexOf = (things: readonly Thing[]): Index =>
  madeOnce(indexes, things, () => {
    const index = new Map<string, Thing[]>()
    for (const one of things) {
      for (const key of callsOf(one)) {
        const called = madeOnce(index, key, () => [])
        if (!called.some(({ kind, id }) => kind === one.kind && id === one.id)) called.push(one)
      }
    }
    return index
  })
