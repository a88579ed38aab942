import { z } from 'zod'
import { traitsOf } from '../../lib/things/kinds.ts'
import type { ThingKind, ThingReference } from '../../lib/view/thing.ts'
import type { Actor } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import { coerce, isRawFile, type Raw, type RawFile } from '../command/line/coerce.ts'
import type { Candidate } from '../command/pack.ts'
import { besideParams, isThingKind, type Param, siblingThings } from '../command/params.ts'
import type { Core } from '../core.ts'
import { settledBeside } from './beside.ts'
import { candidatesFor, ownersOf } from './candidates.ts'
import { candidatesOverLinks, isWrittenFor, numberOfPeople, thoseWhoShare } from './linked.ts'
import { nearestTo } from './nearest.ts'
import { eachPerson, nameKey } from './people.ts'
import { sourceOf } from './sources.ts'

/** Several things that a word could mean: `at` is its place in a list. */
export type Unclear = {
  param: Param
  at: number
  typed: string
  candidates: Candidate[]
  /** None is called so; these come nearest. */
  isNear?: true
}

export type Resolved = { values: Record<string, Raw>; unclear: Unclear | undefined }

/**
 * Puts ids in the place of names. A name is replaced where it leads to exactly one thing; what is an id by its looks,
 * and what leads to nothing, stays as it was typed.
 */
export const withIds = async (
  core: Core,
  actor: Actor,
  command: Command,
  given: Record<string, Raw>,
): Promise<Resolved> => {
  const values = { ...given }
  const all = Object.entries(given).flatMap(([key, raw]) => {
    const param = command.params.find(({ name, flag }) => name === key || flag === key)
    return param === undefined ? [] : [{ key, raw, param, kinds: namedKinds(param) }]
  })
  // Most are ids. And a mistake that no name can mend is told without asking a service for names.
  if (!all.some((one) => hasName(command, one)) || all.some((one) => isRefusedAnyway(command, one))) {
    return { values, unclear: undefined }
  }
  for (const { key, raw, param, kinds } of all) {
    if (kinds.length === 0 || isRawFile(raw)) continue
    const items = itemsIn(raw)
    for (const [at, typed] of items.entries()) {
      if (isId(kinds, typed)) {
        if (param.by === 'name') {
          const named = await candidatesFor(core, actor, kinds, typed).catch(() => [])
          const [known] = named.filter(({ id }) => id === typed)
          if (known !== undefined) items[at] = thingValue(param, known)
          continue
        }
        const led = isToFollow(command, { param, kinds }, typed)
          ? await ledTo(core, actor, kinds, typed)
          : await thoseWhoShare(core, actor, kinds, typed).catch(() => [])
        if (led.length > 1) return { values, unclear: { param, at, typed, candidates: led } }
        items[at] = led[0]?.id ?? typed
        continue
      }
      const within = await settledBeside(core, actor, siblingThings(command, values, param))
      const found = await meantBy(core, actor, command, kinds, typed, within)
      if (found.length > 1) return { values, unclear: { param, at, typed, candidates: found } }
      const [only] = found
      if (only !== undefined) {
        items[at] = thingValue(param, only)
        continue
      }
      const near = command.kind === 'decision' ? [] : await nearestTo(core, actor, kinds, typed, within)
      if (near.length > 0 || (await isNameOfNone(core, actor, param, kinds, typed)))
        return { values, unclear: { param, at, typed, candidates: near, isNear: true } }
    }
    values[key] = Array.isArray(raw) ? items : (items[0] as string)
  }
  return { values, unclear: undefined }
}

const namedKinds = ({ kinds, type }: Param): ThingKind[] =>
  type === 'text' || type === 'list' ? kinds.filter(isThingKind) : []

const itemsIn = (raw: Exclude<Raw, RawFile>): string[] => (Array.isArray(raw) ? [...raw] : [String(raw)])

type Given = { raw: Raw; param: Param; kinds: readonly ThingKind[] }

const hasName = (command: Command, { raw, param, kinds }: Given): boolean =>
  kinds.length > 0 &&
  !isRawFile(raw) &&
  (param.by === 'name' ||
    itemsIn(raw).some(
      (typed) =>
        !isId(kinds, typed) ||
        isToFollow(command, { param, kinds }, typed) ||
        numberOfPeople(kinds, typed) !== undefined,
    ))

