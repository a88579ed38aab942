import { isRefusedForGood } from '../messenger/messenger.ts'
import type { Change } from '../model/change.ts'
import { approvalsIn } from '../policy/workspaces.ts'
import { type CardPlace, inPerson, isIn } from './card-places.ts'
import { type PublisherCore, postCopy, viewFor } from './card-publisher.ts'
import { noteClosed } from './closed-channels.ts'

/**
 * Posts the newest reminder wherever people wait for it, and takes the ones before it back. Safe to run any number of
 * times: a place that has it gets it no second time. What a channel does not take, those whose turn it is get in person.
 */
export const showReminder = async (core: PublisherCore, change: Change): Promise<void> => {
  const n = change.reminder?.n
  if (change.state !== 'pending' || n === undefined) return
  const { cards } = core.store
  const copies = await cards.of(change.id)
  const settled = [...copies, ...(await cards.refusedBy(change.id))]
  const prefix = `reminder:${n}:`
  const refusals: NonNullable<Change['reach']>['refusals'] = []
  const post = async (wanted: CardPlace): Promise<void> => {
    if (isIn(settled, wanted)) return
    const refused = await postCopy(core, change, wanted, await viewFor(core, change, wanted.place))
    const { platform, target } = wanted
    if (refused === undefined || 'account' in target || target.channel === null) return
    refusals.push({ platform, place: 'mirror', to: target.channel, why: refused.error.words })
    if (core.policy.approvals.some((one) => one.platform === platform && one.channel === target.channel))
      await noteClosed(core, platform, target.channel, refused.error)
  }
  for (const wanted of placesOf(core, change, prefix)) await post(wanted)
  const told = refusals.length === 0 ? change : { ...change, reach: { refusals, asked: [] } }
  for (const wanted of await inPerson(core, told, `${prefix}direct:`)) await post(wanted)
  for (const { platform, address, place } of copies) {
    if (!place.startsWith('reminder:') || place.startsWith(prefix)) continue
    try {
      await core.messengers.get(platform)?.remove?.(address)
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
    }
    await cards.remove(change.id, platform, address)
  }
}

/** Where those who could decide look: among the approvals, or else where it was asked for. */
const placesOf = (
  { policy, messengers }: PublisherCore,
  { origin, requester }: Change,
  prefix: string,
): CardPlace[] => {
  const inChannel = (platform: string, channel: string): CardPlace[] =>
    messengers.has(platform)
      ? [
          {
            platform,
            place: `${prefix}${channel}`,
            target: { channel, handle: null, onlyFor: null },
          },
        ]
      : []
  const mirrors = approvalsIn(policy, requester.space).flatMap(([platform, channel]) =>
    inChannel(platform, channel),
  )
  const isOpen = !origin.direct || messengers.get(origin.platform)?.isShared
  const here = isOpen && origin.channel !== null ? inChannel(origin.platform, origin.channel) : []
  return mirrors.length > 0 ? mirrors : here
}
