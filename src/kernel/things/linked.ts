import { defined } from '../../lib/defined.ts'
import { no, ok, type Result } from '../../lib/result.ts'
import { allServices, type RowId } from '../../lib/services/endpoints/tables.ts'
import { ifReadable } from '../../lib/services/read-answer.ts'
import { traitsOf } from '../../lib/things/kinds.ts'
import { addressKind, type LinkEnd, type LinkKind, linkEnd, numberKind } from '../../lib/things/link.ts'
import { asTyped } from '../../lib/view/outside.ts'
import { type Refusal, refusal } from '../../lib/view/refusals.ts'
import type { ThingKind } from '../../lib/view/thing.ts'
import { flagOf, inFields, type Wording, type Writing, worded } from '../../lib/view/wording.ts'
import type { Actor, ReadContext } from '../command/context.ts'
import type { Parsed } from '../command/line/parse.ts'
import type { Candidate, ThingSource } from '../command/pack.ts'
import { isThingKind, type Param } from '../command/params.ts'
import { readContext } from '../context/command-context.ts'
import type { Core } from '../core.ts'
import { type IdShape, isOfPeople, shapeOfId, withArticle } from '../model/id-shape.ts'
import { endsOfKind } from '../model/known-person.ts'
import { candidatesFor } from './candidates.ts'
import { thingLabels } from './label.ts'
import { eachPerson } from './people.ts'
import { sourceOf } from './sources.ts'

/** The input with ids in the place of addresses and numbers, or the parameter that several ids could be meant by. */
export type Linked =
  | { input: Parsed['input'] }
  | { param: Param; choices: { values: Record<string, string>; words?: string }[] }

/**
 * Whatever takes something that belongs to a person takes what leads to it over links: an address, a number, the id of something else. What looks like something else and leads nowhere is refused.
 */
export const withLinkedIds = async (
  core: Core,
  actor: Actor,
  { command, input }: Pick<Parsed, 'command' | 'input'>,
): Promise<Result<Linked>> => {
  const resolved = { ...input }
  const context = readContext(core, actor)
  for (const param of command.params) {
    const value = input[param.name]
    const [kind, ...more] = param.kinds
    // What takes several kinds finds out itself which one is meant.
    if (typeof value === 'string' && more.length === 0 && isLinked(kind)) {
      const start = await startOf(kind, value, context)
      const isMeant = start?.kind === numberKind && param.by === 'number'
      const found =
        start === undefined || isMeant
          ? undefined
          : await idsFrom(core, start, kind, value, command.name, context)
      if (found?.ok === false) return found
      const [first, ...others] = found?.value ?? []
      if (first !== undefined && (others.length > 0 || isAsked(kind))) {
        const ownerKind = sourceOf(core, kind)?.owned?.by
        const owner = command.params.find(({ kinds }) => kinds.length === 1 && kinds[0] === ownerKind)
        const labels = await labelsOf(core, actor, kind, [first, ...others])
        const choices = [first, ...others].map(({ id, owner: whose }, at) => ({
          values: {
            [param.name]: id,
            ...(owner === undefined || whose === undefined ? {} : { [owner.name]: whose }),
          },
          ...defined({ words: labels[at] }),
        }))
        return ok({ param, choices })
      }
      // Where a number is meant, it stays the one that was typed, whoever has it.
      if (isMeant) continue
      if (first !== undefined) {
        resolved[param.name] = first.id
        continue
      }
      if (start !== undefined && isPayer(kind)) {
        return no(await noPayer(kind, start, value, context, param.name))
      }
      if (start !== undefined && param.by === 'number') return no(unlinked(kind, value, param.name))
    }
    const refused = await misfitIn(core, actor, param, value)
    if (refused !== undefined) return no(refused)
  }
  return ok({ input: resolved })
}

