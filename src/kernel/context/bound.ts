import { randomBytes } from 'node:crypto'
import { type CallInput, toRequest } from '../../lib/services/client/request.ts'
import { type NamedRow, rowById } from '../../lib/services/endpoints/tables.ts'
import type { ChangeCommand, ServiceCall } from '../command/define.ts'
import { factsOf } from '../command/facts.ts'
import type { Bound, SentRequest } from '../model/bound.ts'

/** What stands for an id that is made when the request leaves. */
export const newIdMark = '{new id}'

/** The request as the client of its service sends it. Throws where the endpoint does not take it. */
export const sentBy = (named: NamedRow, input: CallInput): SentRequest => {
  const { method, path, body } = toRequest(named, input)
  return { service: named.service, method, path, ...(body !== undefined && { body }) }
}

/** What a plan comes to; `members` are the first of a stored set. */
export const boundOf = (
  definition: ChangeCommand,
  plan: unknown,
  pinned?: { digest: string; members: readonly unknown[] },
): Bound => {
  const facts = factsOf(definition.plan, plan) ?? null
  if (pinned === undefined || definition.bulk === undefined) return { sent: sentOf(definition, plan), facts }
  const [first] = definition.bulk.requests(plan, pinned.members)
  return { sent: first === undefined ? [] : allSent([first]), facts, set: pinned.digest }
}

const sentOf = (definition: ChangeCommand, plan: unknown): SentRequest[] => {
  // Of the same shape as the ids that take its place.
  const id = randomBytes(5).toString('hex')
  const sent = allSent(definition.requests?.(plan, () => id) ?? [])
  return sent.map((one) => withoutIds(one, [id]))
}

export const allSent = (calls: readonly ServiceCall[]): SentRequest[] =>
  calls.map(({ row, input }) => sentBy(rowById(row), input))

/** The request with the mark in the place of ids that were made for it. */
export const withoutIds = ({ body, path, ...sent }: SentRequest, ids: readonly string[]): SentRequest => {
  const marked = (text: string) => ids.reduce((all, id) => all.replaceAll(id, newIdMark), text)
  return { ...sent, path: marked(path), ...(body !== undefined && { body: marked(body) }) }
}
