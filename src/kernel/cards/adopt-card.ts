import { note, type View } from '../../lib/view/view.ts'
import { changeFor } from '../actors/delegates.ts'
import { cardsTask } from '../change/transition.ts'
import type { Actor } from '../command/context.ts'
import type { Core } from '../core.ts'
import { lossWords, recordedLoss } from '../loss/lost-cards.ts'
import type { Inbound } from '../messenger/inbound.ts'
import type { Messenger } from '../messenger/messenger.ts'
import { readButton } from '../model/shown.ts'
import { viewFor } from './card-publisher.ts'

/**
 * A press on a copy that nobody knows of: it was drawn as an answer, or its process died after it was posted and before
 * its address was stored. From now on it is kept up to date as the others are. A card of something that is not known
 * to whoever pressed says so. `isBeingShown`: the press was a step of the change, and copies that are known follow from that.
 */
export const adoptCard = async (
  core: Pick<Core, 'store' | 'policy' | 'now' | 'wake' | 'messengers'>,
  actor: Actor,
  button: string,
  { pressedOn, from: { platform } }: Pick<Inbound, 'pressedOn' | 'from'>,
  isBeingShown: boolean,
): Promise<void> => {
  const messenger = core.messengers.get(platform)
  if (pressedOn === undefined || messenger === undefined) return
  const { id, names, shown } = readButton(button)
  const { isSame = (one: string, other: string) => one === other } = messenger
  const copies = await core.store.cards.of(id)
  const known = copies.find((copy) => copy.platform === platform && isSame(copy.address, pressedOn))
  if (known !== undefined && isBeingShown) return
  const change = await changeFor(core, actor, id)
  if (change === null) return messenger.edit(pressedOn, await unknownView(core, messenger, { id, pressedOn }))
  if (known !== undefined && known.version >= change.version) {
    // Drawn by a version of the bot whose buttons count for nothing any more.
    if (names && shown === undefined)
      await messenger.edit(pressedOn, await viewFor(core, change, known.place))
    return
  }
  if (known === undefined)
    await core.store.cards.add({ changeId: id, platform, address: pressedOn, place: 'adopted' })
  await core.store.tasks.put(cardsTask(core, { id }))
  core.wake()
}

const unknownView = async (
  { store }: Pick<Core, 'store'>,
  { postedAt }: Messenger,
  { id, pressedOn }: { id: string; pressedOn: string },
): Promise<View> => {
  const at = postedAt?.(pressedOn)
  const isGone = at !== undefined && (await store.changes.get(id)) === null
  const loss = isGone ? await recordedLoss(store, { at }) : undefined
  return loss === undefined
    ? {
        title: 'This request is not known here',
        tone: 'warn',
        blocks: [
          note(
            'plain',
            'Nothing is stored of it, so nobody can decide about it here. Ask for it again if it is still wanted.',
          ),
        ],
      }
    : {
        title: 'This request is lost',
        tone: 'bad',
        blocks: [
          note(
            'bad',
            `${lossWords(loss.since)}, and this request with it. Whatever was pressed here since then does not count.`,
          ),
          note(
            'plain',
            'It may have been done in that time: see in the service first, and ask for it again if it is still wanted.',
          ),
        ],
      }
}