/** What looks like something else than the parameter takes, and is not known as what it takes. */
const misfitIn = async (
  core: Core,
  actor: Actor,
  param: Param,
  value: unknown,
): Promise<Refusal | undefined> => {
  const kinds = param.kinds.filter(isThingKind)
  // The bot knows its own changes and jobs, and a name may look like anything.
  if (param.by === 'name' || kinds.some((kind) => kind === 'change' || kind === 'job')) return undefined
  if (kinds.length === 0 && !param.isId) return undefined
  for (const item of [value].flat()) {
    const shape = typeof item === 'string' ? shapeOfId(item) : undefined
    if (typeof item !== 'string' || shape === undefined) continue
    if (kinds.some((kind) => shape.kinds.includes(kind)) || takesLooksOf(kinds, shape)) continue
    if (await isKnownAs(core, actor, kinds, item)) continue
    return misfit(param.name, item, shape, kinds)
  }
  return undefined
}

/** Some are found by an address or a number as well as by their ids. */
const takesLooksOf = (kinds: readonly ThingKind[], shape: IdShape): boolean =>
  isOfPeople(shape) && kinds.some((kind) => traitsOf(kind).knownBy !== undefined)

const isKnownAs = async (
  core: Core,
  actor: Actor,
  kinds: readonly ThingKind[],
  id: string,
): Promise<boolean> => {
  const linked = await readContext(core, actor).links.kindsOf(id)
  if (kinds.length > 1 ? linked.length > 0 : linked.some((kind) => kinds.some((one) => one === kind)))
    return true
  const found = await candidatesFor(core, actor, kinds, id).catch(() => [])
  return found.some((one) => one.id === id || one.name === id)
}

/** The refusal of a value that looks like something else. */
export const misfit = (
  field: string,
  value: string,
  { words }: IdShape,
  kinds: readonly ThingKind[],
  named: Wording = (as) => as.name(field),
): Refusal => {
  const wanted =
    kinds.length === 0
      ? `the ${flagOf(field).replace(/[-_]/g, ' ')}`
      : `the id of ${kinds.map(withArticle).join(' or ')}`
  const what = `${asTyped(value)} looks like ${words}, not like ${wanted}.`
  return refusal('bad_value', (as) => `${worded(named, as)}: ${what}`, {
    field,
    next: `Give ${wanted} as the service writes it. Nothing was sent, and nobody was asked.`,
  })
}

type FoundId = { id: string; owner?: string; words?: string }

const idsFrom = async (
  core: Core,
  start: LinkEnd,
  kind: ThingKind,
  value: string,
  command: string,
  context: ReadContext,
): Promise<Result<FoundId[]>> => {
  const owned = sourceOf(core, kind)?.owned
  return owned === undefined
    ? ok((await leadsTo(kind, start, context)).map((id) => ({ id })))
    : ownedBy(owned, kind, start, value, command, context)
}

/** Somebody may have more of these than links know: which one is meant is always asked. */
const isAsked = (kind: ThingKind): boolean => {
  const { perPerson } = traitsOf(kind)
  return perPerson === 'some' || perPerson === 'many'
}

/** Who pays, and is paid back. */
const isPayer = (kind: ThingKind): boolean => {
  const { money, perPerson } = traitsOf(kind)
  return money === true && perPerson === 'one'
}

/** In the middle of a line, or of what is said of a call. */
const withFlag = (as: Writing, param: string): string =>
  `${as === inFields ? ', with' : ''} ${as.flag(param)}`

const unlinked = (kind: ThingKind, value: string, field?: string) =>
  refusal('not_found', `No ${kind} is linked to ${value}.`, {
    ...(field === undefined ? {} : { field }),
    next: (as) =>
      traitsOf(kind).byHand === undefined
        ? `Give the ${kind} id.`
        : `Give the ${kind} id, or set the link: person link ${value}${withFlag(as, kind)} and the id.`,
  })

/** Somebody may have said who it is; that alone leads to no money, and who said so is named. */
const noPayer = async (
  kind: ThingKind,
  start: LinkEnd,
  value: string,
  { links }: ReadContext,
  field?: string,
) => {
  const said = endsOfKind(await links.personOf(start), kind)
  const [word] = said.flatMap(({ id, link }) =>
    link?.provenance.kind === 'said' ? [{ id, ...link.provenance }] : [],
  )
  if (word === undefined) return unlinked(kind, value, field)
  const service = serviceWith(kind)?.title.toLowerCase() ?? 'any service'
  return refusal(
    'not_found',
    `That ${value} is ${kind} ${word.id} is the word of ${word.by} alone: nothing in ${service} goes by it.`,
    {
      ...(field === undefined ? {} : { field }),
      next: (as) =>
        `Give the ${kind} id, or have the link approved: person link ${value}${withFlag(as, kind)} ${word.id}.`,
    },
  )
}

