import { cardOf } from '../../src/approvals/card.ts'
import type { Change } from '../../src/approvals/change.ts'
import type { World } from '../../src/pipeline/world.ts'
import { type Conversation, isFor } from './conversation.ts'
import { addressOf, idIn } from './messenger.ts'

type CardWorld = Pick<World, 'store' | 'now' | 'log'>

const open = ['pending', 'approved', 'applying', 'unknown'] as const
const mostRestored = 100

/** Messages do not outlive the process, but what waits for people does: its cards come back where they were. */
export const restoreCards = async (world: CardWorld, conversation: Conversation): Promise<void> => {
  try {
    const changes = await world.store.changes.list({ states: open, limit: mostRestored })
    for (const change of changes.toSorted((one, other) => one.createdAt - other.createdAt)) {
      for (const copy of await world.store.cards.of(change.id)) {
        if (copy.platform !== 'console' || copy.address === '') continue
        put(world, conversation, change, idIn(copy.address), copy.place)
      }
    }
  } catch (error) {
    world.log.error({ err: error }, 'the cards of the last run could not be brought back')
  }
}

/** The message that holds this change's card; a change from another messenger gets its copy here, kept fresh as any. */
export const showCard = async (
  world: CardWorld,
  conversation: Conversation,
  change: Change,
  person: string,
): Promise<string> => {
  const copies = (await world.store.cards.of(change.id)).filter(({ platform }) => platform === 'console')
  const shown = copies
    .map(({ address }) => idIn(address))
    .find((id) => {
      const message = conversation.get(id)
      return message !== undefined && isFor(message, person)
    })
  if (shown !== undefined) return shown
  const id = `card-${change.id}`
  put(world, conversation, change, id, 'mirror')
  const copy = { changeId: change.id, platform: 'console', address: addressOf(id), place: 'mirror' }
  await world.store.cards.add({ ...copy, version: change.version })
  return id
}

const put = (
  world: CardWorld,
  conversation: Conversation,
  change: Change,
  id: string,
  place: string,
): void => {
  const isForAll = place === 'public' || (place === 'mirror' && change.state === 'unknown')
  const isPrivate = place === 'aside' || (change.requirement.kind === 'confirm' && !isForAll)
  conversation.put({
    id,
    at: change.createdAt,
    to: isPrivate ? change.requester.person : null,
    by: null,
    body: { kind: 'view', view: cardOf(change, world.now()) },
  })
}
