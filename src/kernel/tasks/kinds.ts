import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { ok } from '../../lib/result.ts'
import { showCards } from '../cards/card-publisher.ts'
import { tryClosed } from '../cards/closed-channels.ts'
import {
  type Listener,
  lateListenersOf,
  type News,
  notifyRequester,
  tellLate,
  tellNews,
} from '../cards/outcome-publisher.ts'
import { showReminder } from '../cards/reminder-publisher.ts'
import { completeRefused, completeRequest } from '../cards/request-end.ts'
import { askService, nextAskAt } from '../change/applying/ask-service.ts'
import { checkOutcome, nextCheckAt } from '../change/applying/check-outcome.ts'
import { execute } from '../change/applying/execute.ts'
import { beginAskingMembers } from '../change/ask-members.ts'
import { tellEmergency } from '../change/emergency.ts'
import { standAll, tellStuck } from '../change/tell-stuck.ts'
import { transition } from '../change/transition.ts'
import type { Core } from '../core.ts'
import { allFeatures, taskOf } from '../feature.ts'
import { isEnded, isHeld, type LawEvent } from '../law/law.ts'
import { type LossPost, postLoss } from '../loss/tell.ts'
import type { Change } from '../model/change.ts'
import { followNewest } from '../policy/in-force/policy-versions.ts'
import { deliverAgain } from '../request/intake.ts'
import type { Task } from '../store/tasks.ts'
import { noticeTasks } from '../telling/administrators.ts'
import { deliverNotice } from '../telling/deliver.ts'

/** How often an approved change that waits for a messenger is tried again. */
const waitingMs = 10_000
/** How often a card that counts down is drawn again; less often while much time is left, and the words are as coarse. */
const countdownMs = 60_000

const stored = <Doc extends object>() =>
  z.custom<Doc>((doc) => typeof doc === 'object' && doc !== null, 'what was stored with the task')
const named = z.object({ id: z.string() })

/** A task about a change, which is read first; of one that is gone there is nothing to do. */
const about =
  <Doc extends object = object>(run: (core: Core, change: Change, doc: Doc) => Promise<unknown>) =>
  (core: Core, task: Task, known?: Change) =>
    taskOf(named, async (_, { id }) => {
      const change = known ?? (await core.store.changes.get(id))
      if (change === null) return undefined
      return core.tracing.ofChange(change, `task ${task.kind}`, async () =>
        run(core, change, task.doc as Doc),
      )
    })(core, task)

const move = async (core: Core, id: string, event: LawEvent): Promise<void> => {
  await transition(core, id, async () => ok(event))
}

/** The kernel's own kinds of task; those of features stand in their folders. */
const kinds: Readonly<
  Record<string, (core: Core, task: Task, known?: Change) => Promise<number | undefined>>
> = {
  intake: deliverAgain,
  notice: async (core, { doc }) => {
    const notices = noticeTasks(core, doc)
    if (notices.length > 0) await core.store.tasks.put(...notices)
    core.wake()
    return undefined
  },
  tell_administrator: taskOf(stored(), deliverNotice),
  store_lost: taskOf(stored<LossPost>(), postLoss),
  lost_deeds: taskOf(stored(), deliverNotice),
  complete_refused: taskOf(stored(), completeRefused),
  closed_channel: taskOf(stored(), (core, doc) =>
    tryClosed(core, doc, (change, again) => showCards(core, change, { again })),
  ),
  cards: about((core, change) => showCards(core, change)),
  tell: about(async (core, change) => {
    // The cards first: more people look at them.
    await nextTurn()
    if (isEnded(change.state)) await notifyRequester(core, change)
  }),
  // Somebody may have looked, and found it, before this was due.
  check_outcome: about(async (core, change) =>
    change.checked?.happened === true ? undefined : nextCheckAt(core, await checkOutcome(core, change)),
  ),
  ask_service: about(async (core, change) => nextAskAt(core, await askService(core, change))),
  emergency: about<{ isOverdue: boolean }>((core, change, { isOverdue }) =>
    tellEmergency(core, change, isOverdue),
  ),
  stuck: about<{ isFirst: boolean }>((core, change, { isFirst }) => tellStuck(core, change, isFirst)),
  members: about((core, change) => beginAskingMembers(core, change)),
  standing: async (core) => {
    await followNewest(core)
    await standAll(core)
    return undefined
  },
  complete: about((core, change) => completeRequest(core, change)),
  late: about(async (core, change) => {
    const { id, version } = change
    for (const [n, to] of lateListenersOf(core, change).entries()) {
      const key = `late:${id}:${version}:${n}`
      await core.store.tasks.put({ kind: 'tell_late', key, doc: { id, to }, dueAt: core.now() })
    }
  }),
  tell_late: about<{ to: Listener }>((core, change, { to }) => tellLate(core, change, to)),
  news: about<{ news: News }>((core, change, { news }) => tellNews(core, change, news)),
  hold: about(async (core, change) => {
    if (!isHeld(change, core.now())) return undefined
    await showCards(core, change, { anew: true })
    const left = (change.holdUntil ?? 0) - core.now()
    return core.now() + Math.max(countdownMs, left / 24)
  }),
  apply: about(async (core, change) => {
    if ((await execute(core, change.id)).waiting !== undefined) return core.now() + waitingMs
    return isHeld(change, core.now()) ? change.holdUntil : undefined
  }),
  remind: about<{ step: number }>((core, { id }, { step }) =>
    move(core, id, { kind: 'remind', step, at: core.now() }),
  ),
  escalate: about((core, { id }) => move(core, id, { kind: 'escalate', at: core.now() })),
  reminder: about((core, change) => showReminder(core, change)),
  expire: about(async (core, change) => {
    // Asked again meanwhile, it has more time than it had.
    if (change.state === 'pending' && core.now() < change.expiresAt) return change.expiresAt
    await move(core, change.id, { kind: 'expire', at: core.now() })
    return undefined
  }),
}

export const isKernelTask = (kind: string): boolean => Object.hasOwn(kinds, kind)

/** Runs a task, and returns when to run it again if it is not finished. */
export const perform = (core: Core, task: Task, known?: Change): Promise<number | undefined> => {
  const own = kinds[task.kind]
  if (own !== undefined) return own(core, task, known)
  const run = allFeatures().find(({ tasks }) => tasks?.[task.kind] !== undefined)?.tasks?.[task.kind]
  if (run === undefined) throw new Error(`there is no handler for the task ${task.kind}`)
  return run(core, task)
}
