import { setImmediate as nextTurn } from 'node:timers/promises'
import { retryAt, showCards } from '../approvals/card-publisher.ts'
import { tryClosed } from '../approvals/closed-channels.ts'
import { tellEmergency } from '../approvals/emergency.ts'
import { isEnded, isHeld, type LawEvent } from '../approvals/law.ts'
import {
  type Listener,
  lateListenersOf,
  type News,
  notifyRequester,
  tellLate,
  tellNews,
} from '../approvals/outcome-publisher.ts'
import { showReminder } from '../approvals/reminder-publisher.ts'
import { completeRefused, completeRequest } from '../approvals/request-end.ts'
import { transition } from '../approvals/transition.ts'
import type { Core } from '../core/core.ts'
import { noticeTasks } from '../core/telling/administrators.ts'
import { deliverNotice, recordLost } from '../core/telling/deliver.ts'
import { showProgress } from '../jobs/progress-publisher.ts'
import { isRefusedForGood, MessengerError } from '../messenger/messenger.ts'
import type { Change } from '../model/change.ts'
import { ok } from '../model/result.ts'
import { checkOutcome, nextCheckAt } from '../pipeline/applying/check-outcome.ts'
import { execute } from '../pipeline/applying/execute.ts'
import { postScheduled, runScheduled } from '../pipeline/look-ups/scheduled.ts'
import { deliverAgain } from '../pipeline/way-in/intake.ts'
import type { Task } from '../storage/tasks.ts'
import { anchorWith } from './anchor.ts'
import { stream } from './stream.ts'
import { tellWebhook } from './webhook-sender.ts'

/** How often an approved change that waits for a messenger is tried again. */
const waitingMs = 10_000
/** How often a card that counts down is drawn again; less often while much time is left, and the words are as coarse. */
const countdownMs = 60_000

/** Does one task, and notes that it is done, or when it is to be done again. */
export const attempt = async (core: Core, task: Task, known?: Change): Promise<void> => {
  try {
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

/** Runs a task, and returns when to run it again if it is not finished. */
const perform = async (core: Core, task: Task, known?: Change): Promise<number | undefined> => {
  const { kind, doc } = task
  if (kind === 'intake') return deliverAgain(core, task)
  if (kind === 'notice') {
    const notices = noticeTasks(core, doc)
    if (notices.length > 0) await core.store.tasks.put(...notices)
    core.wake()
    return undefined
  }
  if (kind === 'tell_administrator') {
    await deliverNotice(core, doc)
    return undefined
  }
  if (kind === 'complete_refused') {
    await completeRefused(core, doc)
    return undefined
  }
  if (kind === 'stream') return stream(core)
  if (kind === 'closed_channel')
    return tryClosed(core, doc, (change, again) => showCards(core, change, { again }))
  const { id } = doc as { id: string }
  if (kind === 'progress') return showProgress(core, id)
  if (kind === 'schedule') return runScheduled(core, id)
  if (kind === 'scheduled_post') {
    await postScheduled(core, task)
    return undefined
  }
  if (kind === 'anchor') return anchorWith(core, id)
  if (kind === 'webhook') return tellWebhook(core, id)
  const change = known ?? (await core.store.changes.get(id))
  if (change === null) return undefined
  return core.tracing.ofChange(change, `task ${kind}`, () => performOf(core, task, change))
}

/** What is to be done about a change. */
const performOf = async (core: Core, { kind, doc }: Task, change: Change): Promise<number | undefined> => {
  const { id } = change
  switch (kind) {
    case 'cards':
      await showCards(core, change)
      return undefined
    case 'tell':
      // The cards first: more people look at them.
      await nextTurn()
      if (isEnded(change.state)) await notifyRequester(core, change)
      return undefined
    case 'check_outcome':
      // Somebody may have looked, and found it, before this was due.
      if (change.checked?.happened === true) return undefined
      return nextCheckAt(core, await checkOutcome(core, change))
    case 'emergency':
      await tellEmergency(core, change, (doc as { isOverdue: boolean }).isOverdue)
      return undefined
    case 'complete':
      await completeRequest(core, change)
      return undefined
    case 'late':
      for (const [n, to] of lateListenersOf(core, change).entries()) {
        const key = `late:${id}:${change.version}:${n}`
        await core.store.tasks.put({ kind: 'tell_late', key, doc: { id, to }, dueAt: core.now() })
      }
      return undefined
    case 'tell_late':
      await tellLate(core, change, (doc as { to: Listener }).to)
      return undefined
    case 'news':
      await tellNews(core, change, (doc as { news: News }).news)
      return undefined
    case 'hold': {
      if (!isHeld(change, core.now())) return undefined
      await showCards(core, change, { anew: true })
      const left = (change.holdUntil ?? 0) - core.now()
      return core.now() + Math.max(countdownMs, left / 24)
    }
    case 'apply':
      if ((await execute(core, id)).waiting !== undefined) return core.now() + waitingMs
      return isHeld(change, core.now()) ? change.holdUntil : undefined
    case 'remind':
      await move(core, id, { kind: 'remind', step: (doc as { step: number }).step, at: core.now() })
      return undefined
    case 'escalate':
      await move(core, id, { kind: 'escalate', at: core.now() })
      return undefined
    case 'reminder':
      await showReminder(core, change)
      return undefined
    case 'expire':
      // Asked again meanwhile, it has more time than it had.
      if (change.state === 'pending' && core.now() < change.expiresAt) return change.expiresAt
      await move(core, id, { kind: 'expire', at: core.now() })
      return undefined
    default:
      throw new Error(`there is no handler for the task ${kind}`)
  }
}

const move = (core: Core, id: string, event: LawEvent) => transition(core, id, async () => ok(event))
