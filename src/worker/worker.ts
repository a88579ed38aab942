import {
  type Listener,
  lateListenersOf,
  notifyRequester,
  retryAt,
  showCards,
  tellLate,
} from '../approvals/card-publisher.ts'
import { isEnded, isHeld, type LawEvent } from '../approvals/law.ts'
import { showReminder } from '../approvals/reminder-publisher.ts'
import { transition } from '../approvals/transition.ts'
import { claimLeaseOf } from '../core/claim-lease.ts'
import type { Core } from '../core/core.ts'
import { followNewest } from '../core/policy-versions.ts'
import { createJobScheduler } from '../jobs/job-scheduler.ts'
import { startJob } from '../jobs/job-start.ts'
import { showProgress } from '../jobs/progress-publisher.ts'
import { pruneSpools } from '../messenger/spool.ts'
import type { Change } from '../model/change.ts'
import { no, ok } from '../model/result.ts'
import { checkOutcome, nextCheckAt } from '../pipeline/check-outcome.ts'
import { execute } from '../pipeline/execute.ts'
import { deliverAgain } from '../pipeline/intake.ts'
import { postScheduled, runScheduled } from '../pipeline/scheduled.ts'
import type { Task } from '../storage/tasks.ts'
import { refusal } from '../view/refusals.ts'
import { anchorWith, scheduleAnchors } from './anchor.ts'

const dayMs = 24 * 3_600_000
/** How many tasks one process runs at the same time. */
const atOnce = 16
/** How often an approved change that waits for a messenger is tried again. */
const waitingMs = 10_000
/** How often a card that counts down is drawn again; less often while much time is left, and the words are as coarse. */
const countdownMs = 60_000

/** Runs due tasks and the heartbeat of this process. Any number of replicas may run one. */
export type Worker = {
  start(): Promise<void>
  wake(afterMs?: number): void
  takesOwn(): boolean
  begin(tasks: readonly Task[], change: Change): void
  /** Runs one bulk job until no chunk is left. */
  run(job: string): Promise<void>
  /** Runs all tasks that are due now, and returns when they are done. */
  drain(): Promise<void>
  /** Takes no more tasks, and waits for what is under way. The heartbeat goes on. */
  finish(): Promise<void>
  /** Ends the heartbeat, so that others see at once that this process is gone. */
  stop(): Promise<void>
}

