import { requestFor, viewerOf } from '../../src/kernel/cards/pressable.ts'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import { isStoppable } from '../../src/kernel/law/law.ts'
import { type Change, isAtService, isUnsettled } from '../../src/kernel/model/change.ts'
import { fewNames } from '../../src/lib/view/format.ts'
import { type Block, text } from '../../src/lib/view/view.ts'

/** Where each request stands for whoever reads: what is theirs to do comes first, the newest need on top. Of a page nothing is counted. */
export const sectionBlocks = async (
  changes: readonly Change[],
  reads: Pick<ReadContext, 'actor' | 'records' | 'now'>,
  mark: string,
  isAll: boolean,
): Promise<Block[]> => {
  const [isTurn, decidersOf] = await Promise.all([reads.records.turns(), reads.records.deciders()])
  const isScheduled = (change: Change) => isStoppable(change, reads.now)
  const isMine = (one: Change) => (one.state === 'pending' || isUnsettled(one.state)) && isTurn(one)
  const sections: [title: string, of: Change[]][] = [
    ['Waiting for you', changes.filter(isMine)],
    ['Waiting for others', changes.filter((one) => one.state === 'pending' && !isTurn(one))],
    ['Approved and scheduled', changes.filter(isScheduled)],
    [
      'Under way',
      changes.filter((one) => one.state === 'applying' || (one.state === 'approved' && !isScheduled(one))),
    ],
    ['The service has it', changes.filter((one) => isAtService(one.state) && !isTurn(one))],
    ['Outcome unknown', changes.filter((one) => one.state === 'unknown' && !isTurn(one))],
  ]
  const rowOf = async (change: Change) => {
    const request = requestFor(change, await viewerOf(reads, change, decidersOf), reads.now, mark)
    const people = decidersOf(change)
    const isTold = change.state === 'pending' && (!isTurn(change) || people.includes(reads.actor.name))
    return people.length === 0 || isTold
      ? request
      : { ...request, needs: [...request.needs, `${fewNames(people)} can decide`] }
  }
  const blocks = await Promise.all(
    sections
      .filter(([, some]) => some.length > 0)
      .map(async ([title, some]) => [
        text(isAll ? `${title}: ${some.length}` : `${title}:`),
        {
          kind: 'requests' as const,
          requests: await Promise.all(newestFirst(some).map(rowOf)),
        },
      ]),
  )
  return blocks.flat()
}

const newestFirst = (changes: readonly Change[]): Change[] =>
  changes.toSorted((one, other) => other.updatedAt - one.updatedAt)
