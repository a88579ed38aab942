import type { View } from '../../lib/view/view.ts'
import type { Core } from '../core.ts'
import type { Change, Party, Platform } from '../model/change.ts'
import { requestAuthors } from '../policy/behind-request.ts'
import { accountsWithin, approvalsIn } from '../policy/workspaces.ts'
import { aboutOf, type DeliveryCore, type DeliveryWay, deliver, waysTo } from '../telling/deliver.ts'
import { endOf, lateView, newsOf } from './card.ts'
import { decidersNews, mayTell, recordCopy, toldPlace } from './copies.ts'

/** Tells the requester how it ended: in person, or where they asked, or among the approvals; whichever still takes it. */
export const notifyRequester = async (core: DeliveryCore, change: Change): Promise<void> => {
  const { requester, origin } = change
  if (!core.messengers.has(requester.platform)) return
  const told = endOf(change, mayTell(core, change))
  const approvals = approvalsIn(core.policy, requester.space).toSorted(
    ([one], [other]) => Number(other === requester.platform) - Number(one === requester.platform),
  )
  const sent = await deliver(core, { kind: 'outcome', to: requester.name, about: aboutOf(change) }, [
    ...waysTo(core, requester, (messenger, account) => messenger.direct(account, told)),
    ...inChannel(origin.platform, origin.channel, told),
    ...approvals.flatMap(([platform, channel]) => inChannel(platform, channel, told)),
  ])
  await follow(core, change, toldPlace, sent)
}

/** A message that tells how a change stands goes on telling that. */
const follow = async (
  core: DeliveryCore,
  { id: changeId, version }: Change,
  place: string,
  sent: { platform: Platform; value: string } | undefined,
): Promise<void> => {
  if (sent === undefined) return
  await recordCopy(core, { changeId, version, place, platform: sent.platform, address: sent.value })
}

/** Somebody who is told in person what was asked, answered or changed about a request of theirs. */
export type News = { to: Party; why: string }

export const tellNews = async (core: DeliveryCore, change: Change, { to, why }: News): Promise<void> => {
  const { origin } = change
  const isActor = requestAuthors(change).includes(to.person)
  const view = newsOf(change, core.now(), why, isActor)
  const known = core.policy.people.find((one) => one.id === to.person)
  const mentions = [
    {
      name: to.name,
      accounts:
        known === undefined ? { [to.platform]: to.account } : accountsWithin(known, change.requester.space),
      isGroup: false,
    },
  ]
  const sent = await deliver(core, { kind: 'question', to: to.name, about: aboutOf(change) }, [
    ...waysTo(core, to, (messenger, account) => messenger.direct(account, view)),
    ...inChannel(origin.platform, origin.channel, { ...view, mentions }),
  ])
  await follow(core, change, isActor ? toldPlace : decidersNews, sent)
}

const inChannel = (platform: Platform, channel: string | null, view: View): DeliveryWay<string>[] =>
  channel === null
    ? []
    : [{ platform, send: (messenger) => messenger.post({ channel, handle: null, onlyFor: null }, view) }]

/** Whoever is told when something was learned late: those who asked and decided, and all who read the approvals. An older version stored no name. */
export type Listener = { platform: Platform } & (
  | (Pick<Party, 'person' | 'account'> & Partial<Pick<Party, 'name'>>)
  | { channel: string }
)

export const lateListenersOf = ({ policy }: Pick<Core, 'policy'>, change: Change): Listener[] => {
  const { requester, votes, late, ended } = change
  const people = [
    requester,
    ...votes.map(({ by }) => by),
    ...[late?.contradicts?.by, ended?.by].filter((one) => one !== undefined),
  ]
  const told = new Map(
    people.map(({ platform, account, person, name }) => [
      `${platform}:${account}`,
      { platform, account, person, name },
    ]),
  )
  const channels = late?.contradicts
    ? approvalsIn(policy, requester.space).map(([platform, channel]) => ({ platform, channel }))
    : []
  return [...told.values(), ...channels]
}

export const tellLate = async (core: DeliveryCore, change: Change, to: Listener): Promise<void> => {
  if (change.late === undefined) return
  const view = lateView(change, change.late)
  const name = 'account' in to ? to.name : 'the approvals channel'
  await deliver(
    core,
    { kind: 'late news', to: name ?? change.requester.name, about: aboutOf(change) },
    'account' in to
      ? waysTo(core, to, (messenger, account) => messenger.direct(account, view))
      : inChannel(to.platform, to.channel, view),
  )
}
