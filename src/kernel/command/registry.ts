import { defined } from '../../lib/defined.ts'
import type { Change } from '../model/change.ts'
import type { Amends, ChangeCommand, Command, Definition } from './define.ts'
import { type Language, noWords } from './language.ts'
import { usageOf } from './line/usage.ts'
import { onDemand } from './on-demand.ts'
import type { Pack } from './pack.ts'
import { besideParams, type Param, paramsOf } from './params.ts'

export type Registry = {
  all: readonly Command[]
  get(name: string): Command | undefined
  /** The commands that start with this word. */
  under(noun: string): readonly Command[]
  nouns: readonly string[]
  /** The words that people use besides the names. */
  language: Language
  packs: readonly Pack[]
}

/**
 * Throws on a bad definition. What a command's schema says of its parameters is read when somebody first asks, because
 * reading all of them takes a twentieth of the start; `readAll` does it for whoever must know that all are good.
 */
export const createRegistry = (
  definitions: readonly Definition[],
  language: Language = noWords,
  packs: readonly Pack[] = [],
): Registry => registryFrom(definitions.map(check), language, packs)

export const readAll = ({ all }: Registry): void => {
  for (const { params } of all) params.at(0)
}

const registryFrom = (commands: readonly Command[], language: Language, packs: readonly Pack[]): Registry => {
  const byName = new Map<string, Command>()
  for (const command of commands) {
    if (byName.has(command.name)) throw new Error(`command "${command.name}" is defined twice`)
    byName.set(command.name, command)
  }
  const all = [...byName.values()]
  const nounOf = (command: Command) => command.name.split(' ')[0] as string
  const nouns = [...new Set(all.map(nounOf))]
  for (const noun of nouns) {
    if (byName.has(noun) && all.some((command) => command.name.startsWith(`${noun} `))) {
      throw new Error(`"${noun}" cannot be both a command and a noun with commands`)
    }
  }
  return {
    all,
    get: (name) => byName.get(name) ?? amendingOf(byName, name),
    under: (noun) => all.filter((command) => nounOf(command) === noun),
    nouns,
    language,
    packs,
  }
}

/** How somebody is written to, by the first pack that can; `command` where it is to be this one. */
export const tellingWay = ({ packs, get }: Registry, command?: string) =>
  packs
    .flatMap(({ words }) => words?.tell ?? [])
    .find((way) => get(way.command) !== undefined && (command === undefined || way.command === command))

/** The form of a change that waits: the command that it was asked by, under a name that says which change it is about. */
export const amendingName = ({ id, isWhole, as }: Amends, command: string): string =>
  `approval ${as ?? (isWhole ? 'change' : 'retime')} ${id} ${command}`

const amendingOf = (byName: ReadonlyMap<string, Command>, name: string): Command | undefined => {
  if (!name.startsWith('approval ')) return undefined
  const [, word, id, command] = /^approval (change|retime|suggest|insist) (\w+) (.+)$/.exec(name) ?? []
  const found = command === undefined ? undefined : byName.get(command)
  if (id === undefined || (found?.kind !== 'change' && found?.kind !== 'switch')) return undefined
  const as = (['suggest', 'insist'] as const).find((one) => one === word)
  return amending(found, { id, isWhole: word !== 'retime', ...defined({ as }) })
}

/** The command that a change was asked by, as it changes that one. */
export const amending = (command: Command, amends: Amends): Command => ({
  ...command,
  params: command.params,
  name: amendingName(amends, command.name),
  amends,
})

/** Examples speak of what is in the sandbox: with real services nobody is told of ids that are not theirs. */
export const withUsageForExamples = ({ all, language, packs }: Registry): Registry =>
  registryFrom(
    all.map((command) => onDemand(command, 'examples', () => [usageOf(command)] as const)),
    language,
    packs,
  )

/** The registry as it is for somebody who may run only these. */
export const registryOf = (registry: Registry, mayRun: (name: string) => boolean): Registry => {
  const all = registry.all.filter(({ name }) => mayRun(name))
  return {
    ...registry,
    all,
    get: (name) => all.find((one) => one.name === name),
    under: (noun) => registry.under(noun).filter((one) => all.includes(one)),
    nouns: registry.nouns.filter((noun) => registry.under(noun).some((one) => all.includes(one))),
  }
}

const check = (definition: Definition): Command => {
  const { name, summary } = definition
  const fail = (problem: string): never => {
    throw new Error(`command "${name}": ${problem}`)
  }
  if (!/^[a-z]+( [a-z][a-z-]*)?$/.test(name)) fail('a name is one or two lower-case words')
  if (summary.length < 8 || summary.length > 100) fail('a summary has 8 to 100 characters')
  return onDemand(definition, 'params', () => {
    try {
      return paramsIn(definition)
    } catch (cause) {
      return fail((cause as Error).message)
    }
  })
}

const paramsIn = ({ kind, input, positional = [] }: Definition): Param[] => {
  const fail = (problem: string): never => {
    throw new Error(problem)
  }
  const params = paramsOf(input, positional)
  const optionalFrom = params.findIndex((param) => param.positional && !param.required)
  if (
    optionalFrom !== -1 &&
    params.some((param, at) => at > optionalFrom && param.positional && param.required)
  ) {
    fail('a required positional parameter cannot follow an optional one')
  }
  for (const param of params) {
    if (param.description.length > 100) fail(`the description of ${param.flag} is over 100 characters`)
  }
  const canWait = kind === 'change' || kind === 'switch'
  const taken = besideParams.find((one) => params.some(({ flag }) => flag === one.flag))
  if (canWait && taken !== undefined) {
    fail(`every change takes --${taken.flag}, so none has a parameter of that name`)
  }
  return canWait ? [...params, ...besideParams] : params
}

/** The command of a stored change; undefined if it no longer exists as a change. */
export const definitionOf = (
  registry: Registry,
  { command, input }: Pick<Change, 'command' | 'input'>,
): ChangeCommand | undefined => {
  const found = registry.get(command)
  if (found?.kind === 'change') return found
  const chosen = found?.kind === 'switch' ? found.choose(input) : undefined
  return chosen?.ok && chosen.value.kind === 'change' ? chosen.value : undefined
}
