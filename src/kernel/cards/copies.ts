import { cardsTask, type StepCore } from '../change/transition.ts'
import type { Core } from '../core.ts'
import type { Change } from '../model/change.ts'
import { mayRun } from '../policy/people.ts'
import type { Cards } from '../store/cards.ts'

type Card = Awaited<ReturnType<Cards['of']>>[number]

/** Messages beside the cards, which follow the change as its cards do: to its requester, and to others who talk about it. */
export const toldPlace = 'told'
export const decidersNews = 'news'

/** A copy that is recorded after the change has moved on was not seen by whoever showed that: all are looked at once more. */
export const recordCopy = async (
  core: Pick<StepCore, 'store' | 'now' | 'wake'>,
  copy: Card,
): Promise<void> => {
  await core.store.cards.add(copy)
  const newest = await core.store.changes.get(copy.changeId)
  if (newest === null || newest.version <= copy.version) return
  await core.store.tasks.put(cardsTask(core, newest))
  core.wake()
}

/** Whether the requester may write to whom it was for. */
export const mayTell = (
  { policy }: Pick<Core, 'policy'>,
  { tell, requester }: Pick<Change, 'tell' | 'requester'>,
): boolean => tell !== undefined && mayRun(policy, requester, [tell.command])
