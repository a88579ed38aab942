import type { Asker } from '../command/context.ts'
import type { Param, Suggested } from '../command/params.ts'
import type { Core } from '../core/core.ts'
import { mayRun } from '../policy/people.ts'
import { endpointsByPath } from '../services/endpoints/shapes.ts'
import type { ThingKind, ThingReference } from '../view/thing.ts'
import { type Candidate, thingsOfKind } from './sources.ts'

const mostShown = 25

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
  return likeliest(found.flat(), typed, ({ id, name, beside }) => [name ?? '', id, beside ?? ''])
}

/** Live values for a parameter. Never throws; on an error there are none. */
export const suggest = async (
  core: Core,
  asker: Asker,
  { kinds, by }: Pick<Param, 'kinds' | 'by'>,
  typed: string,
  within: readonly ThingReference[] = [],
): Promise<Suggested[]> => {
  try {
    const words = [
      ...(kinds.includes('command') ? commandsFor(core, asker) : []),
      ...(kinds.includes('endpoint') ? endpointsFor(core, asker, typed) : []),
    ]
    const things = await candidatesFor(core, asker, kinds.filter(isThingKind), typed, within)
    return [
      ...likeliest(words, typed, ({ label, value }) => [label, value]),
      ...things.map((one) => ({ label: labelOf(one), value: by === 'name' ? (one.name ?? one.id) : one.id })),
    ].slice(0, mostShown)
  } catch (error) {
    core.log.debug({ err: error, kinds }, 'there are no suggestions')
    return []
  }
}

/** "Spring sale (live)", or the id of what has no name. */
export const labelOf = ({ id, name, beside }: Candidate): string =>
  `${name ?? id}${beside === undefined ? '' : ` (${beside})`}`

const isThingKind = (kind: string): kind is ThingKind => kind !== 'command' && kind !== 'endpoint'

const commandsFor = ({ registry, policy }: Core, asker: Asker): Suggested[] =>
  registry.all
    .filter(({ name }) => mayRun(policy, asker, [name]))
    .map(({ name, summary }) => ({ label: `${name}: ${summary}`, value: name }))

const endpointsFor = ({ policy }: Core, asker: Asker, typed: string): Suggested[] =>
  mayRun(policy, asker, ['api call'])
    ? endpointsByPath(typed).map(({ path, words }) => ({ label: words, value: path }))
    : []

/** What starts with the typed text comes first, then what has a word that does, then what contains it. */
const likeliest = <T>(items: readonly T[], typed: string, textsOf: (item: T) => string[]): T[] => {
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
    .slice(0, mostShown)
    .map(({ item }) => item)
}
