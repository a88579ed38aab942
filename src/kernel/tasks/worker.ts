import { after, latest, longAgo, msBetween } from '../../lib/clock.ts'
import { heartbeatOf } from '../claims/process-name.ts'
import type { Core } from '../core.ts'
import { allFeatures } from '../feature.ts'
import { lookAtNewest } from '../loss/watch.ts'
import { pruneSpools } from '../messenger/spool.ts'
import type { Change } from '../model/change.ts'
import { policyNow } from '../policy/in-force/policy-now.ts'
import { followNewest } from '../policy/in-force/policy-versions.ts'
import type { Task } from '../store/tasks.ts'
import { attempt } from './attempt.ts'
import { findLost } from './find-lost.ts'

const dayMs = 24 * 3_600_000
/** How many due tasks one process runs at the same time. */
const maxDue = 16
/** With what follows from requests of this moment; of one person not all of it. */
const atOnce = 20
const maxOfOne = 8
/** Runs due tasks and the heartbeat of this process. Any number of replicas may run one. */
export type Worker = {
  start(): Promise<void>
  wake(afterMs?: number): void
  /** Whether it does at once what follows from a request of this person. */
  takesOwn(person: string): boolean
  begin(tasks: readonly Task[], change: Change): void
  /** Does one piece of long work until nothing of it is left. */
  run(id: string): Promise<void>
  /** Runs all tasks that are due now, and returns when they are done. */
  drain(): Promise<void>
  /** Takes no more tasks, and waits for what is under way. The heartbeat goes on. */
  finish(): Promise<void>
  /** Ends the heartbeat, so that others see at once that this process is gone. */
  stop(): Promise<void>
}

