import { keyOfEnd, type Link, type LinkPair } from './link.ts'

/**
 * Who or what named a pair: a service in an answer, a person by hand, with somebody else's approval or without, or a person
 * who wrote it into a field of a service.
 */
export const linkVias = ['email', 'chat', 'billing', 'hand', 'approved', 'field'] as const

/** One word about a pair; each of `linkVias` has at most one. */
export type LinkRow = {
  ends: LinkPair
  via: (typeof linkVias)[number]
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
 * nobody here wrote there, and what somebody said and somebody else approved. A number in the messaging service is what
 * people type, and leads to nobody's money.
 */
export const linksFrom = (rows: readonly LinkRow[], use: LinkUse): Link[] => {
  const pairs = Map.groupBy(rows, ({ ends }) => ends.map(keyOfEnd).join(' '))
  return [...pairs.values()].flatMap((about) => linkFrom(about, use) ?? [])
}

const linkFrom = (about: readonly LinkRow[], use: LinkUse): Link | undefined => {
  const by = (via: LinkRow['via']) => about.find((one) => one.via === via)
  const [approved, hand, field] = [by('approved'), by('hand'), by('field')]
  const isHandNewer = use === 'view' && hand !== undefined && hand.at > (approved?.at ?? 0)
  const word = isHandNewer ? hand : approved
  if (word?.isOff) return said(word)
  if (approved !== undefined && !approved.isOff) return said(approved)
  const billing = by('billing')
  if (billing !== undefined) return seen(billing)
  const shown = by('email') ?? (use === 'view' ? by('chat') : undefined)
  if (shown !== undefined && field === undefined) return seen(shown)
  if (use === 'money') return undefined
  if (shown !== undefined && field !== undefined) return said(field)
  return word && said(word)
}

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