export const createWorker = (core: Core, { tasks: takesTasks }: { tasks: boolean }): Worker => {
  const { heartbeatMs, lifeMs, idleMs, leaseMs } = core.timings
  const heartbeat = `process:${core.process}`
  let running: Promise<void> | undefined
  let isWanted = false
  let stopped = false
  let woken = Promise.withResolvers<void>()
  let timers: NodeJS.Timeout[] = []
  let heart: NodeJS.Timeout | undefined

  const jobScheduler = createJobScheduler(core)
  /** What this process does now, by the task's key. Several at a time, so that a slow platform does not delay the others. */
  const underWay = new Map<string, Promise<void>>()
  const track = (task: Task, change?: Change): void => {
    const work = attempt(core, task, change).finally(() => {
      if (underWay.get(task.key) === work) underWay.delete(task.key)
    })
    underWay.set(task.key, work)
  }
  const drain = async (): Promise<void> => {
    try {
      for (;;) {
        isWanted = false
        woken = Promise.withResolvers()
        const limit = stopped ? 0 : atOnce - underWay.size
        const tasks = limit <= 0 ? [] : await core.store.tasks.take({ limit, leaseMs, owner: core.process })
        for (const task of tasks) track(task)
        if (underWay.size === 0) return
        await Promise.race([woken.promise, ...underWay.values()])
      }
    } finally {
      await Promise.all(underWay.values())
    }
  }
  const wake = (afterMs = 0): void => {
    if (stopped) return
    if (afterMs > 0) {
      wakeLater(afterMs)
      return
    }
    isWanted = true
    woken.resolve()
    if (!takesTasks) return
    jobScheduler.wake()
    if (running !== undefined) return
    running = (async () => {
      while (isWanted && !stopped) await drain()
    })()
      .catch((error: unknown) => core.log.error({ err: error }, 'the worker could not take its tasks'))
      .finally(() => {
        running = undefined
        if (isWanted && !stopped) setImmediate(() => wake())
      })
  }
  /** One timer for all: what comes while it runs is looked at when it rings, or by the next one. */
  let lastWanted = 0
  let alarm: NodeJS.Timeout | undefined
  const wakeLater = (ms: number): void => {
    lastWanted = Math.max(lastWanted, performance.now() + ms)
    alarm ??= setTimeout(() => {
      alarm = undefined
      wake()
      const left = lastWanted - performance.now()
      if (left > 0) wakeLater(left)
    }, ms).unref()
  }
  const chores = new Set<Promise<void>>()
  const guarded = (what: string, work: () => Promise<unknown>) => (): void => {
    const chore = work()
      .then(() => undefined)
      .catch((error: unknown) => core.log.error({ err: error }, `${what} failed`))
      .finally(() => chores.delete(chore))
    chores.add(chore)
  }
  /** One at a time, so that stopping can wait for it: a beat that ends after the release would bring the lease back. */
  let beating: Promise<unknown> | undefined
  let anchored: Core['policy']['anchor'] = null
  /** Also when the policy names other witnesses while the process runs. */
  const anchorAnew = async (): Promise<void> => {
    if (anchored === core.policy.anchor) return
    await scheduleAnchors(core)
    anchored = core.policy.anchor
  }
  const beat = (): Promise<unknown> => {
    beating ??= core.store.leases.acquire(heartbeat, core.process, lifeMs).finally(() => {
      beating = undefined
    })
    return beating
  }

  const finish = async (): Promise<void> => {
    stopped = true
    clearTimeout(alarm)
    for (const timer of timers) clearInterval(timer)
    await Promise.all([running, jobScheduler.stop(), ...chores, ...underWay.values()])
  }

  return {
    start: async () => {
      await beat()
      heart = setInterval(guarded('the heartbeat', beat), heartbeatMs)
      if (!takesTasks) return
      timers = [
        setInterval(() => wake(), idleMs),
        setInterval(
          guarded('the search for lost changes', () => findLost(core)),
          heartbeatMs,
        ),
        setInterval(guarded('anchoring', anchorAnew), heartbeatMs),
        setInterval(
          guarded('the look for a newer policy', () => followNewest(core)),
          idleMs,
        ),
        setInterval(
          guarded('pruning', () => prune(core)),
          dayMs / 24,
        ),
      ]
      await findLost(core)
      await anchorAnew()
      guarded('pruning', () => prune(core))()
      wake()
    },
    wake,
    takesOwn: () => takesTasks && !stopped && underWay.size < atOnce,
    begin: (tasks, change) => {
      // What is under way here already is done again when it ends, because it was put again.
      for (const task of tasks) if (!underWay.has(task.key)) track(task, change)
    },
    run: jobScheduler.run,
    drain: async () => {
      await drain()
      await jobScheduler.drain()
      await drain()
    },
    finish,
    stop: async () => {
      clearInterval(heart)
      await beating?.catch(() => undefined)
      await core.store.leases.release(heartbeat, core.process).catch(() => undefined)
    },
  }
}

const attempt = async (core: Core, task: Task, known?: Change): Promise<void> => {
  try {
    const again = await perform({ ...core }, task, known)
    if (again === undefined) {
      if (!(await core.store.tasks.done(task))) core.wake()
    } else await core.store.tasks.again(task, again)
  } catch (error) {
    core.log.warn({ err: error, task: task.kind, attempts: task.attempts }, 'a task is postponed')
    await core.store.tasks
      .postpone(task, retryAt(task, error, core.now()), error instanceof Error ? error.name : 'error')
      .catch((cause: unknown) => core.log.error({ err: cause }, 'a task could not be postponed'))
  }
}

