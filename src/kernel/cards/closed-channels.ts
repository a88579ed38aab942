import { note, type View } from '../../lib/view/view.ts'
import type { Core } from '../core.ts'
import type { MessengerError } from '../messenger/messenger.ts'
import { type Change, type Platform, unsettledStates } from '../model/change.ts'
import { spaceOfId } from '../model/workspace.ts'
import { forgetNotice, tellAdministrators } from '../telling/administrators.ts'
import { toolLine } from '../tool-words.ts'
import { isRefused } from './card-places.ts'

type ClosedCore = Pick<Core, 'store' | 'policy' | 'now' | 'wake'>
type Closed = { platform: Platform; channel: string; since: number }

/** How long a closed approvals channel is left alone before it is tried again. */
const againMs = 15_000
/** While nothing waits for it. */
const quietMs = 5 * 60_000

/** An approvals channel that does not take cards: administrators hear of it once, and it is tried until it does. */
export const noteClosed = async (
  core: ClosedCore,
  platform: Platform,
  channel: string,
  error: MessengerError,
): Promise<void> => {
  const doc: Closed = { platform, channel, since: core.now() }
  await core.store.tasks.put({
    kind: 'closed_channel',
    key: `closed_channel:${platform}:${channel}`,
    doc,
    dueAt: core.now() + againMs,
  })
  await tellAdministrators(core, noticeOf(doc), closedView(channel, error), {
    space: spaceOfId(platform, channel),
  })
}

const closedView = (channel: string, { words }: MessengerError): View => ({
  title: `The approvals channel ${channel} does not take cards`,
  tone: 'bad',
  blocks: [
    note('bad', `${words}.`),
    note(
      'plain',
      `Those who may approve get each request in person meanwhile. What waits is posted as soon as the channel takes it; ${toolLine('doctor')} checks the channel.`,
    ),
  ],
})

/**
 * Tries a closed channel with the oldest card that waits for it, and posts the others when it is open. Returns when to try
 * again: it is over when the channel takes a card, or when the policy no longer names it.
 */
export const tryClosed = async (
  core: ClosedCore,
  doc: unknown,
  show: (change: Change, platform: Platform) => Promise<void>,
): Promise<number | undefined> => {
  const closed = doc as Closed
  const { platform, channel, since } = closed
  const { changes, cards } = core.store
  const isShown = async ({ id }: Change) =>
    (await cards.of(id)).some((copy) => copy.platform === platform && copy.place === 'mirror')
  const open = await changes.list({ states: ['pending', 'approved', ...unsettledStates], limit: maxTried })
  const waiting = open.filter((one) => isRefused(one, platform, 'mirror', channel))
  const isNamed = core.policy.approvals.some((one) => one.platform === platform && one.channel === channel)
  for (const change of waiting.toReversed()) {
    await show(change, platform)
    if (isNamed && !(await isShown(change))) return core.now() + againMs
  }
  if (isNamed && waiting.length === 0) {
    const newer = (await changes.list({ limit: maxLooked })).filter(({ createdAt }) => createdAt > since)
    const shown = await Promise.all(newer.map(isShown))
    if (!shown.includes(true)) return core.now() + quietMs
  }
  await forgetNotice(core, noticeOf(closed))
  return undefined
}

const maxTried = 200
const maxLooked = 20

const noticeOf = ({ platform, channel }: Pick<Closed, 'platform' | 'channel'>): string =>
  `closed:${platform}:${channel}`
