import { traitsOf } from './kinds.ts'
import { isSameEnd, keyOfEnd, type Link, type LinkEnd, type LinkKind } from './link.ts'

/** An id that belongs to somebody, and the link that says so; the one that was asked about has none. */
export type KnownEnd = LinkEnd & { link: Link | undefined }

/**
 * What links say of one person. Where more than one of a kind could be meant, all of them are here and nothing is
 * followed further from them: two people may share a number, and links may contradict each other.
 */
export type KnownPerson = { start: LinkEnd; ends: KnownEnd[] }

/** Follows links from one id to everything that belongs to the same person. `linksOf` gives the links of some ids. */
export const followLinks = async (
  start: LinkEnd,
  linksOf: (ends: readonly LinkEnd[]) => Promise<Link[]>,
): Promise<KnownPerson> => {
  const ends = new Map<string, KnownEnd>([[keyOfEnd(start), { ...start, link: undefined }]])
  const cut: Link[] = []
  let frontier: LinkEnd[] = [start]
  for (let step = 0; frontier.length > 0 && step < mostSteps; step++) {
    const found: KnownEnd[] = []
    const links = await linksOf(frontier)
    cut.push(...links.filter(({ isOff }) => isOff))
    for (const link of links.filter(({ isOff }) => !isOff)) {
      for (const here of frontier.filter((one) => link.ends.some((end) => isSameEnd(end, one)))) {
        const there = link.ends.find((end) => !isSameEnd(end, here))
        if (there !== undefined) found.push({ ...there, link })
      }
    }
    const fresh = new Map(
      found
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

const mostSteps = 6
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
