import { isConfirmOnly } from '../../src/kernel/law/clauses.ts'
import type { Bot } from '../../src/kernel/messenger/bot.ts'
import { type Change, isUnsettled } from '../../src/kernel/model/change.ts'
import type { Log } from '../../src/lib/log.ts'
import { type Conversation, isVisibleTo } from './conversation.ts'
import { consoleAddressOf, messageIdIn } from './messenger.ts'

type CardDeps = Pick<Bot, 'cards'>

/** Messages do not outlive the process, but what waits for people does: its cards come back where they were. */
export const restoreCards = async (bot: CardDeps, conversation: Conversation, log: Log): Promise<void> => {
  try {
    for (const { change, address, place } of await bot.cards.open('console')) {
      // What was drawn as an answer is not asked for again.
      if (place === 'adopted') continue
      await putCard(bot, conversation, change, messageIdIn(address), place)
    }
  } catch (error) {
    log.error({ err: error }, 'the cards of the last run could not be brought back')
  }
}

/** The message that holds this change's card; a change from another messenger gets its copy here, kept up to date as any. */
export const showCard = async (
  bot: CardDeps,
  conversation: Conversation,
  change: Change,
  person: string,
): Promise<string> => {
  const copies = await bot.cards.of('console', change)
  const shown = copies
    .map(({ address }) => messageIdIn(address))
    .find((id) => {
      const message = conversation.get(id)
      return message !== undefined && isVisibleTo(message, person)
    })
  if (shown !== undefined) return shown
  const id = `card-${change.id}`
  await putCard(bot, conversation, change, id, 'mirror')
  await bot.cards.add('console', change, consoleAddressOf(id))
  return id
}

const putCard = async (
  bot: CardDeps,
  conversation: Conversation,
  change: Change,
  id: string,
  place: string,
): Promise<void> => {
  conversation.put({
    id,
    at: change.createdAt,
    to: recipientOf(change, place),
    by: null,
    body: { kind: 'view', view: await bot.cards.view(change, place) },
  })
}

/** Whom a card is addressed to: one person, or whoever may see the change. */
export const recipientOf = (change: Change, place = 'mirror'): string | null => {
  const direct = place.split('direct:')[1]
  const isForAll =
    place === 'public' || change.emergency !== undefined || (place === 'mirror' && isUnsettled(change.state))
  const isPrivate = place === 'aside' || (isConfirmOnly(change.clauses) && !isForAll)
  return direct ?? (isPrivate ? change.requester.person : null)
}
