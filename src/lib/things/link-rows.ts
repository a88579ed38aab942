import { keyOfPair, type Link, type LinkPair } from './link.ts'

/**
 * Who or what named a pair: a service in an answer, a person by hand, with somebody else's approval or without, or a person
 * who wrote it into a field of a service.
 */
type LinkVia = 'hand' | 'approved' | 'field' | (string & {})

/**
 * How far what a service shows may lead. `money`: to money, because nobody here writes these ids there. `unless written`:
 * to money as well, but what somebody here wrote there counts as their word. `view`: people type it anywhere, so it leads to
 * nobody's money. `their word`: customers can write it there themselves, so it is said by them, not seen.
 */
export type LinkTrust = 'money' | 'unless written' | 'their word' | 'view'

/** One word about a pair; each service, and each way of saying it, has at most one. */
export type LinkRow = {
  ends: LinkPair
  via: LinkVia
  /** The endpoint that taught it. */
  source: string
  at: number
  /** Who said it, by name where it is known. */
  by: string | null
  approvedBy: string | null
  approvedAt: number | null
  isOff: boolean
}

/** What the links are wanted for. */
export type LinkUse = 'view' | 'money'

/**
 * The links that these rows make. This is the one place that decides what may steer money: what a service showed and
 * nobody here wrote there, and what somebody said and somebody else approved.
 */
export const linksFrom = (
  rows: readonly LinkRow[],
  use: LinkUse,
  trustIn: (service: string, ends: LinkPair) => LinkTrust,
): Link[] => {
  const pairs = Map.groupBy(rows, ({ ends }) => keyOfPair(ends))
  return [...pairs.values()].flatMap((about) => linkFrom(about, use, trustIn) ?? [])
}

const linkFrom = (
  about: readonly LinkRow[],
  use: LinkUse,
  trustIn: (service: string, ends: LinkPair) => LinkTrust,
): Link | undefined => {
  const by = (via: LinkVia) => about.find((one) => one.via === via)
  const trusted = (trust: LinkTrust) =>
    about.find(({ via, ends }) => !words.has(via) && trustIn(via, ends) === trust)
  const [approved, hand, field] = [by('approved'), by('hand'), by('field')]
  const isHandNewer = use === 'view' && hand !== undefined && hand.at > (approved?.at ?? 0)
  const word = isHandNewer ? hand : approved
  if (word?.isOff) return said(word)
  if (approved !== undefined && !approved.isOff) return said(approved)
  const sure = trusted('money')
  if (sure !== undefined) return seen(sure)
  const shown = trusted('unless written') ?? (use === 'view' ? trusted('view') : undefined)
  if (shown !== undefined && field === undefined) return seen(shown)
  if (use === 'money') return undefined
  if (shown !== undefined && field !== undefined) return said(field)
  const theirWord = trusted('their word')
  if (theirWord !== undefined && word === undefined) {
    return said(field ?? { ...theirWord, via: 'field', by: 'the customer' })
  }
  return word && said(word)
}

/** What people say; every other way is a service. */
const words: ReadonlySet<string> = new Set(['hand', 'approved', 'field'])

const seen = ({ ends, source, at }: LinkRow): Link => ({
  ends,
  provenance: { kind: 'seen', source, at },
  isOff: false,
})

const said = ({ ends, via, by, at, approvedBy, approvedAt, isOff }: LinkRow): Link => ({
  ends,
  provenance: {
    kind: 'said',
    how: via === 'field' ? 'field' : 'hand',
    by: by ?? 'somebody',
    at,
    approved: via === 'approved' && approvedBy !== null ? { by: approvedBy, at: approvedAt ?? at } : null,
  },
  isOff,
})
