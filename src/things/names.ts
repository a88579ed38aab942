import type { Asker } from '../command/context.ts'
import type { Core } from '../core/core.ts'
import { madeOnce } from '../made-once.ts'
import { kindsWith } from '../model/kinds.ts'
import { orAfter } from '../retry.ts'
import type { Thing, ThingKind } from '../view/thing.ts'
import { seenThings, thingsOfKind } from './sources.ts'

/** Kinds that people call by name, and that can be read in one go. */
const called = (): ThingKind[] => kindsWith(({ byName }) => byName === true)

type Index = ReadonlyMap<string, readonly Thing[]>
const indexes = new WeakMap<readonly Thing[], Index>()

/** Finds things by their whole name, whatever the case; only those that the asker may read. */
export const thingNames = async (core: Core, asker: Asker): Promise<(words: string) => readonly Thing[]> => {
  const found = await Promise.all(
    called().map((kind) =>
      orAfter(
        core.timings.patienceMs.names,
        [],
        thingsOfKind(core, asker, kind, { typed: '', within: [] }).catch(() => []),
      ),
    ),
  )
  const all = [...found.map(indexOf), indexOf(await seenThings(core, asker).catch(() => []))]
  return (words) => {
    const key = words.toLowerCase()
    return all.flatMap((index) => index.get(key) ?? [])
  }
}

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