const serviceWith = (kind: string) =>
  allServices().find(({ kinds }) => kinds !== undefined && Object.hasOwn(kinds, kind))

const maxOwned = 5

/** The newest things of whom an address or an id leads to. */
const ownedBy = async (
  { by, list, none }: NonNullable<ThingSource['owned']>,
  kind: ThingKind,
  start: LinkEnd,
  address: string,
  command: string,
  context: ReadContext,
): Promise<Result<FoundId[]>> => {
  const [owner, ...others] = start.kind === by ? [start.id] : await leadsTo(by, start, context)
  if (owner === undefined) {
    // Of what people have a few, the id is known to some: it can be filled in.
    if (traitsOf(kind).perPerson === 'some') return ok([])
    return no(isPayer(by) ? await noPayer(by, start, address, context) : unlinked(by, address))
  }
  if (others.length > 0) {
    const message = `More than one ${by} is linked to ${address}: ${[owner, ...others].join(', ')}.`
    return no(refusal('bad_value', message, { next: (as) => `Give the id itself, with ${as.flag(by)}.` }))
  }
  const found = await list(owner, context)
  const open = found.filter(({ closedTo = [] }) => !closedTo.includes(command))
  // Where the command would refuse them all, it says itself why.
  const offered = open.length > 0 ? open : found
  return offered.length > 0
    ? ok(
        offered
          .slice(0, maxOwned)
          .map(({ id, words }) => ({ id, owner, ...(words === undefined ? {} : { words }) })),
      )
    : no(refusal('not_found', none(owner)))
}

/** What tells them apart: what came with them, or else what each is called. */
const labelsOf = async (
  core: Core,
  actor: Actor,
  kind: ThingKind,
  found: readonly FoundId[],
): Promise<(string | undefined)[]> => {
  const things = await Promise.all(
    found.map(({ id, words }) => (words === undefined ? called(core, actor, kind, id) : { kind, id })),
  )
  const labels = thingLabels(things)
  return found.map(({ id, words }, at) => words ?? (labels[at] === id ? undefined : labels[at]))
}

/** With its name, where it is known. */
const called = async (core: Core, actor: Actor, kind: ThingKind, id: string): Promise<Candidate> => {
  for (const typed of [id, '']) {
    const found = await candidatesFor(core, actor, [kind], typed).catch(() => [])
    const known = found.find((one) => one.id === id)
    if (known !== undefined) return known
  }
  return { kind, id }
}

/** What an address, a number or another id leads to, by its name. */
export const candidatesOverLinks = async (
  core: Core,
  actor: Actor,
  kind: ThingKind,
  written: string,
): Promise<Candidate[]> => {
  const ids = (await idsOverLinks(kind, written, readContext(core, actor))) ?? []
  return Promise.all(ids.map((id) => called(core, actor, kind, id)))
}

/** Everybody who has a number, where that is more than one person. */
export const thoseWhoShare = async (
  core: Core,
  actor: Actor,
  kinds: readonly ThingKind[],
  written: string,
): Promise<Candidate[]> => {
  const number = numberOfPeople(kinds, written)
  if (number === undefined) return []
  const { ends } = await readContext(core, actor).links.personOf(number)
  const [byAddress, byNumber] = (['address', 'number'] as const).map((key) =>
    kinds.filter((kind) => traitsOf(kind).knownBy === key),
  )
  const addresses = ends.filter(({ kind }) => kind === addressKind)
  const found = await Promise.all([
    ...addresses.flatMap(({ id }) => (byAddress ?? []).map((kind) => called(core, actor, kind, id))),
    candidatesFor(core, actor, byNumber ?? [], number.id).catch(() => []),
  ])
  const people = await eachPerson(core, actor, found.flat())
  return people.length > 1 ? people : []
}

