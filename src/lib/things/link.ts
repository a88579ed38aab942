import type { ThingKind } from '../view/thing.ts'

/** What people are known by everywhere: an address and a number. Stored links have these words. */
export const addressKind = 'email'
export const numberKind = 'phone'

/** What a link can join: ids of the services, and the address and number that people are known by. */
export type LinkKind = typeof addressKind | typeof numberKind | ThingKind

export type LinkEnd = { kind: LinkKind; id: string }

/** Two ids that an answer named together. */
export type LinkPair = readonly [LinkEnd, LinkEnd]

/**
 * Where a link comes from. Seen: an answer of a service named both ids. Said: a person here named them, by hand or by
 * writing them into a field of a service.
 */
export type Provenance =
  | { kind: 'seen'; source: string; at: number }
  | { kind: 'said'; how: 'hand' | 'field'; by: string; at: number; approved: Approval | null }

export type Approval = { by: string; at: number }

/** A link that is off was cut by hand. */
export type Link = { ends: LinkPair; provenance: Provenance; isOff: boolean }

/**
 * The end as it is stored and compared: addresses in small letters, numbers as digits. Undefined for what is none, or
 * cannot be stored.
 */
export const linkEnd = (kind: LinkKind, value: unknown): LinkEnd | undefined => {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const id = normalOf(kind, String(value).trim())
  return id === undefined || id.length > 200 || id.includes('\0') ? undefined : { kind, id }
}

export const keyOfEnd = ({ kind, id }: LinkEnd): string => `${kind}:${id}`

/** No end holds what stands between the two. */
export const keyOfPair = ([one, other]: LinkPair): string => `${keyOfEnd(one)}\0${keyOfEnd(other)}`

export const isSameEnd = (one: LinkEnd, other: LinkEnd): boolean =>
  one.kind === other.kind && one.id === other.id

/** In one order, whichever way round they were named. */
export const pairOf = (one: LinkEnd | undefined, other: LinkEnd | undefined): LinkPair | undefined => {
  if (one === undefined || other === undefined || isSameEnd(one, other)) return undefined
  return keyOfEnd(one) < keyOfEnd(other) ? [one, other] : [other, one]
}

const normalOf = (kind: LinkKind, text: string): string | undefined => {
  if (kind === addressKind) return /^[^\s@]+@[^\s@]+$/.test(text) ? text.toLowerCase() : undefined
  if (kind === numberKind) {
    const digits = text.replace(/^(?:\+|00)/, '').replace(/[\s().\-\u2010-\u2015]/gu, '')
    return /^[1-9]\d{4,14}$/.test(digits) ? digits : undefined
  }
  return text === '' ? undefined : text
}
