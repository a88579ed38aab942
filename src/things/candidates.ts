import type { Asker } from '../command/context.ts'
import type { Candidate } from '../command/pack.ts'
import type { Core } from '../core/core.ts'
import { kindsWith, traitsOf } from '../model/kinds.ts'
import type { ThingKind, ThingReference } from '../view/thing.ts'
import { thingsOfKind } from './sources.ts'

export const mostCandidates = 25

/**
 * Things of these kinds that the typed text could mean, the likeliest first, and only those that the asker may read.
 * It throws when a service does not answer.
 */
export const candidatesFor = async (
  core: Core,
  asker: Asker,
  kinds: readonly ThingKind[],
  typed: string,
  within: readonly ThingReference[] = [],
): Promise<Candidate[]> => {
  const found = await Promise.all(kinds.map((kind) => thingsOfKind(core, asker, kind, { typed, within })))
  return likeliest(eachOnce(found.flat()), typed, ({ id, name, beside, keys = [] }) => [
    name ?? '',
    id,
    beside ?? '',
    ...keys,
  ])
}

/** The same thing from two sources is one, with the name that either has. */
export const eachOnce = (all: readonly Candidate[]): Candidate[] => {
  const found = new Map<string, Candidate>()
  for (const one of all) {
    const key = `${one.kind} ${one.id}`
    const known = found.get(key)
    if (known === undefined || (known.name === undefined && one.name !== undefined)) found.set(key, one)
  }
  return [...found.values()]
}

/** What starts with the typed text comes first, then what has a word that does, then what contains it. */
export const likeliest = <T>(items: readonly T[], typed: string, textsOf: (item: T) => string[]): T[] => {
  const wanted = typed.trim().toLowerCase()
  const rank = (text: string): number => {
    const at = text.toLowerCase().indexOf(wanted)
    if (at <= 0) return at === 0 ? 0 : 3
    return /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? 2 : 1
  }
  return items
    .map((item) => ({ item, at: Math.min(...textsOf(item).map(rank)) }))
    .filter(({ at }) => at < 3)
    .sort((one, other) => one.at - other.at)
    .slice(0, mostCandidates)
    .map(({ item }) => item)
}

/** Who owns something has a name, and links lead from them to it. */
export const ownersOf = (kinds: readonly ThingKind[]): ThingKind[] =>
  kinds.some((kind) => traitsOf(kind).perPerson !== undefined)
    ? kindsWith(({ knownBy }) => knownBy !== undefined).filter((kind) => !kinds.includes(kind))
    : []

/** Somebody whom two services know by one whole name is one person: links tell the rest. Two in one service are two people. */
export const onePerName = <T extends Pick<Candidate, 'name' | 'kind'>>(called: readonly T[]): T[] =>
  [...Map.groupBy(called, ({ name }) => name?.toLowerCase()).values()].flatMap((same) => {
    const inEach = [...Map.groupBy(same, ({ kind }) => kind).values()]
    return inEach.toSorted((one, other) => other.length - one.length)[0] ?? []
  })

export const nameKey = (words: string): string => words.normalize('NFC').trim().toLowerCase()
