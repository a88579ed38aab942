import { traitsOf } from '../../lib/things/kinds.ts'
import { addressKind, isSameEnd, type LinkEnd, linkEnd, numberKind } from '../../lib/things/link.ts'
import type { ThingKind } from '../../lib/view/thing.ts'
import type { Actor } from '../command/context.ts'
import type { Candidate } from '../command/pack.ts'
import { readContext } from '../context/command-context.ts'
import type { Core } from '../core.ts'

/** Somebody as one service has them, with everything that they are known to go by. */
export type PersonRow = Candidate & { ends: readonly LinkEnd[] }

/** Somebody who is in several services is one to choose: links tell what the rows themselves do not. */
export const eachPerson = async (
  core: Core,
  actor: Actor,
  found: readonly Candidate[],
): Promise<Candidate[]> => {
  const people = found.filter(({ kind }) => isPerson(kind))
  if (new Set(people.map(({ kind }) => kind)).size < 2) return [...found]
  const { links } = readContext(core, actor)
  const rows = await Promise.all(
    found.map(async (one): Promise<PersonRow> => {
      const own = endsOf(one)
      const linked = await Promise.all(
        isPerson(one.kind) ? own.slice(0, 1).map((end) => links.personOf(end)) : [],
      )
      return { ...one, ends: [...own, ...linked.flatMap(({ ends }) => ends.filter(isOfOne))] }
    }),
  )
  return onePerPerson(rows).map(({ ends: _, ...one }) => one)
}

/**
 * Rows that share an id, an address or a number, or a whole name, are one person unless something contradicts that: two of
 * what nobody has two of. Where of several with one name some contradict each other, the name alone joins nobody.
 */
export const onePerPerson = (rows: readonly PersonRow[]): PersonRow[] => {
  const byKeys = joinedByKeys(rows.map((row) => [row]))
  const named = Map.groupBy(byKeys, (group) => nameIn(group) ?? group)
  return [...named.values()].flatMap((same) =>
    isOnePerson(same) ? [asOne(same.flat())] : same.map((group) => asOne(group)),
  )
}

/** Until nothing joins any more: a later row may bring two together. */
const joinedByKeys = (groups: readonly PersonRow[][]): PersonRow[][] => {
  const kept: PersonRow[][] = []
  for (const group of groups) {
    const own = kept.find((one) => isSharing(one, group) && !isContradicted(one, group))
    if (own === undefined) kept.push([...group])
    else own.push(...group)
  }
  return kept.length === groups.length ? kept : joinedByKeys(kept)
}

const isOnePerson = (groups: readonly PersonRow[][]): boolean =>
  groups.every((one, at) => groups.slice(at + 1).every((other) => !isContradicted(one, other)))

const isSharing = (some: readonly PersonRow[], others: readonly PersonRow[]): boolean => {
  const [ours, theirs] = [some, others].map((rows) =>
    rows.flatMap(({ kind, ends }) => (isPerson(kind) ? ends : [])),
  )
  return hasCommon(ours ?? [], theirs ?? [])
}

/** Both have ids, addresses or numbers of a kind of which people have one, and none of them in common. */
const isContradicted = (one: readonly PersonRow[], other: readonly PersonRow[]): boolean => {
  const [left, right] = [one, other].map((rows) => rows.flatMap(({ ends }) => ends)) as [LinkEnd[], LinkEnd[]]
  return [...new Set(left.map(({ kind }) => kind))].some((kind) => {
    const [ours, theirs] = [left, right].map((ends) => ends.filter((end) => end.kind === kind))
    return (theirs?.length ?? 0) > 0 && !hasCommon(ours ?? [], theirs ?? [])
  })
}

const hasCommon = (some: readonly LinkEnd[], others: readonly LinkEnd[]): boolean =>
  some.some((end) => others.some((other) => isSameEnd(end, other)))

/** The whole name of people; other things are nobody's. */
const nameIn = (group: readonly PersonRow[]): string | undefined => {
  const name = group.find((one) => isPerson(one.kind) && one.name !== undefined && one.name !== one.id)?.name
  return name === undefined || name.includes('@') ? undefined : nameKey(name)
}

/** The row that tells most: with an address, else with a number; what it lacks is taken from the others. */
const asOne = (rows: readonly PersonRow[]): PersonRow => {
  const [first, ...others] = rows.toSorted((one, other) => rankOf(one.kind) - rankOf(other.kind))
  if (others.length === 0) return first as PersonRow
  const all = [first as PersonRow, ...others]
  const name = all.find((one) => one.name !== undefined && !one.name.includes('@'))?.name
  const keys = [...new Set(all.flatMap(({ id, keys: known = [] }) => [id, ...known]))]
  return {
    ...(first as PersonRow),
    ...(name === undefined ? {} : { name }),
    keys,
    ends: all.flatMap(({ ends }) => ends),
  }
}

const rankOf = (kind: ThingKind): number => {
  const { knownBy } = traitsOf(kind)
  return knownBy === 'address' ? 0 : knownBy === 'number' ? 1 : 2
}

const isPerson = (kind: ThingKind): boolean => traitsOf(kind).perPerson === 'one'

const isOfOne = ({ kind }: LinkEnd): boolean =>
  kind === addressKind || kind === numberKind || traitsOf(kind).perPerson === 'one'

/** Its own id first, then the addresses and numbers that stand in the row. */
const endsOf = ({ kind, id, beside = '', keys = [] }: Candidate): LinkEnd[] => {
  const own = linkEnd(traitsOf(kind).knownBy === 'address' && id.includes('@') ? addressKind : kind, id)
  const written = [beside, ...keys].flatMap(
    (text) => linkEnd(addressKind, text) ?? linkEnd(numberKind, text) ?? [],
  )
  return [...(own === undefined ? [] : [own]), ...written]
}

export const nameKey = (words: string): string => words.normalize('NFC').trim().toLowerCase()
