import { kindsWith, traitsOf } from '../../lib/things/kinds.ts'
import type { ThingKind, ThingReference } from '../../lib/view/thing.ts'
import type { Actor } from '../command/context.ts'
import type { Candidate } from '../command/pack.ts'
import type { Core } from '../core.ts'
import { thingsOfKind } from './sources.ts'

export const maxCandidates = 25

/**
 * Things of these kinds that the typed text could mean, the likeliest first, and only those that the actor may read.
 * It throws when a service does not answer.
 */
export const candidatesFor = async (
  core: Core,
  actor: Actor,
  kinds: readonly ThingKind[],
  typed: string,
  within: readonly ThingReference[] = [],
): Promise<Candidate[]> => {
  const found = await Promise.all(kinds.map((kind) => thingsOfKind(core, actor, kind, { typed, within })))
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

/** What starts with the typed text comes first, then what has a word that does; what contains it elsewhere only where nothing does. */
export const likeliest = <T>(items: readonly T[], typed: string, textsOf: (item: T) => string[]): T[] => {
  const wanted = typed.trim().toLowerCase()
  const rank = (text: string): number => {
    const at = text.toLowerCase().indexOf(wanted)
    if (at <= 0) return at === 0 ? 0 : 3
    return /[\p{L}\p{N}]/u.test(text.charAt(at - 1)) ? 2 : 1
  }
  const ranked = items.map((item) => ({ item, at: Math.min(...textsOf(item).map(rank)) }))
  const worst = ranked.some(({ at }) => at < 2) ? 1 : 2
  return ranked
    .filter(({ at }) => at <= worst)
    .sort((one, other) => one.at - other.at)
    .slice(0, maxCandidates)
    .map(({ item }) => item)
}

/** Who owns something has a name, and links lead from them to it. */
export const ownersOf = (kinds: readonly ThingKind[]): ThingKind[] =>
  kinds.some((kind) => traitsOf(kind).perPerson !== undefined)
    ? kindsWith(({ knownBy }) => knownBy !== undefined).filter((kind) => !kinds.includes(kind))
    : []
