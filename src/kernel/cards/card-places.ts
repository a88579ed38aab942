import { peopleWhoseTurn } from '../actors/turn.ts'
import type { Core } from '../core.ts'
import { isConfirmOnly, needsApproval, openClausesOf } from '../law/clauses.ts'
import type { Place } from '../messenger/messenger.ts'
import { type Change, isUnsettled, type Platform } from '../model/change.ts'
import { decidersOf } from '../policy/deciders.ts'
import type { Person } from '../policy/policy.ts'
import { accountsWithin, approvalsIn } from '../policy/workspaces.ts'

type PlacesCore = Pick<Core, 'store' | 'messengers' | 'policy'>

/**
 * A place where a copy of the card should be. Places are `origin`, `mirror`, `public`, `aside`, `adopted`, `direct:` with a
 * person, and `reminder:` with the number of the reminder and where it is.
 */
export type CardPlace = { platform: Platform; place: string; target: Place | Recipient }

/** Somebody in person, first at this account. */
export type Recipient = { person: string; name: string; account: string }

/** Where the card of a change should be now. */
export const wantedOf = async (core: PlacesCore, change: Change): Promise<CardPlace[]> => {
  const { policy, messengers } = core
  const { origin, requester, clauses, state, emergency } = change
  // What somebody does alone is everybody's to see.
  const needsPeople = needsApproval(clauses) || emergency !== undefined
  const isPrivate = isConfirmOnly(clauses) && emergency === undefined
  const here = { channel: origin.channel, handle: origin.handle }
  const atOrigin: CardPlace = {
    platform: origin.platform,
    place: 'origin',
    target: { ...here, onlyFor: isPrivate ? requester.account : null },
  }
  const wanted: CardPlace[] = [
    ...(origin.waits ? [] : [atOrigin]),
    ...(await inPerson(core, change, 'direct:')),
  ]
  // Only the requester sees a confirm card; everybody in the channel sees the outcome.
  if (isPrivate && !origin.direct && (state === 'applied' || isUnsettled(state))) {
    wanted.push({ platform: origin.platform, place: 'public', target: { ...here, onlyFor: null } })
  }
  if (needsPeople || isUnsettled(state)) {
    for (const [platform, channel] of approvalsIn(policy, requester.space)) {
      const isOrigin = platform === origin.platform && channel === origin.channel && needsPeople
      if (!isOrigin) {
        wanted.push({ platform, place: 'mirror', target: { channel, handle: null, onlyFor: null } })
      }
    }
  }
  return wanted.filter(({ platform }) => messengers.has(platform))
}

/**
 * One message for each person who is told by name: where the rule says so, where nobody who could decide would see a card,
 * and where an approvals channel did not take it. In the messenger of the request if they are there.
 */
export const inPerson = async (core: PlacesCore, change: Change, prefix: string): Promise<CardPlace[]> => {
  const { messengers } = core
  return (await peopleToTell(core, change)).flatMap((person) => {
    const { id, name } = person
    const accounts = accountsWithin(person, change.requester.space)
    const platform = [change.origin.platform, ...Object.keys(accounts)].find(
      (one) => messengers.has(one) && Object.hasOwn(accounts, one),
    )
    const account = platform === undefined ? undefined : accounts[platform]
    return platform === undefined || account === undefined
      ? []
      : { platform, place: `${prefix}${id}`, target: { person: id, name, account } }
  })
}

const peopleToTell = async ({ policy, messengers, store }: PlacesCore, change: Change): Promise<Person[]> => {
  const { state, clauses, origin, notify, requester } = change
  const isWaiting = state === 'pending' && needsApproval(clauses)
  const channels = approvalsIn(policy, requester.space).filter(([platform]) => messengers.has(platform))
  const closed = channels.filter(([platform, channel]) => isRefused(change, platform, 'mirror', channel))
  if (!isWaiting && (!isUnsettled(state) || closed.length === 0)) return []
  const isSeen = !origin.direct || channels.length > 0 || messengers.get(origin.platform)?.isShared
  const isForAll =
    isWaiting &&
    (notify === 'direct' ||
      (notify !== 'channel' && !isSeen) ||
      (closed.length > 0 && closed.length === channels.length))
  const named = isWaiting ? openClausesOf(change).flatMap((clause) => clause.people ?? []) : []
  if (!isForAll && closed.length === 0 && named.length === 0) return []
  const people = isWaiting
    ? peopleWhoseTurn(policy, change, await store.absences.active())
    : decidersOf(policy, change)
  // Whom a clause names need not be where the others look.
  const isThere = ({ id, accounts }: Person) =>
    closed.some(([platform]) => Object.hasOwn(accounts, platform)) ||
    named.some(({ person }) => person === id)
  const isClosed = closed.length > 0 && closed.length === channels.length
  return isForAll || isClosed ? people : people.filter(isThere)
}

/** Whoever has it in person has it, in whichever messenger. */
export const isIn = (
  those: readonly Pick<CardPlace, 'platform' | 'place'>[],
  { platform, place }: CardPlace,
): boolean =>
  those.some((one) => one.place === place && (one.platform === platform || place.includes('direct:')))

/** Whether this place did not take the card, and nothing has changed about that. */
export const isRefused = ({ reach }: Change, platform: Platform, place: string, to?: string): boolean =>
  reach?.refusals.some(
    (one) =>
      one.place === place &&
      (place.startsWith('direct:') || (one.platform === platform && (to === undefined || one.to === to))),
  ) ?? false