export const createWorker = (core: Core, { tasks: takesTasks }: { tasks: boolean }): Worker => {
  const { heartbeatMs, lifeMs, idleMs, leaseMs } = core.timings
  const heartbeat = heartbeatOf(core.process)
  let running: Promise<void> | undefined
  let isWanted = false
  let stopped = false
  let woken = Promise.withResolvers<void>()
  let timers: NodeJS.Timeout[] = []
  let heart: NodeJS.Timeout | undefined

  const longWork = allFeatures().flatMap(({ longWork }) => longWork?.(core) ?? [])
  /** What this process does now, by the task's key. Several at a time, so that a slow platform does not delay the others. */
  const underWay = new Map<string, Promise<void>>()
  /** Whose requests these are, where that is known: what one person asks for keeps nobody else's cards waiting. */
  const ofPeople: string[] = []
  /** What this process holds it does: after what it does under the same key, whose end may be stored already. */
  const track = (task: Task, change?: Change): void => {
    const before = underWay.get(task.key)
    const begin = () =>
      core.tracing.apart(() =>
        core.eventLoopWatch.during(`task: ${task.kind}`, () => attempt(core, task, change)),
      )
    const attempted = before?.then(begin) ?? begin()
    const person = change?.requester.person
    if (person !== undefined) ofPeople.push(person)
    const work = attempted.finally(() => {
      if (person !== undefined) ofPeople.splice(ofPeople.indexOf(person), 1)
      if (underWay.get(task.key) === work) underWay.delete(task.key)
    })
    underWay.set(task.key, work)
  }
  const drain = async (): Promise<void> => {
    try {
      for (;;) {
        isWanted = false
        woken = Promise.withResolvers()
        const limit = stopped ? 0 : maxDue - underWay.size
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
    for (const work of longWork) work.wake()
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
  let lastWanted = longAgo
  let alarm: NodeJS.Timeout | undefined
  const wakeLater = (ms: number): void => {
    lastWanted = latest(lastWanted, after(core.ticks(), ms))
    alarm ??= setTimeout(() => {
      alarm = undefined
      wake()
      const left = msBetween(core.ticks(), lastWanted)
      if (left > 0) wakeLater(left)
    }, ms).unref()
  }
  const chores = new Set<Promise<void>>()
  const guarded = (what: string, work: () => Promise<unknown>) => (): void => {
    const chore = core.eventLoopWatch
      .during(what, work)
      .then(() => undefined)
      .catch((error: unknown) => core.log.error({ err: error }, `${what} failed`))
      .finally(() => chores.delete(chore))
    chores.add(chore)
  }
  /** One at a time, so that stopping can wait for it: a beat that ends after the release would bring the lease back. */
  let beating: Promise<unknown> | undefined
  let followed: string | undefined
  const followPolicy = async (): Promise<void> => {
    const { digest } = core.policy
    if (followed === digest) return
    for (const { onPolicy } of allFeatures()) await onPolicy?.(core)
    followed = digest
  }
  /** For menus and whatever else shows who may do what; where something is done, the store is asked. */
  const followGrants = async (): Promise<void> => {
    const { policy } = core
    const now = await policyNow(core)
    if (core.policy === policy) core.policy = now
  }
  /** What this process works with, for whoever compares the replicas; told again when it changes, and once a day. */
  let told = { about: '', at: longAgo }
  const tellReplica = async (): Promise<void> => {
    const about = { version: core.version, policy: core.policy.digest, key: core.signer.key('bellhop') ?? '' }
    const text = JSON.stringify(about)
    if (text === told.about && msBetween(told.at, core.ticks()) < dayMs) return
    await core.store.replicas.tell(core.process, about)
    told = { about: text, at: core.ticks() }
  }
  const beat = (): Promise<unknown> => {
    beating ??= core
      .checkClock()
      .then(() => core.store.leases.acquire(heartbeat, core.process, lifeMs))
      .finally(() => {
        beating = undefined
      })
    return beating
  }

  const finish = async (): Promise<void> => {
    stopped = true
    clearTimeout(alarm)
    for (const timer of timers) clearInterval(timer)
    await Promise.all([running, ...longWork.map(({ stop }) => stop()), ...chores, ...underWay.values()])
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
        setInterval(
          guarded('the look whether the database lost anything', () => lookAtNewest(core)),
          heartbeatMs,
        ),
        setInterval(guarded('telling about this replica', tellReplica), heartbeatMs),
        setInterval(guarded('what features do with a policy', followPolicy), heartbeatMs),
        setInterval(
          guarded('the look for a newer policy', () => followNewest(core)),
          idleMs,
        ),
        setInterval(guarded('the look for what people were granted', followGrants), idleMs),
        setInterval(
          guarded('pruning', () => prune(core)),
          dayMs / 24,
        ),
      ]
      await tellReplica()
      await findLost(core)
      await followPolicy()
      guarded('pruning', () => prune(core))()
      wake()
    },
    wake,
    takesOwn: (person) =>
      takesTasks &&
      !stopped &&
      underWay.size < atOnce &&
      ofPeople.filter((one) => one === person).length < maxOfOne,
    begin: (tasks, change) => {
      for (const task of tasks) track(task, change)
    },
    run: async (id) => {
      for (const work of longWork) await work.run(id)
    },
    drain: async () => {
      // What the worker takes by itself meanwhile is not there for this one to find.
      await Promise.all([running, drain()])
      for (const work of longWork) await work.drain()
      await Promise.all([running, drain()])
    },
    finish,
    stop: async () => {
      clearInterval(heart)
      await beating?.catch(() => undefined)
      await core.store.leases.release(heartbeat, core.process).catch(() => undefined)
      if (takesTasks) await core.store.replicas.leave(core.process).catch(() => undefined)
    },
  }
}

const prune = async ({ store, now }: Core): Promise<void> => {
  await store.deliveries.prune(now() - 2 * dayMs)
  await store.answers.prune(now() - 7 * dayMs)
  await store.drafts.prune(now() - 7 * dayMs)
  await store.leases.prune(now() - dayMs)
  await store.sessions.prune(now())
  await store.passkeys.prune(now(), now() - 30 * dayMs)
  await store.absences.prune(now())
  await store.shown.prune(now() - 30 * dayMs)
  for (const { prune: own } of allFeatures()) await own?.(store, now())
  await store.bulk.prune({ unused: now() - dayMs, ended: now() - 30 * dayMs })
  await pruneSpools(now() - dayMs / 24)
}
