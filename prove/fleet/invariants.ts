import { verify } from '../../src/kernel/log/verify.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { saidIn } from './conversation.ts'
import { type Fleet, ticketsIn } from './fleet.ts'

export type Count = { applied: number; unknown: number; failed: number; other: number; effects: number }

/**
 * What must be true when it is over, whatever happened: money moved at most once per approved request, exactly once
 * where the bot says so, never where it says that it did not; nothing is still on its way; the audit chain is whole.
 */
export const checkInvariants = async (
  fleet: Fleet,
  changes: Change[],
): Promise<{ violations: string[]; count: Count }> => {
  const { sandbox, store } = fleet
  const violations: string[] = []
  const count: Count = { applied: 0, unknown: 0, failed: 0, other: 0, effects: 0 }
  const moved = [
    ...sandbox.state.billing.refunds.map(({ description }) => description),
    ...ticketsIn(sandbox).vouchers.map(({ reason = '' }) => reason),
  ]
  for (const change of changes) {
    const { id, state, votes } = change
    const description = saidIn(change)
    const requests = sandbox.wire.filter((entry) => movesMoney(entry, description)).length
    const effects = moved.filter((words) => words === description).length
    count.effects += effects
    count[state === 'applied' || state === 'unknown' || state === 'failed' ? state : 'other']++
    const say = (words: string) => violations.push(`${description} (${id}, ${state}): ${words}`)
    if (requests > 1) say(`${requests} requests on the wire`)
    if (effects > 1) say(`money moved ${effects} times`)
    if (state === 'applied' && effects !== 1) say(`says done, and money moved ${effects} times`)
    if ((state === 'failed' || state === 'voided') && effects !== 0)
      say('says that nothing was done, and money moved')
    if (state === 'approved' || state === 'applying') say('is still on its way')
    if (requests > 0 && votes.length === 0) say('was sent without a vote')
    const people = votes.map(({ by }) => by.person)
    if (new Set(people).size !== people.length) say('counts somebody twice')
    const claims = (await store.audit.find({ changeId: id, limit: 200 })).filter(
      ({ kind }) => kind === 'claimed',
    )
    if (claims.length > 1) say(`${claims.length} claims in the audit log`)
  }
  const known = new Set(changes.map(saidIn))
  // Every line that somebody types has words of its own.
  if (known.size < changes.length)
    violations.push(`${changes.length - known.size} lines became more than one request`)
  const astray = moved.filter((words) => words.startsWith('conversation') && !known.has(words))
  for (const words of astray) violations.push(`${words}: money moved without a request`)
  const verdict = await verify(store)
  if (!verdict.ok) violations.push(`the audit chain is broken: ${verdict.sentence}`)
  for (const { log } of fleet.replicas) {
    const said = log.join('')
    for (const secret of fleet.secrets) {
      if (said.includes(secret)) violations.push(`a secret is in a log: ${secret.slice(0, 4)}...`)
    }
    if (said.includes('a rejection was not handled'))
      violations.push(`an unhandled rejection: ${lineWith(said)}`)
  }
  return { violations, count }
}

type Sent = { method: string; path: string; body: unknown }

const movesMoney = ({ method, path, body }: Sent, words: string): boolean => {
  const { description, reason } = (body ?? {}) as { description?: string; reason?: string }
  return (
    method === 'POST' &&
    /\/transaction\/refund\/|\/vouchers$/.test(path) &&
    [description, reason].includes(words)
  )
}

const lineWith = (said: string): string =>
  said.split('\n').find((line) => line.includes('a rejection was not handled')) ?? ''
