import type { Change } from '../model/change.ts'
import { payerOf, recordOf } from '../model/purpose.ts'
import { personNow } from '../policy/people.ts'
import type { Advance, Granted, Policy } from '../policy/policy.ts'

/** What of a change tells whether somebody has approved it in advance. */
export type Covered = Pick<
  Change,
  'names' | 'standsFor' | 'requester' | 'amount' | 'currency' | 'plan' | 'input' | 'emergency' | 'pinned'
>

/** What makes it more than an ordinary request by now, such as a budget that it is past: nobody has approved that in advance. */
export type Beyond = { beyond?: readonly string[] }

/**
 * Whether a grant covers a change: its holder asks for it by its own name, its sum is known and within the bound, somebody has
 * looked at what it is about, and it is about the payer or the list that the grant names. What nobody knows is never covered.
 */
export const isCovered = (
  policy: Policy,
  { holder, to, advance }: Granted,
  change: Covered,
  /** Of whoever asks, at this moment. */
  roles: readonly string[],
): boolean =>
  advance !== undefined &&
  change.standsFor === undefined &&
  change.emergency === undefined &&
  change.pinned === undefined &&
  change.names.every((name) => advance.commands.includes(name)) &&
  (change.requester.agent ?? personNow(policy, change.requester)) === holder &&
  (to.length === 0 || to.some((role) => roles.includes(role))) &&
  isWithin(advance, change) &&
  isAbout(advance, change)

const isWithin = ({ upTo }: Advance, { amount, currency }: Covered): boolean =>
  upTo === undefined
    ? amount === null
    : amount !== null && amount >= 0 && amount <= upTo.value && currency === upTo.currency

const isAbout = ({ payer, list }: Advance, { plan, input }: Covered): boolean => {
  const lists = [recordOf(plan), input].flatMap(({ listId, listIds }) => [listId, listIds].flat())
  const named = lists.filter((id) => id !== undefined).map(String)
  return (
    (payer === undefined || payerOf(plan) === payer) &&
    (list === undefined || (named.length > 0 && named.every((id) => id === list)))
  )
}

/** Why a vote that was given in advance does not count now; undefined where it does, and for every other vote. */
export const refuseInAdvance = (
  policy: Policy,
  { by, inAdvance }: Change['votes'][number],
  change: Covered & Beyond,
  roles: readonly string[],
): string | undefined => {
  if (inAdvance === undefined) return undefined
  const grant = policy.granted?.find(({ id }) => id === inAdvance.grant)
  if (grant?.advance?.giver !== personNow(policy, by)) return 'their approval in advance has ended'
  if (!isCovered(policy, grant, change, roles)) return 'their approval in advance does not cover this'
  return change.beyond === undefined || change.beyond.length === 0
    ? undefined
    : `it is ${change.beyond.join(' and ')}, which nobody approves in advance`
}
