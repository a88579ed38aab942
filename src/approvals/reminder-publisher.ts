import { isRefusedForGood } from '../messenger/messenger.ts'
import type { Change } from '../model/change.ts'
import {
  type CardPlace,
  directPlaces,
  type PublisherCore,
  postCopy,
  tellsDirectly,
  viewFor,
} from './card-publisher.ts'

/**
 * Posts the newest reminder wherever people wait for it, and takes the ones before it back. Safe to run any number of
 * times: a place that has it gets it no second time.
 */
export const showReminder = async (core: PublisherCore, change: Change): Promise<void> => {
  const n = change.reminder?.n
  if (change.state !== 'pending' || n === undefined) return
  const { cards } = core.store
  const copies = await cards.of(change.id)
  const settled = [...copies, ...(await cards.refusedBy(change.id))]
  for (const wanted of await placesOf(core, change, `reminder:${n}:`)) {
    if (settled.some(({ platform, place }) => platform === wanted.platform && place === wanted.place))
      continue
    await postCopy(core, change, wanted, await viewFor(core, change, wanted.place))
  }
  for (const { platform, address, place } of copies) {
    if (!place.startsWith('reminder:') || place.startsWith(`reminder:${n}:`)) continue
    try {
      await core.messengers.get(platform)?.remove?.(address)
    } catch (error) {
      if (!isRefusedForGood(error)) throw error
    }
    await cards.remove(change.id, platform, address)
  }
}

/** Where those who could decide look: among the approvals, or else where it was asked for. */
const placesOf = async (core: PublisherCore, change: Change, prefix: string): Promise<CardPlace[]> => {
  const { policy, messengers } = core
  const { origin } = change
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
  const mirrors = Object.entries(policy.approvals).flatMap(([platform, channel]) =>
    inChannel(platform, channel),
  )
  const isOpen = !origin.direct || messengers.get(origin.platform)?.isShared
  const here = isOpen && origin.channel !== null ? inChannel(origin.platform, origin.channel) : []
  return [
    ...(mirrors.length > 0 ? mirrors : here),
    ...(tellsDirectly(core, change) ? await directPlaces(core, change, `${prefix}direct:`) : []),
  ]
}
