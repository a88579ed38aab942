import type { Block, View } from '../../lib/view/view.ts'
import type { Change } from '../model/change.ts'
import { cardOf, wholeCardOf } from './card.ts'
import { isRisk } from './card-head.ts'

/** What somebody signs: the sum, the person, the reason and the risks first, bounded as on the card; `whole` is all that the signature covers. */
export const signingView = (change: Change, now: number): { view: View; whole: View } => {
  const { mentions: _, details: __, essential, ...card } = cardOf(change, now).view
  const rank = (block: Block): number => {
    if (block.kind === 'quote') return block.by === change.requester.name ? 0 : 3
    if (block.kind === 'facts') return 1
    return block.kind === 'note' && isRisk(block.tone) ? 2 : 3
  }
  const head = card.blocks.slice(0, essential).toSorted((one, other) => rank(one) - rank(other))
  return { view: { ...card, blocks: head, actions: [] }, whole: wholeCardOf(change, now) }
}
