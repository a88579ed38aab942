import { cardOf } from '../../src/approvals/card.ts'
import type { Core } from '../../src/core/core.ts'
import type { Change } from '../../src/model/change.ts'
import { isConfirmOnly } from '../../src/policy/clauses.ts'
import { type Conversation, isVisibleTo } from './conversation.ts'
import { consoleAddressOf, messageIdIn } from './messenger.ts'

type CardDeps = Pick<Core, 'store' | 'now' | 'log'>

const openStates = ['pending', 'approved', 'applying', 'unknown'] as const
const mostRestored = 100

/** Messages do not outlive the process, but what waits for people does: its cards come back where they were. */
export const restoreCards = async (core: CardDeps, conversation: Conversation): Promise<void> => {
  try {
    const changes = await core.store.changes.list({ states: openStates, limit: mostRestored })
    for (const change of changes.toSorted((one, other) => one.createdAt - other.createdAt)) {
      for (const copy of await core.store.cards.of(change.id)) {
        if (copy.platform !== 'console' || copy.address === '') continue
        putCard(core, conversation, change, messageIdIn(copy.address), copy.place)
      }
    }
  } catch (error) {
    core.log.error({ err: error }, 'the cards of the last run could not be brought back')
  }
}

/** The message that holds this change's card; a change from another messenger gets its copy here, kept fresh as any. */
export const showCard = async (
  core: CardDeps,
  conversation: Conversation,
  change: Change,
  person: string,
): Promise<string> => {
  const copies = (await core.store.cards.of(change.id)).filter(({ platform }) => platform === 'console')
  const shown = copies
    .map(({ address }) => messageIdIn(address))
    .find((id) => {
      const message = conversation.get(id)
      return message !== undefined && isVisibleTo(message, person)
    })
  if (shown !== undefined) return shown
  const id = `card-${change.id}`
  putCard(core, conversation, change, id, 'mirror')
  const copy = { changeId: change.id, platform: 'console', address: consoleAddressOf(id), place: 'mirror' }
  await core.store.cards.add({ ...copy, version: change.version })
  return id
}

const putCard = (
  core: CardDeps,
  conversation: Conversation,
  change: Change,
  id: string,
  place: string,
): void => {
  const isForAll = place === 'public' || (place === 'mirror' && change.state === 'unknown')
  const isPrivate = place === 'aside' || (isConfirmOnly(change.clauses) && !isForAll)
  conversation.put({
    id,
    at: change.createdAt,
    to: isPrivate ? change.requester.person : null,
    by: null,
    body: { kind: 'view', view: cardOf(change, core.now()) },
  })
}
