import { no, type Result } from '../../lib/result.ts'
import { isServiceError } from '../../lib/services/errors.ts'
import { traitsOf } from '../../lib/things/kinds.ts'
import { didYouMean } from '../../lib/view/did-you-mean.ts'
import { fewNames } from '../../lib/view/format.ts'
import { asTyped } from '../../lib/view/outside.ts'
import { type Refusal, refusal, refusals } from '../../lib/view/refusals.ts'
import type { ThingKind, ThingReference } from '../../lib/view/thing.ts'
import { joinWords, type Words } from '../../lib/view/words.ts'
import type { Actor } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import type { Candidate } from '../command/pack.ts'
import { isThingKind, type Param, siblingThings } from '../command/params.ts'
import { refusalOf } from '../context/error-refusals.ts'
import type { Core } from '../core.ts'
import { whoMayRun } from '../policy/listed.ts'
import { mayRun } from '../policy/people.ts'
import { candidatesFor, eachOnce, ownersOf } from './candidates.ts'
import { thingLabels } from './label.ts'
import { eachPerson, nameKey } from './people.ts'
import { commandsShowing, thingsOfKind } from './sources.ts'

const maxNear = 5

/** What is called almost so. People are searched by the beginning of what was typed, since the rest may be wrong. */
export const nearestTo = async (
  core: Core,
  actor: Actor,
  kinds: readonly ThingKind[],
  typed: string,
  within: readonly ThingReference[],
): Promise<Candidate[]> => {
  const key = nameKey(typed)
  if (key.length < 3 || key.length > 60) return []
  try {
    const found = await Promise.all(
      [...kinds, ...ownersOf(kinds)].map((kind) =>
        thingsOfKind(core, actor, kind, { typed: key.slice(0, 3), within }),
      ),
    )
    const near = eachOnce(found.flat()).filter((one) => isNear(key, one))
    return (await eachPerson(core, actor, near)).slice(0, maxNear)
  } catch (error) {
    core.log.debug({ err: error, kinds }, 'nothing near a name could be looked up')
    return []
  }
}

/** By its name, a word of it, or its id. Another digit is another thing and no slip, and no money goes by the slip of an id. */
const isNear = (key: string, { kind, id, name = '' }: Candidate): boolean => {
  const whole = nameKey(name)
  const words = [whole, ...whole.split(/\s+/), ...(traitsOf(kind).money ? [] : [nameKey(id)])]
  const known = words.filter((word) => word !== '' && digitsIn(word) === digitsIn(key))
  return didYouMean(key, known) !== undefined
}

const digitsIn = (text: string): string => text.replace(/\D/g, '')

/** What comes of a command; of something that is not there, what comes nearest is said. */
export const withNearestNames = async <T>(
  core: Core,
  actor: Actor,
  command: Command,
  given: Readonly<Record<string, unknown>>,
  work: () => Promise<Result<T>>,
): Promise<Result<T>> => {
  const done = await work().catch((error: unknown) => {
    if (isServiceError(error) && error.kind === 'not_found') return no(refusalOf(core, error))
    throw error
  })
  return done.ok ? done : no(await withNearest(core, actor, command, given, done.refusal))
}

/** Of something that is not there: what comes nearest to it, and where to look for what is. */
const withNearest = async (
  core: Core,
  actor: Actor,
  command: Command,
  given: Readonly<Record<string, unknown>>,
  refused: Refusal,
): Promise<Refusal> => {
  const { code, field } = refused
  const all = thingsGiven(command, given).filter(({ param }) => field === undefined || param.name === field)
  if (code === 'bad_value') {
    const named = field === undefined ? undefined : all.find(({ typed }) => isName(typed))
    return named === undefined ? refused : noneCalled(core, actor, named.param, named.typed)
  }
  if (code !== 'not_found' && code !== 'plain_word') return refused
  const missed = await firstUnknown(core, actor, all)
  if (missed === undefined) return refused
  const { param, kinds, typed } = missed
  const near = await nearestTo(core, actor, kinds, typed, siblingThings(command, given, param))
  const isOwn = refused.next !== refusals[code][1]
  const before = near.length === 0 ? [] : [`The nearest: ${thingLabels(near).join(', ')}.`]
  const after = isOwn ? [] : await wayTo(core, actor, kinds)
  const around = (next: Words): Words =>
    joinWords([...before, ...(isOwn || after.length === 0 ? [next] : []), ...after], ' ')
  return {
    ...refused,
    next: around(refused.next),
    ...(refused.fields && { fields: { ...refused.fields, next: around(refused.fields.next) } }),
  }
}

