import type { Asker } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import { isThingKind, type Param, type Suggested } from '../command/params.ts'
import { readContext } from '../core/context/command-context.ts'
import type { Core } from '../core/core.ts'
import { mayRun } from '../policy/people.ts'
import { endpointsByPath } from '../services/endpoints/shapes.ts'
import type { ThingReference } from '../view/thing.ts'
import { settledBeside } from './beside.ts'
import { kept } from './cache.ts'
import { candidatesFor, likeliest, mostCandidates } from './candidates.ts'
import { thingValue } from './ids.ts'
import { thingLabels } from './label.ts'

/** Live values for a parameter. Never throws; on an error there are none. */
export const suggest = async (
  core: Core,
  asker: Asker,
  param: Pick<Param, 'kinds' | 'by'>,
  typed: string,
  written: readonly ThingReference[] = [],
): Promise<Suggested[]> => {
  const { kinds, by } = param
  try {
    const within = await settledBeside(core, asker, written)
    const words = [
      ...(kinds.includes('command') ? commandsFor(core, asker) : []),
      ...(kinds.includes('endpoint') ? endpointsFor(core, asker, typed) : []),
    ]
    const command = commandOf(core, param)
    const found = await candidatesFor(core, asker, kinds.filter(isThingKind), typed, within)
    const things = found.filter(({ closedTo = [] }) => !closedTo.includes(command?.name ?? ''))
    const labels = thingLabels(things)
    const all = [
      ...likeliest(words, typed, ({ label, value }) => [label, value]),
      ...(await ownSuggestions(core, asker, command, param, within)),
      ...things.map((one, at) => ({ label: labels[at] ?? one.id, value: thingValue({ by }, one) })),
    ]
    const once = new Map(all.toReversed().map((one) => [one.value, one]))
    return [...once.values()].toReversed().slice(0, mostCandidates)
  } catch (error) {
    core.log.debug({ err: error, kinds }, 'there are no suggestions')
    return []
  }
}

const commandOf = ({ registry }: Core, param: Pick<Param, 'kinds' | 'by'>): Command | undefined =>
  registry.all.find(({ params }) => params.some((one) => one === param))

/** What the command itself knows; whoever may run it would read the same on its card. */
const ownSuggestions = async (
  core: Core,
  asker: Asker,
  command: Command | undefined,
  param: Pick<Param, 'kinds' | 'by'>,
  within: readonly ThingReference[],
): Promise<readonly Suggested[]> => {
  const name = command?.params.find((one) => one === param)?.name ?? ''
  const read = command?.suggestions?.[name]
  if (command === undefined || read === undefined || !mayRun(core.policy, asker, [command.name])) return []
  const key = [command.name, name, ...within.map(({ kind, id }) => `${kind} ${id}`)].join('\n')
  return kept(core, key, () => read(within, readContext(core, asker)))
}

const commandsFor = ({ registry, policy }: Core, asker: Asker): Suggested[] =>
  registry.all
    .filter(({ name }) => mayRun(policy, asker, [name]))
    .map(({ name, summary }) => ({ label: `${name}: ${summary}`, value: name }))

const endpointsFor = ({ policy }: Core, asker: Asker, typed: string): Suggested[] =>
  mayRun(policy, asker, ['api call'])
    ? endpointsByPath(typed).map(({ path, words }) => ({ label: words, value: path }))
    : []
