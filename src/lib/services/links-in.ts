import { keyOfPair, type LinkEnd, type LinkPair, pairOf } from '../things/link.ts'
import type { CallInput } from './client/request.ts'
import type { LinkFields, SaidLinks } from './endpoints/service-links.ts'
import { type NamedRow, serviceNamed } from './endpoints/tables.ts'
import { isRecord, type OpenRecord } from './read-answer.ts'

/**
 * The ids that an answer names together. Most answers are documented by path only, so records are recognised by the
 * fields that they have, wherever in the answer they stand.
 */
export const linksIn = (
  { name, service, row }: Pick<NamedRow, 'name' | 'service' | 'row'>,
  { params, body }: CallInput,
  data: unknown,
  fields: LinkFields = {},
): LinkPair[] => {
  const { links } = serviceNamed(service)
  if (links === undefined) return []
  const asked = isRecord(params) ? params : {}
  // The answer to a write may only repeat what it was told.
  const told = row.effect === 'read' ? new Set<string>() : new Set(leavesOf([params, body]))
  const pairs = new Map<string, LinkPair>()
  const add = (one: LinkEnd | undefined, other: LinkEnd | undefined) => {
    const pair = pairOf(one, other)
    if (pair === undefined || pairs.size >= maxPairs || pair.every((end) => told.has(end.id))) return
    pairs.set(keyOfPair(pair), pair)
  }
  for (const { key, record } of recordsWithin(data))
    links.seen({ row: name, key, record, asked, fields }, add)
  return [...pairs.values()]
}

/**
 * The links that a request would make if the service kept what it is told: whoever sends it says them. Any field may be the
 * one that is configured to hold an id, now or later.
 */
export const linksSaidBy = ({ service }: Pick<NamedRow, 'service'>, input: CallInput): SaidLinks[] =>
  serviceNamed(service).links?.said?.(input) ?? []

/** The texts and numbers anywhere inside. */
export const leavesOf = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string' || typeof value === 'number') return [String(value).trim()]
  if (typeof value !== 'object' || value === null || depth > deepest) return []
  return Object.values(value).flatMap((one) => leavesOf(one, depth + 1))
}

const maxPairs = 50_000
const deepest = 5

type NamedRecord = { key: string; record: OpenRecord }

/** Every record in an answer, with the name it stands under. `user` is the account that we sign in with, and nobody else. */
export const recordsWithin = (
  data: unknown,
  key = '',
  depth = 0,
  found: NamedRecord[] = [],
): NamedRecord[] => {
  if (depth > deepest) return found
  if (Array.isArray(data)) {
    for (const one of data) recordsWithin(one, key, depth + 1, found)
  } else if (isRecord(data)) {
    found.push({ key, record: data })
    for (const name of Object.keys(data)) {
      if (name !== 'user' && typeof data[name] === 'object') recordsWithin(data[name], name, depth + 1, found)
    }
  }
  return found
}