/** Words that no id has are a name: the form of an id is not what is wrong with them. */
const isName = (typed: string): boolean => /\p{L}/u.test(typed) && /\s/.test(typed.trim())

export const noneCalled = async (
  core: Core,
  actor: Actor,
  { name, kinds }: Pick<Param, 'name' | 'kinds'>,
  typed: string,
): Promise<Refusal> =>
  refusal(
    'bad_value',
    (as) => `${as.name(name)}: no ${kindWords(kinds)} is called ${asTyped(typed.slice(0, 60))}.`,
    {
      field: name,
      next: [
        ...(await wayTo(core, actor, kinds.filter(isThingKind))),
        'Give a name or an id that is there.',
      ].join(' '),
    },
  )

/** "plan", "list or campaign", and "person" for the many that somebody is. */
export const kindWords = (kinds: readonly string[]): string =>
  kinds.length > 1 && kinds.some((kind) => traitsOf(kind).knownBy !== undefined)
    ? 'person'
    : kinds.join(' or ')

type GivenThing = { param: Param; kinds: ThingKind[]; typed: string }

const thingsGiven = ({ params }: Command, given: Readonly<Record<string, unknown>>): GivenThing[] =>
  params.flatMap((param) => {
    const kinds = param.kinds.filter(isThingKind)
    const values = [given[param.name] ?? given[param.flag]].flat()
    return kinds.length === 0
      ? []
      : values.flatMap((typed) => (typeof typed === 'string' ? [{ param, kinds, typed }] : []))
  })

const firstUnknown = async (
  core: Core,
  actor: Actor,
  all: readonly GivenThing[],
): Promise<GivenThing | undefined> => {
  for (const one of all) {
    const found = await candidatesFor(core, actor, one.kinds, one.typed).catch(() => [])
    if (!found.some(({ id, name }) => id === one.typed || name === one.typed)) return one
  }
  return undefined
}

/** The command that lists such things, or who could run it; of colleagues, who there is. */
const wayTo = async (core: Core, actor: Actor, kinds: readonly ThingKind[]): Promise<string[]> => {
  const { registry, policy } = core
  const names = [...new Set(kinds.flatMap((kind) => commandsShowing(core, kind)))]
  const may = (name: string) => mayRun(policy, actor, [name])
  const lists = names.flatMap((name) => {
    const command = registry.get(name)
    const needed = command?.params.filter(({ required }) => required).flatMap((param) => param.kinds) ?? []
    const isList = command?.kind === 'query' && !needed.some((kind) => kinds.some((one) => one === kind))
    return isList && may(name) ? [[name, ...needed].join(' and a ')] : []
  })
  if (lists[0] !== undefined) return [`${lists[0]} lists what there is.`]
  if (names.length > 0 && !names.some(may) && actor.known && actor.agent === undefined)
    return [`Names are read by whoever may run ${names[0]}. ${whoMayRun(policy, actor, names.slice(0, 1))}`]
  if (kinds.some((kind) => traitsOf(kind).perPerson !== undefined) && may('person find'))
    return ['person find and a name shows people and their ids.']
  if (!kinds.includes('colleague')) return []
  const people = await thingsOfKind(core, actor, 'colleague', { typed: '', within: [] })
  return people.length === 0
    ? []
    : [`bellhop.yml lists ${fewNames(people.map(({ name, id }) => name ?? id))}.`]
}
