import { cardFor, pressableOf, type Viewer, viewerOf } from '../../src/kernel/cards/pressable.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { readButton } from '../../src/kernel/model/shown.ts'
import type { View } from '../../src/lib/view/view.ts'
import { type ConsoleMessage, isVisibleTo } from './conversation.ts'

/** Those of these messages that a person may see now, drawn for them. */
export type Sight = (person: string, messages: readonly ConsoleMessage[]) => Promise<ConsoleMessage[]>

/**
 * Everybody reads one conversation, so each message is looked at for each reader: one that shows a change is for those
 * who may see that change, with the buttons that they may press, and a shared answer for those who could have asked for it.
 */
export const createSight =
  (readsOf: (person: string) => Promise<ReadContext>): Sight =>
  async (person, messages) => {
    const addressed = messages.filter((message) => isVisibleTo(message, person))
    const ids = [...new Set(addressed.flatMap(changeIn))]
    if (ids.length === 0 && addressed.every(({ command }) => command === undefined)) return addressed
    const reads = await readsOf(person)
    const { records, now } = reads
    const seen = new Map((await records.changesById(ids)).map((change) => [change.id, change]))
    const decidersOf = await records.deciders()
    const viewers = new Map<string, Viewer>()
    for (const change of seen.values()) viewers.set(change.id, await viewerOf(reads, change, decidersOf))
    return addressed
      .filter(
        (message) =>
          changeIn(message).every((id) => seen.has(id)) &&
          (message.command === undefined || message.by?.id === person || records.mayRun(message.command)),
      )
      .map((message) => {
        const [id = ''] = changeIn(message)
        const [change, viewer] = [seen.get(id), viewers.get(id)]
        const { body } = message
        return change === undefined || viewer === undefined || body.kind !== 'view'
          ? message
          : { ...message, body: { ...body, view: viewFor(body.view, change, viewer, now) } }
      })
  }

/** A card with whose turn it is in its reader's terms; what is pressed on it is their own to press. */
const viewFor = (view: View, change: Change, viewer: Viewer, now: number): View => {
  const isOfIt = (button: string) => readButton(button).id === change.id
  const [others, own] = [
    (view.actions ?? []).filter(({ id }) => !isOfIt(id)),
    (view.actions ?? []).filter(({ id }) => isOfIt(id)),
  ]
  const actions = [...pressableOf(own, change, viewer, now), ...others]
  const [first, ...rest] = view.blocks
  if (change.state !== 'pending' || first?.kind !== 'turn' || view.change?.version !== change.version)
    return { ...view, actions }
  const { mentions: _, ...shown } = view
  const [turn = first] = cardFor(change, viewer, now).blocks
  return { ...shown, blocks: [turn, ...rest], actions }
}

const changeIn = ({ body }: ConsoleMessage): string[] =>
  body.kind === 'view' && body.view.change !== undefined ? [body.view.change.id] : []
