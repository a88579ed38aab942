import { z } from 'zod'
import type { Asker } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import { coerce, isRawFile, type Raw, type RawFile } from '../command/line/coerce.ts'
import type { Candidate } from '../command/pack.ts'
import { besideParams, isThingKind, type Param, thingsBeside } from '../command/params.ts'
import type { Core } from '../core/core.ts'
import { kindsWith, traitsOf } from '../model/kinds.ts'
import { didYouMean } from '../view/did-you-mean.ts'
import type { ThingKind, ThingReference } from '../view/thing.ts'
import { candidatesFor } from './candidates.ts'
import { thingsOfKind } from './sources.ts'

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
  asker: Asker,
  command: Command,
  given: Record<string, Raw>,
): Promise<Resolved> => {
  const values = { ...given }
  const all = Object.entries(given).flatMap(([key, raw]) => {
    const param = command.params.find(({ name, flag }) => name === key || flag === key)
    return param === undefined ? [] : [{ key, raw, param, kinds: namedKinds(param) }]
  })
  // Most are ids. And a mistake that no name can mend is told without asking a service for names.
  if (!all.some(hasName) || all.some((one) => isRefusedAnyway(command, one))) {
    return { values, unclear: undefined }
  }
  for (const { key, raw, param, kinds } of all) {
    if (kinds.length === 0 || isRawFile(raw)) continue
    const items = itemsIn(raw)
    for (const [at, typed] of items.entries()) {
      if (isId(kinds, typed)) continue
      const within = thingsBeside(command, given, param)
      const found = await meantBy(core, asker, command, kinds, typed, within)
      if (found.length > 1) return { values, unclear: { param, at, typed, candidates: found } }
      const [only] = found
      if (only !== undefined) {
        items[at] = thingValue(param, only)
        continue
      }
      const near = command.kind === 'decision' ? [] : await nearestTo(core, asker, kinds, typed, within)
      if (near.length > 0) return { values, unclear: { param, at, typed, candidates: near, isNear: true } }
    }
    values[key] = Array.isArray(raw) ? items : (items[0] as string)
  }
  return { values, unclear: undefined }
}

const namedKinds = ({ kinds, type }: Param): ThingKind[] =>
  type === 'text' || type === 'list' ? kinds.filter(isThingKind) : []

const itemsIn = (raw: Exclude<Raw, RawFile>): string[] => (Array.isArray(raw) ? [...raw] : [String(raw)])

type Given = { raw: Raw; param: Param; kinds: readonly ThingKind[] }

const hasName = ({ raw, kinds }: Given): boolean =>
  kinds.length > 0 && !isRawFile(raw) && itemsIn(raw).some((typed) => !isId(kinds, typed))

const isRefusedAnyway = (command: Command, { raw, param, kinds }: Given): boolean => {
  const isTaken = (value: Raw) => {
    const read = coerce(param, value)
    if (!read.ok || besideParams.includes(param)) return read.ok
    return z.safeParse(command.input.shape[param.name] as z.core.$ZodType, read.value).success
  }
  if (isRawFile(raw)) return false
  if (kinds.length === 0) return !isTaken(raw)
  const alone = (item: string) => isTaken(param.type === 'list' ? [item] : item)
  // Where any word is taken as an id, a word that is not could be no name either.
  const takesWords = alone('word')
  return itemsIn(raw).some(
    (typed) => (isId(kinds, typed) || (takesWords && !/\s/.test(typed.trim()))) && !alone(typed),
  )
}

/** What a parameter is given for a thing. */
export const thingValue = (
  { by }: Pick<Param, 'by'>,
  { id, name }: Pick<Candidate, 'id' | 'name'>,
): string => (by === 'name' ? (name ?? id) : id)

/** Those with exactly this name or id, or else those that it is a part of; a decision takes no part of a name. */
const meantBy = async (
  core: Core,
  asker: Asker,
  command: Command,
  kinds: readonly ThingKind[],
  typed: string,
  within: readonly ThingReference[],
): Promise<Candidate[]> => {
  const key = keyOf(typed)
  if (key.length < 2) return []
  try {
    for (const among of [kinds, ownersOf(kinds)]) {
      const isOwner = among !== kinds
      const found = among.length === 0 ? [] : await candidatesFor(core, asker, among, typed, within)
      const byId = found.find(({ id }) => id === typed.trim())
      if (byId !== undefined) return [byId]
      const exact = found.filter(({ name = '', keys = [] }) =>
        [name, ...keys, ...(isOwner ? name.split(' ') : [])].some((one) => keyOf(one) === key),
      )
      if (exact.length > 0) return isOwner ? onePerName(exact) : exact
      if (command.kind === 'decision' || isOwner) continue
      const part = found.filter(({ name }) => name !== undefined && keyOf(name).includes(key))
      if (part.length > 0) return part
    }
    return []
  } catch (error) {
    core.log.debug({ err: error, kinds }, 'a name could not be looked up')
    return []
  }
}

/** Who owns something has a name, and links lead from them to it. */
const ownersOf = (kinds: readonly ThingKind[]): ThingKind[] => {
  const isOwned = kinds.some((kind) => traitsOf(kind).perPerson !== undefined)
  return isOwned
    ? kindsWith(({ knownBy }) => knownBy !== undefined).filter((kind) => !kinds.includes(kind))
    : []
}

/** Somebody whom two services know by one whole name is one person: links tell the rest. */
export const onePerName = <T extends Pick<Candidate, 'name'>>(called: readonly T[]): T[] => [
  ...new Map(called.toReversed().map((one) => [one.name?.toLowerCase(), one])).values(),
]

const mostNear = 5

/** What is called almost so. People are searched by the beginning of what was typed, since the rest may be wrong. */
const nearestTo = async (
  core: Core,
  asker: Asker,
  kinds: readonly ThingKind[],
  typed: string,
  within: readonly ThingReference[],
): Promise<Candidate[]> => {
  const key = keyOf(typed)
  if (key.length < 3 || key.length > 60) return []
  const isNear = ({ name }: Candidate) =>
    name !== undefined && didYouMean(key, [keyOf(name), ...keyOf(name).split(/\s+/)]) !== undefined
  try {
    const found = await Promise.all(
      [...kinds, ...ownersOf(kinds)].map((kind) =>
        thingsOfKind(core, asker, kind, { typed: key.slice(0, 3), within }),
      ),
    )
    return found.flat().filter(isNear).slice(0, mostNear)
  } catch (error) {
    core.log.debug({ err: error, kinds }, 'nothing near a name could be looked up')
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

const keyOf = (words: string): string => words.normalize('NFC').trim().toLowerCase()