/** A number, where it may be that of anybody. */
export const numberOfPeople = (kinds: readonly ThingKind[], written: string): LinkEnd | undefined =>
  kinds.some((kind) => traitsOf(kind).knownBy === 'address') &&
  kinds.some((kind) => traitsOf(kind).knownBy === 'number')
    ? linkEnd(numberKind, written)
    : undefined

/** Whether links could lead from this address or number to such a thing. */
export const isWrittenFor = (kind: ThingKind, written: string): boolean => {
  if (!isLinked(kind)) return false
  const isAddress = linkEnd(addressKind, written) !== undefined
  return isAddress ? traitsOf(kind).knownBy !== 'address' : linkEnd(numberKind, written) !== undefined
}

const isLinked = (kind: Param['kinds'][number] | undefined): kind is ThingKind =>
  kind !== undefined && traitsOf(kind).perPerson !== undefined

/** The address, the number or the other thing that was written; undefined for an id, and for an address where that is the id. */
const startOf = async (
  kind: ThingKind,
  value: string,
  { links }: ReadContext,
): Promise<LinkEnd | undefined> => {
  const { knownBy, perPerson } = traitsOf(kind)
  const address = linkEnd(addressKind, value)
  if (address !== undefined) return knownBy === 'address' ? undefined : address
  const isSure = value.trim().startsWith('+') || knownBy === 'number'
  const number = isSure || perPerson === 'one' ? linkEnd(numberKind, value) : undefined
  // Digits alone may be an id; with a plus in front they are a number.
  if (number !== undefined) return isSure || !(await links.kindsOf(value)).includes(kind) ? number : undefined
  const kinds = shapeOfId(value)?.kinds ?? []
  const other = kinds.find(isLinked)
  if (other === undefined || kinds.includes(kind) || (await links.kindsOf(value)).includes(kind))
    return undefined
  return linkEnd(other, value)
}

/** The ids of this kind that what was written leads to; undefined where it is such an id itself, or nothing that links know. */
export const idsOverLinks = async (
  kind: ThingKind,
  written: string,
  context: ReadContext,
): Promise<string[] | undefined> => {
  const start = isLinked(kind) ? await startOf(kind, written, context) : undefined
  return start === undefined ? undefined : leadsTo(kind, start, context)
}

/** The ids of this kind that links and look-ups lead to. */
const leadsTo = async (kind: ThingKind, start: LinkEnd, context: ReadContext): Promise<string[]> => {
  const wanted: LinkKind = traitsOf(kind).knownBy === 'address' ? addressKind : kind
  const known = await byLinks(wanted, start, context)
  if (known.length > 0) return known
  const own = serviceWith(kind)
  const teachers = allServices().filter((one) => one === own || one.links?.fields !== undefined)
  const asked = new Set<string>()
  // What one read teaches, such as a number, may be what the next one is asked by.
  for (const service of teachers.toSorted((one, other) => Number(one === own) - Number(other === own))) {
    const ends = (await context.links.personOf(start)).ends.filter(isOfAnybody)
    for (const end of [start, ...ends]) {
      const read = service.links?.teaches?.(end)
      const key = `${service.name} ${JSON.stringify(read)}`
      if (read === undefined || asked.has(key)) continue
      asked.add(key)
      await ifReadable(context.read(`${service.name}.${read.row}` as RowId, read.input))
      const learned = await byLinks(wanted, start, context)
      if (learned.length > 0) return learned
    }
  }
  return []
}

const isOfAnybody = ({ kind }: LinkEnd): boolean => kind === addressKind || kind === numberKind

/** Where several people could be meant, what each of them leads to. */
const byLinks = async (kind: LinkKind, start: LinkEnd, { links }: ReadContext): Promise<string[]> => {
  const known = traitsOf(kind).money === true ? links.payerOf : links.personOf
  const person = await known(start)
  const found = endsOfKind(person, kind).map(({ id }) => id)
  if (found.length > 0) return found
  const others = await Promise.all(
    endsOfKind(person, addressKind)
      .filter(({ id }) => id !== start.id)
      .slice(0, maxPeople)
      .map((end) => known(end)),
  )
  return [...new Set(others.flatMap((one) => endsOfKind(one, kind).map(({ id }) => id)))]
}

const maxPeople = 5
