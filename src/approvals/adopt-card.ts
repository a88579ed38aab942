import type { Asker } from '../command/context.ts'
import type { Core } from '../core/core.ts'
import { changeFor } from '../core/people/delegates.ts'
import type { Inbound } from '../messenger/inbound.ts'
import { note, type View } from '../view/view.ts'
import { cardsTask } from './transition.ts'

/**
 * A press on a copy that nobody knows of: it was drawn as an answer, or its process died after it was posted and before
 * its address was stored. From now on it is kept up to date as the others are. A card of something that is not known
 * to whoever pressed says so. `isBeingShown`: the press was a step of the change, and copies that are known follow from that.
 */
export const adoptCard = async (
  core: Pick<Core, 'store' | 'policy' | 'now' | 'wake' | 'messengers'>,
  asker: Asker,
  button: string,
  { pressedOn, from: { platform } }: Pick<Inbound, 'pressedOn' | 'from'>,
  isBeingShown: boolean,
): Promise<void> => {
  const messenger = core.messengers.get(platform)
  if (pressedOn === undefined || messenger === undefined) return
  const id = button.split('.')[0] ?? ''
  const { isSame = (one: string, other: string) => one === other } = messenger
  const copies = await core.store.cards.of(id)
  const known = copies.find((copy) => copy.platform === platform && isSame(copy.address, pressedOn))
  if (known !== undefined && isBeingShown) return
  const change = await changeFor(core, asker, id)
  if (change === null) return messenger.edit(pressedOn, unknownView)
  if (known !== undefined && known.version >= change.version) return
  if (known === undefined)
    await core.store.cards.add({ changeId: id, platform, address: pressedOn, place: 'adopted' })
  await core.store.tasks.put(cardsTask(core, { id }))
  core.wake()
}

const unknownView: View = {
  title: 'This request is not known here',
  tone: 'warn',
  blocks: [
    note(
      'plain',
      'Nothing is stored of it, so nobody can decide about it here. Ask for it again if it is still wanted.',
    ),
  ],
}
