import { retryAt } from '../cards/card-publisher.ts'
import type { Core } from '../core.ts'
import { isRefusedForGood, MessengerError } from '../messenger/messenger.ts'
import type { Change } from '../model/change.ts'
import type { Task } from '../store/tasks.ts'
import { recordLost } from '../telling/deliver.ts'
import { perform } from './kinds.ts'

/** Does one task, and notes that it is done, or when it is to be done again. */
export const attempt = async (core: Core, task: Task, known?: Change): Promise<void> => {
  try {
    await core.refreshMembers()
    const again = await perform({ ...core }, task, known)
    if (again === undefined) {
      if (!(await core.store.tasks.done(task))) core.wake()
    } else await core.store.tasks.again(task, again)
  } catch (thrown) {
    const error = isRefusedForGood(thrown) ? await giveUp(core, task, thrown) : thrown
    if (error === undefined) return
    core.log.warn({ err: error, task: task.kind, attempts: task.attempts }, 'a task is postponed')
    const isLimited = error instanceof MessengerError && error.retryAfterMs !== undefined
    if (isLimited) core.admission.limited()
    const isNewCard = isLimited && task.kind === 'cards' && known?.state === 'pending'
    const turnMs = isNewCard ? core.admission.cardAfterMs(known.requester.person) : 0
    await core.store.tasks
      .postpone(
        task,
        retryAt(task, error, core.now()) + turnMs,
        error instanceof Error ? error.name : 'error',
      )
      .catch((cause: unknown) => core.log.error({ err: cause }, 'a task could not be postponed'))
  }
}

/** A platform refused for good what a task was to say, and nothing else was tried: that is on record, and is not repeated. */
const giveUp = async (core: Core, task: Task, error: MessengerError): Promise<unknown> => {
  try {
    const message = { kind: 'notice' as const, to: task.key, about: { command: task.kind } }
    await recordLost(core, message, [{ platform: 'none', error }])
    await core.store.tasks.done(task)
    return undefined
  } catch (cause) {
    return cause
  }
}
