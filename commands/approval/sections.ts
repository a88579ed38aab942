import { isStoppable } from '../../src/approvals/law.ts'
import { requestFor, viewerOf } from '../../src/approvals/pressable.ts'
import type { ReadContext } from '../../src/command/context.ts'
import type { Change } from '../../src/model/change.ts'
import { due, fewNames } from '../../src/view/format.ts'
import { thing } from '../../src/view/thing.ts'
import { type Block, table, text } from '../../src/view/view.ts'

/** Where each request stands for whoever reads: what is theirs to do comes first. */
export const sectionBlocks = async (
  changes: readonly Change[],
  reads: Pick<ReadContext, 'asker' | 'records' | 'now'>,
  mark: string,
): Promise<Block[]> => {
  const isTurn = await reads.records.turns()
  const isScheduled = (change: Change) => isStoppable(change, reads.now)
  const sections: [title: string, of: Change[], drawn?: (some: Change[]) => Block][] = [
    ['Your turn', changes.filter((one) => one.state === 'pending' && isTurn(one))],
    ['Waiting for others', changes.filter((one) => one.state === 'pending' && !isTurn(one))],
    ['Approved and scheduled', changes.filter(isScheduled), scheduledTable],
    [
      'Under way',
      changes.filter((one) => one.state === 'applying' || (one.state === 'approved' && !isScheduled(one))),
    ],
    ['Outcome unknown', changes.filter(({ state }) => state === 'unknown')],
  ]
  const blocks = await Promise.all(
    sections
      .filter(([, some]) => some.length > 0)
      .map(async ([title, some, drawn]) => [
        text(`${title}: ${some.length}`),
        drawn?.(some) ?? (await requestsBlock(some, reads, mark)),
      ]),
  )
  return blocks.flat()
}

/** A line for each, with the buttons that do something for whoever reads. */
const requestsBlock = async (
  changes: readonly Change[],
  reads: Pick<ReadContext, 'asker' | 'records' | 'now'>,
  mark: string,
): Promise<Block> => {
  const decidersOf = await reads.records.deciders()
  return {
    kind: 'requests',
    requests: await Promise.all(
      changes.map(async (change) => {
        const request = requestFor(change, await viewerOf(reads, change), reads.now, mark)
        const people = decidersOf(change)
        return people.length === 0
          ? request
          : { ...request, needs: [...request.needs, `${fewNames(people)} can decide`] }
      }),
    ),
  }
}

/** What runs later, with when; its row cancels it or changes the time. */
export const scheduledTable = (changes: readonly Change[]): Block =>
  table(
    ['What', 'Runs', 'Asked by', 'Id+'],
    changes.map(({ id, preview, holdUntil, runAt, requester, updatedAt }) => [
      preview.title,
      due(holdUntil ?? runAt?.at ?? updatedAt) ?? '',
      requester.name,
      id,
    ]),
    changes.map(({ id, preview }) => thing('change', id, { name: preview.title })),
  )