/** Runs a task, and returns when to run it again if it is not finished. */
const perform = async (core: Core, task: Task, known?: Change): Promise<number | undefined> => {
  const { kind, doc } = task
  if (kind === 'intake') return deliverAgain(core, task)
  const { id } = doc as { id: string }
  if (kind === 'progress') return showProgress(core, id)
  if (kind === 'schedule') return runScheduled(core, id)
  if (kind === 'scheduled_post') {
    await postScheduled(core, task)
    return undefined
  }
  if (kind === 'anchor') return anchorWith(core, id)
  const change = known ?? (await core.store.changes.get(id))
  if (change === null) return undefined
  switch (kind) {
    case 'cards':
      await showCards(core, change)
      return undefined
    case 'tell':
      if (isEnded(change.state)) await notifyRequester(core, change)
      return undefined
    case 'check_outcome':
      // Somebody may have looked, and found it, before this was due.
      if (change.checked?.happened === true) return undefined
      return nextCheckAt(core, await checkOutcome(core, change))
    case 'late':
      for (const [n, to] of lateListenersOf(core, change).entries()) {
        const key = `late:${id}:${change.version}:${n}`
        await core.store.tasks.put({ kind: 'tell_late', key, doc: { id, to }, dueAt: core.now() })
      }
      return undefined
    case 'tell_late':
      await tellLate(core, change, (doc as { to: Listener }).to)
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

/** Ends every claim whose process is gone: the request may have been sent, so the outcome is unknown. */
const findLost = async (core: Core): Promise<void> => {
  await takeOver(core)
  for (const change of await core.store.changes.applying(100)) {
    const { id, claimedBy } = change
    const isOurs = claimedBy === core.process
    if (isOurs ? core.applying.has(id) : await isAlive(core, claimedBy)) continue
    if (change.pinned !== undefined && claimedBy !== null) {
      await startAgain(core, change, claimedBy)
      continue
    }
    const message = isOurs
      ? 'Its outcome could not be recorded.'
      : 'The process that was doing it died before the answer came.'
    const moved = await transition(core, id, async (_, store) =>
      (await store.leases.end(claimLeaseOf(id)))
        ? ok({ kind: 'lost', message, at: core.now() })
        : no(refusal('not_allowed_now', 'Its process has just shown itself.')),
    )
    if (moved.ok) core.log.warn({ changeId: id }, 'a change was lost with its process')
  }
}

/** Releases the tasks of dead processes before their leases end. */
const takeOver = async (core: Core): Promise<void> => {
  for (const owner of await core.store.tasks.owners()) {
    if (owner === core.process || (await isAlive(core, owner))) continue
    if ((await core.store.tasks.release(owner)) > 0) core.wake()
  }
}

/**
 * Starting a bulk job only writes to our own database and happens once, so it is safe to repeat instead of
 * marking it unknown.
 */
const startAgain = async (core: Core, change: Change, process: string): Promise<void> => {
  if (change.pinned === undefined) return
  const message = await startJob(core, change, change.pinned)
  const outcome = { at: core.now(), message, warning: null, view: null }
  await move(core, change.id, { kind: 'finish', process, state: 'applied', outcome })
}

const isAlive = async (core: Core, process: string | null): Promise<boolean> =>
  (await core.store.leases.holder(`process:${process}`)) !== null

const move = (core: Core, id: string, event: LawEvent) => transition(core, id, async () => ok(event))

const prune = async ({ store, now }: Core): Promise<void> => {
  await store.deliveries.prune(now() - 2 * dayMs)
  await store.answers.prune(now() - 7 * dayMs)
  await store.drafts.prune(now() - 7 * dayMs)
  await store.leases.prune(now() - dayMs)
  await store.sessions.prune(now())
  await store.absences.prune(now())
  await store.bulk.prune({ unused: now() - dayMs, ended: now() - 30 * dayMs })
  await pruneSpools(now() - dayMs / 24)
}
