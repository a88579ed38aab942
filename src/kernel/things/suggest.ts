import { endpointsByPath } from '../../lib/services/endpoints/shapes.ts'
import { traitsOf } from '../../lib/things/kinds.ts'
import { linkEnd, numberKind } from '../../lib/things/link.ts'
import type { ThingKind, ThingReference } from '../../lib/view/thing.ts'
import type { Actor } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import type { Candidate } from '../command/pack.ts'
import { isThingKind, type Param, type Suggested } from '../command/params.ts'
import { readContext } from '../context/command-context.ts'
import type { Core } from '../core.ts'
import { mayRun } from '../policy/people.ts'
import { settledBeside } from './beside.ts'
import { kept } from './cache.ts'
import { candidatesFor, eachOnce, likeliest, maxCandidates, ownersOf } from './candidates.ts'
import { thingValue } from './ids.ts'
import { thingLabels } from './label.ts'
import { candidatesOverLinks, isWrittenFor } from './linked.ts'
import { eachPerson } from './people.ts'

/** Live values for a parameter. Never throws; on an error there are none. */
export const suggest = async (
  core: Core,
  actor: Actor,
  param: Pick<Param, 'kinds' | 'by'>,
  typed: string,
  written: readonly ThingReference[] = [],
): Promise<Suggested[]> => {
  const { kinds, by } = param
  try {
    const within = await settledBeside(core, actor, written)
    const words = [
      ...(kinds.includes('command') ? commandsFor(core, actor) : []),
      ...(kinds.includes('endpoint') ? endpointsFor(core, actor, typed) : []),
    ]
    const command = commandOf(core, param)
    const found = await candidatesFor(core, actor, kinds.filter(isThingKind), typed, within)
    const people = typed.trim() === '' ? [] : await peopleFor(core, actor, kinds.filter(isThingKind), typed)
    const open = eachOnce([...people, ...found]).filter(
      ({ closedTo = [] }) => !closedTo.includes(command?.name ?? ''),
    )
    const things = await eachPerson(core, actor, open)
    const labels = thingLabels(things)
    const all = [
      ...likeliest(words, typed, ({ label, value }) => [label, value]),
      ...(await ownSuggestions(core, actor, command, param, within)),
      ...things.map((one, at) => ({ label: labels[at] ?? one.id, value: thingValue({ by }, one) })),
    ]
    const once = new Map(all.toReversed().map((one) => [one.value, one]))
    return [...once.values()].toReversed().slice(0, maxCandidates)
  } catch (error) {
    core.log.debug({ err: error, kinds }, 'there are no suggestions')
    return []
  }
}

const commandOf = ({ registry }: Core, param: Pick<Param, 'kinds' | 'by'>): Command | undefined =>
  registry.all.find(({ params }) => params.some((one) => one === param))

/**
 * Of what somebody has one of, and which no service lists: whoever the typed text could mean, by what links lead to from
 * there. Whom no link leads on from stands by what they go by.
 */
const peopleFor = async (
  core: Core,
  actor: Actor,
  kinds: readonly ThingKind[],
  typed: string,
): Promise<Candidate[]> => {
  const [kind, ...others] = kinds
  if (kind === undefined || others.length > 0 || traitsOf(kind).perPerson !== 'one') return []
  const written = linkEnd(numberKind, typed)?.id ?? typed
  const people = (await peopleOf(core, actor, ownersOf(kinds), written)).slice(0, maxPeople)
  const led = await Promise.all([
    ...people.map(async (one) => {
      const ways = [one.id, one.beside ?? '', ...(one.keys ?? [])].filter((key) => isWrittenFor(kind, key))
      for (const way of ways.length === 0 ? [one.id] : ways) {
        const found = await candidatesOverLinks(core, actor, kind, way)
        if (found.length > 0) return found.map((each) => ({ ...each, name: one.name ?? each.name }))
      }
      return [one]
    }),
    ...(isWrittenFor(kind, typed) ? [candidatesOverLinks(core, actor, kind, typed)] : []),
  ])
  return led.flat() as Candidate[]
}

const maxPeople = 8

/** Whoever one service finds, with what another one has of them under their name. */
const peopleOf = async (
  core: Core,
  actor: Actor,
  kinds: readonly ThingKind[],
  typed: string,
): Promise<Candidate[]> => {
  const found = await candidatesFor(core, actor, kinds, typed)
  const names = [...new Set(found.flatMap(({ name }) => name ?? []))].slice(0, maxNames)
  const more = await Promise.all(names.map((name) => candidatesFor(core, actor, kinds, name)))
  const all = await eachPerson(core, actor, eachOnce([...found, ...more.flat()]))
  const isFound = ({ id, keys = [] }: Candidate) =>
    found.some((one) => one.id === id || keys.includes(one.id))
  return all.filter(isFound)
}

const maxNames = 3

/** What the command itself knows; whoever may run it would read the same on its card. */
const ownSuggestions = async (
  core: Core,
  actor: Actor,
  command: Command | undefined,
  param: Pick<Param, 'kinds' | 'by'>,
  within: readonly ThingReference[],
): Promise<readonly Suggested[]> => {
  const name = command?.params.find((one) => one === param)?.name ?? ''
  const read = command?.suggestions?.[name]
  if (command === undefined || read === undefined || !mayRun(core.policy, actor, [command.name])) return []
  const key = [command.name, name, ...within.map(({ kind, id }) => `${kind} ${id}`)].join('\n')
  return kept(core, key, () => read(within, readContext(core, actor)))
}

const commandsFor = ({ registry, policy }: Core, actor: Actor): Suggested[] =>
  registry.all
    .filter(({ name }) => mayRun(policy, actor, [name]))
    .map(({ name, summary }) => ({ label: `${name}: ${summary}`, value: name }))

const endpointsFor = ({ policy }: Core, actor: Actor, typed: string): Suggested[] =>
  mayRun(policy, actor, ['api call'])
    ? endpointsByPath(typed).map(({ path, words }) => ({ label: words, value: path }))
    : []
