import { z } from 'zod'
import type { Asker } from '../command/context.ts'
import type { Command } from '../command/define.ts'
import { coerce, isRawFile, type Raw, type RawFile } from '../command/line/coerce.ts'
import type { Candidate } from '../command/pack.ts'
import { besideParams, isThingKind, type Param, thingsBeside } from '../command/params.ts'
import type { Core } from '../core/core.ts'
import { traitsOf } from '../model/kinds.ts'
import type { ThingKind, ThingReference } from '../view/thing.ts'
import { candidatesFor } from './candidates.ts'

/** Several things that a word could mean: `at` is its place in a list. */
export type Unclear = { param: Param; at: number; typed: string; candidates: Candidate[] }

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
      const found = await meantBy(core, asker, command, kinds, typed, thingsBeside(command, given, param))
      if (found.length > 1) return { values, unclear: { param, at, typed, candidates: found } }
      const [only] = found
      if (only !== undefined) items[at] = thingValue(param, only)
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
    const found = await candidatesFor(core, asker, kinds, typed, within)
    const byId = found.find(({ id }) => id === typed.trim())
    if (byId !== undefined) return [byId]
    const exact = found.filter(({ name }) => name !== undefined && keyOf(name) === key)
    if (exact.length > 0 || command.kind === 'decision') return exact
    return found.filter(({ name }) => name !== undefined && keyOf(name).includes(key))
  } catch (error) {
    core.log.debug({ err: error, kinds }, 'a name could not be looked up')
    return []
  }
}

/** Ids have a sign that names rarely have; what has none is looked up. */
const isId = (kinds: readonly ThingKind[], typed: string): boolean => {
  const word = typed.trim()
  if (!/[\p{L}\p{So}]/u.test(word)) return true
  if (/\s/.test(word)) return false
  if (word.includes('@') || /^[0-9a-f]{24}$/i.test(word)) return true
  return !kinds.every((kind) => traitsOf(kind).knownBy !== undefined) && /[_\d]/.test(word)
}

const keyOf = (words: string): string => words.normalize('NFC').trim().toLowerCase()
