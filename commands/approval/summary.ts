import { stateNames, statusOf } from '../../src/kernel/cards/card.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { isConfirmOnly } from '../../src/kernel/law/clauses.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import { due, fewNames, money, when } from '../../src/lib/view/format.ts'
import { thing } from '../../src/lib/view/thing.ts'
import { type Block, table } from '../../src/lib/view/view.ts'
import { plainWords } from '../../src/lib/view/words.ts'

/** What is the reader's own turn says so first; who could still decide is named. */
export const changesTable = async (changes: readonly Change[], reads: Reads): Promise<Block> => {
  const [isTurn, decidersOf] = await Promise.all([reads.records.turns(), reads.records.deciders()])
  return table(
    ['What', 'Asked by', 'When', 'State', 'Amount#+', 'Still needed+', 'Expires+', 'Id+'],
    changes.map((change) => [
      change.preview.title,
      change.requester.name,
      when(change.createdAt) ?? '',
      isTurn(change) ? `Your turn. ${stateOf(change)}` : stateOf(change),
      change.amount === null ? '' : money(change.amount, { code: change.currency }),
      change.state === 'pending' ? fewNames(neededFor(change, decidersOf), '') : '',
      change.state === 'pending' ? (due(change.expiresAt) ?? '') : '',
      change.id,
    ]),
    changes.map(({ id, preview }) => thing('change', id, { name: preview.title })),
  )
}

type Reads = Pick<ReadContext, 'actor' | 'records'>

const stateOf = (change: Change): string =>
  change.state === 'pending' ? plainWords(statusOf(change)) : stateNames[change.state]

const neededFor = (change: Change, decidersOf: (change: Change) => string[]): string[] =>
  isConfirmOnly(change.clauses) ? [change.requester.name] : decidersOf(change)