/** A name by its looks or its place, where everything that has one could be read and nothing is called so. */
const isNameOfNone = async (
  core: Core,
  actor: Actor,
  { by }: Param,
  kinds: readonly ThingKind[],
  typed: string,
): Promise<boolean> => {
  if (by !== 'name' && !/\s/.test(typed.trim())) return false
  if (!kinds.every((kind) => traitsOf(kind).byName === true && sourceOf(core, kind) !== undefined))
    return false
  const all = await candidatesFor(core, actor, kinds, '').catch(() => [])
  return all.length > 0
}

/** An address or a number that links lead on from, where the command takes only what they lead to. */
const isToFollow = (command: Command, { param, kinds }: Omit<Given, 'raw'>, typed: string): boolean =>
  kinds.some((kind) => isWrittenFor(kind, typed)) && !takesAlone(command, param, typed)

const ledTo = async (
  core: Core,
  actor: Actor,
  kinds: readonly ThingKind[],
  typed: string,
): Promise<Candidate[]> => {
  const found = await Promise.all(
    kinds.map((kind) => candidatesOverLinks(core, actor, kind, typed).catch(() => [])),
  )
  return found.flat()
}

const takesAlone = (command: Command, param: Param, item: string): boolean =>
  isTaken(command, param, param.type === 'list' ? [item] : item)

const isTaken = (command: Command, param: Param, value: Raw): boolean => {
  const read = coerce(param, value)
  if (!read.ok || besideParams.includes(param)) return read.ok
  return z.safeParse(command.input.shape[param.name] as z.core.$ZodType, read.value).success
}

const isRefusedAnyway = (command: Command, { raw, param, kinds }: Given): boolean => {
  if (isRawFile(raw)) return false
  if (kinds.length === 0) return !isTaken(command, param, raw)
  // Where any word is taken as an id, a word that is not could be no name either.
  const takesWords = takesAlone(command, param, 'word')
  return itemsIn(raw).some(
    (typed) =>
      (isId(kinds, typed) || (takesWords && !/\s/.test(typed.trim()))) &&
      !takesAlone(command, param, typed) &&
      !isToFollow(command, { param, kinds }, typed),
  )
}

/** What a parameter is given for a thing. */
export const thingValue = (
  { by }: Pick<Param, 'by'>,
  { id, name }: Pick<Candidate, 'id' | 'name'>,
): string => (by === 'name' ? (name ?? id) : id)

/** Those with exactly this name or id, or else those that it is a part of; a decision takes no part of a name, and no money goes by one. */
const meantBy = async (
  core: Core,
  actor: Actor,
  command: Command,
  kinds: readonly ThingKind[],
  typed: string,
  within: readonly ThingReference[],
): Promise<Candidate[]> => {
  const key = nameKey(typed)
  if (key.length < 2) return []
  try {
    for (const among of [kinds, ownersOf(kinds)]) {
      const isOwner = among !== kinds
      const found = among.length === 0 ? [] : await candidatesFor(core, actor, among, typed, within)
      const byId = found.find(({ id }) => id === typed.trim())
      if (byId !== undefined) return [byId]
      const exact = found.filter(({ name = '', keys = [] }) =>
        [name, ...name.split(' · '), ...keys, ...(isOwner ? name.split(' ') : [])].some(
          (one) => nameKey(one) === key,
        ),
      )
      if (exact.length > 0) return eachPerson(core, actor, exact)
      if (command.kind === 'decision' || isOwner) continue
      const part = found.filter(
        ({ kind, name }) =>
          name !== undefined && nameKey(name).includes(key) && traitsOf(kind).money !== true,
      )
      if (part.length > 0) return eachPerson(core, actor, part)
    }
    return []
  } catch (error) {
    core.log.debug({ err: error, kinds }, 'a name could not be looked up')
    return []
  }
}

/** Ids have a sign that names rarely have; what has none is looked up. */
const isId = (kinds: readonly ThingKind[], typed: string): boolean => {
  const word = typed.trim()
  if (/^[a-z]{2,6}-\d{1,12}$/i.test(word)) return false
  if (kinds.every((kind) => kind === 'change')) return /^[a-z\d]{10}$/.test(word)
  if (!/[\p{L}\p{So}]/u.test(word)) return true
  if (/\s/.test(word)) return false
  if (word.includes('@') || /^[0-9a-f]{24}$/i.test(word)) return true
  return !kinds.every((kind) => traitsOf(kind).knownBy !== undefined) && /[_\d]/.test(word)
}
