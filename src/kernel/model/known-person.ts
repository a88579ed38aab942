import { traitsOf } from '../../lib/things/kinds.ts'
import {
  addressKind,
  isSameEnd,
  keyOfEnd,
  type Link,
  type LinkEnd,
  type LinkKind,
} from '../../lib/things/link.ts'

/** An id that belongs to somebody, and the link that says so; the one that was asked about has none. */
export type KnownEnd = LinkEnd & { link: Link | undefined }

/**
 * What links say of one person. Where more than one of a kind could be meant, all of them are here and nothing is
 * followed further from them: two people may share a number, and links may contradict each other.
 */
export type KnownPerson = { start: LinkEnd; ends: KnownEnd[] }

/**
 * Follows links from one id to everything that belongs to the same person. `linksOf` gives the links of some ids. With
 * `onlyAgreeing`, nothing is followed from an address to what has another address as well: looked at from there, links
 * contradict each other, and whose it is nobody knows.
 */
export const followLinks = async (
  start: LinkEnd,
  linksOf: (ends: readonly LinkEnd[]) => Promise<Link[]>,
  onlyAgreeing = false,
): Promise<KnownPerson> => {
  const ends = new Map<string, KnownEnd>([[keyOfEnd(start), { ...start, link: undefined }]])
  const cut: Link[] = []
  let frontier: LinkEnd[] = [start]
  for (let step = 0; frontier.length > 0 && step < maxSteps; step++) {
    const found: KnownEnd[] = []
    const links = await linksOf(frontier)
    cut.push(...links.filter(({ isOff }) => isOff))
    for (const link of links.filter(({ isOff }) => !isOff)) {
      for (const here of frontier.filter((one) => link.ends.some((end) => isSameEnd(end, one)))) {
        const there = link.ends.find((end) => !isSameEnd(end, here))
        if (there !== undefined) found.push({ ...there, link })
      }
    }
    const agreeing = onlyAgreeing ? await withoutContradicted(found, linksOf, start.kind) : found
    const fresh = new Map(
      agreeing
        .filter((one) => !ends.has(keyOfEnd(one)) && !isCutFrom(one, ends, cut))
        .map((one) => [keyOfEnd(one), one]),
    )
    for (const [key, one] of fresh) ends.set(key, one)
    frontier = [...fresh.values()].filter(
      ({ kind }) => !isLeaf(kind) && [...ends.values()].filter((one) => one.kind === kind).length === 1,
    )
  }
  return { start, ends: [...ends.values()] }
}

/**
 * One customer with two addresses is as much a contradiction as one address with two customers, also where the second is led
 * there by way of others.
 */
const withoutContradicted = async (
  found: readonly KnownEnd[],
  linksOf: (ends: readonly LinkEnd[]) => Promise<Link[]>,
  startKind: LinkKind,
): Promise<KnownEnd[]> => {
  // Where there are several of a kind, none of them is followed anyway, and all of them are to be seen.
  const isOnly = ({ kind, id }: KnownEnd) => found.every((one) => one.kind !== kind || one.id === id)
  const looked = found.filter((one) => isOnly(one) && one.link?.ends.every(({ kind }) => isOfOne(kind)))
  const agree = await Promise.all(looked.map((one) => isOfOnePerson(one, linksOf, startKind)))
  return found.filter((one) => agree[looked.indexOf(one)] ?? true)
}

/** Whether one alone of the kind that was asked about leads there, and one alone of the kind just before it. */
const isOfOnePerson = async (
  to: KnownEnd,
  linksOf: (ends: readonly LinkEnd[]) => Promise<Link[]>,
  startKind: LinkKind,
): Promise<boolean> => {
  const from = to.link?.ends.find((end) => !isSameEnd(end, to))?.kind
  const leading = new Map<string, LinkEnd>([[keyOfEnd(to), to]])
  let frontier: LinkEnd[] = [to]
  for (let step = 0; frontier.length > 0 && step < maxSteps; step++) {
    const links = (await linksOf(frontier)).filter(({ isOff }) => !isOff)
    const ends = links.flatMap(({ ends }) => (ends.every(({ kind }) => isOfOne(kind)) ? ends : []))
    const fresh = new Map(
      ends.filter((end) => !leading.has(keyOfEnd(end))).map((end) => [keyOfEnd(end), end]),
    )
    for (const [key, end] of fresh) leading.set(key, end)
    frontier = [...fresh.values()]
    const hasTwo = (kind: LinkKind) => [...leading.values()].filter((end) => end.kind === kind).length > 1
    if (hasTwo(startKind) || (step === 0 && from !== undefined && hasTwo(from))) return false
  }
  return true
}

/** Of which one person has one. */
const isOfOne = (kind: LinkKind): boolean => kind === addressKind || traitsOf(kind).perPerson === 'one'

const maxSteps = 6
/** Somebody may have many of these, and each leads back to whom it came from. */
const isLeaf = (kind: LinkKind): boolean => {
  const { perPerson } = traitsOf(kind)
  return perPerson === 'some' || perPerson === 'many'
}

/** Cut by hand from one who is part of this person. */
const isCutFrom = (one: LinkEnd, ends: ReadonlyMap<string, LinkEnd>, cut: readonly Link[]): boolean =>
  cut.some(
    ({ ends: [left, right] }) =>
      (isSameEnd(left, one) && ends.has(keyOfEnd(right))) ||
      (isSameEnd(right, one) && ends.has(keyOfEnd(left))),
  )

export const endsOfKind = ({ ends }: KnownPerson, kind: LinkKind): KnownEnd[] =>
  ends.filter((one) => one.kind === kind)
