import type { ReadContext } from '../../src/command/context.ts'
import { type ConsoleMessage, isVisibleTo } from './conversation.ts'

/** Those of these messages that a person may see now. */
export type Sight = (person: string, messages: readonly ConsoleMessage[]) => Promise<ConsoleMessage[]>

/**
 * Everybody reads one conversation, so each message is looked at for each reader: one that shows a change is for those
 * who may see that change, and a shared answer for those who could have asked for it.
 */
export const createSight =
  (readsOf: (person: string) => Promise<ReadContext>): Sight =>
  async (person, messages) => {
    const addressed = messages.filter((message) => isVisibleTo(message, person))
    const ids = [...new Set(addressed.flatMap(changeIn))]
    if (ids.length === 0 && addressed.every(({ command }) => command === undefined)) return addressed
    const { records } = await readsOf(person)
    const seen = new Set((await records.changesById(ids)).map(({ id }) => id))
    return addressed.filter(
      (message) =>
        changeIn(message).every((id) => seen.has(id)) &&
        (message.command === undefined || message.by?.id === person || records.mayRun(message.command)),
    )
  }

const changeIn = ({ body }: ConsoleMessage): string[] =>
  body.kind === 'view' && body.view.change !== undefined ? [body.view.change.id] : []
