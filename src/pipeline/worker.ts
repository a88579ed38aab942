import type { Change } from '../approvals/change.ts'
import { isEnded, isHeld, type LawEvent } from '../approvals/law.ts'
import { retryAt, showCards, tellEnd } from '../approvals/teller.ts'
import { transition } from '../approvals/transition.ts'
import { createDriver } from '../bulk/driver.ts'
import { pruneSpools } from '../bulk/spool.ts'
import { startJob } from '../bulk/start.ts'
import { showProgress } from '../bulk/tell.ts'
import { ok } from '../result.ts'
import type { Task } from '../storage/tasks.ts'
import { execute } from './execute.ts'
import type { World } from './world.ts'

const dayMs = 24 * 3_600_000
/** Tasks that one process works on at the same time. */
const atOnce = 16
/** How often a card that counts down is drawn again. */
const countdownMs = 60_000

/** The work that follows from rows with a due time, and the pulse of this process. Any number of replicas may run it. */
export type Worker = {
  start(): Promise<void>
  nudge(): void
  /** Works on one job of long work until there is nothing left to take. */
  run(job: string): Promise<void>
  /** Runs everything that is due now and returns when it is done. */
  drain(): Promise<void>
  stop(): Promise<void>
}

export const createWorker = (world: World, { tasks: takesTasks }: { tasks: boolean }): Worker => {
  const { heartbeatMs, lifeMs, idleMs, leaseMs } = world.timings
  const pulse = `process:${world.process}`
  let running: Promise<void> | undefined
  let isWanted = false
  let stopped = false
  let woken = Promise.withResolvers<void>()
  let timers: NodeJS.Timeout[] = []

  const driver = createDriver(world)
  /** So many at a time; one that a slow platform holds up does not hold up the others. */
  const drain = async (): Promise<void> => {
    const underWay = new Set<Promise<void>>()
    try {
      for (;;) {
        isWanted = false
        woken = Promise.withResolvers()
        const limit = stopped ? 0 : atOnce - underWay.size
        const tasks =
          limit === 0 ? [] : await world.store.tasks.take({ limit, leaseMs, owner: world.process })
        for (const task of tasks) {
          const work = attempt(world, task).finally(() => underWay.delete(work))
          underWay.add(work)
        }
        if (underWay.size === 0) return
        await Promise.race([woken.promise, ...underWay])
      }
    } finally {
      await Promise.all(underWay)
    }
  }
  const nudge = (): void => {
    isWanted = true
    woken.resolve()
    if (takesTasks && !stopped) driver.nudge()
    if (running !== undefined || stopped || !takesTasks) return
    running = (async () => {
      while (isWanted && !stopped) await drain()
    })()
      .catch((error: unknown) => world.log.error({ err: error }, 'the worker could not take its work'))
      .finally(() => {
        running = undefined
        if (isWanted && !stopped) setImmediate(nudge)
      })
  }
  const guarded = (what: string, work: () => Promise<unknown>) => (): void => {
    work().catch((error: unknown) => world.log.error({ err: error }, `${what} failed`))
  }
  const beat = async (): Promise<void> => {
    await world.store.leases.acquire(pulse, world.process, lifeMs)
  }

  return {
    start: async () => {
      await beat()
      timers = [setInterval(guarded('the heartbeat', beat), heartbeatMs)]
      if (!takesTasks) return
      timers.push(
        setInterval(nudge, idleMs),
        setInterval(
          guarded('the search for lost changes', () => findLost(world)),
          heartbeatMs,
        ),
        setInterval(
          guarded('pruning', () => prune(world)),
          dayMs / 24,
        ),
      )
      await findLost(world)
      nudge()
    },
    nudge,
    run: driver.run,
    drain: async () => {
      await drain()
      await driver.drain()
      await drain()
    },
    stop: async () => {
      stopped = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all([running, driver.stop()])
      await world.store.leases.release(pulse, world.process).catch(() => undefined)
    },
  }
}

const attempt = async (world: World, task: Task): Promise<void> => {
  try {
    const again = await perform(world, task)
    if (again === undefined) await world.store.tasks.done(task)
    else await world.store.tasks.again(task, again)
  } catch (error) {
    world.log.warn({ err: error, task: task.kind, attempts: task.attempts }, 'work is put off')
    await world.store.tasks
      .postpone(task, retryAt(task, error, world.now()), error instanceof Error ? error.name : 'error')
      .catch((cause: unknown) => world.log.error({ err: cause }, 'work could not be put off'))
  }
}

/** Does a task, and says when to do it again if it is not over yet. */
const perform = async (world: World, { kind, doc }: Task): Promise<number | undefined> => {
  const { id } = doc as { id: string }
  if (kind === 'progress') return showProgress(world, id)
  const change = await world.store.changes.get(id)
  if (change === null) return undefined
  switch (kind) {
    case 'cards':
      await showCards(world, change)
      return undefined
    case 'tell':
      if (isEnded(change.state)) await tellEnd(world, change)
      return undefined
    case 'hold': {
      if (!isHeld(change, world.now())) return undefined
      await showCards(world, change, { anew: true })
      return world.now() + countdownMs
    }
    case 'apply':
      await execute(world, id)
      return isHeld(change, world.now()) ? change.holdUntil : undefined
    case 'expire':
      await move(world, id, { kind: 'expire', at: world.now() })
      return undefined
    default:
      throw new Error(`nobody knows how to do the task ${kind}`)
  }
}

/** Every claim that nobody works on any more: the request may have left, so nobody knows. */
const findLost = async (world: World): Promise<void> => {
  await takeOver(world)
  for (const change of await world.store.changes.applying(100)) {
    const { id, claimedBy } = change
    const isOurs = claimedBy === world.process
    if (isOurs ? world.inHand.has(id) : await isAlive(world, claimedBy)) continue
    if (change.pinned !== undefined && claimedBy !== null) {
      await startAgain(world, change, claimedBy)
      continue
    }
    const message = isOurs
      ? 'Its outcome could not be recorded.'
      : 'The process that was doing it died before the answer came.'
    const moved = await move(world, id, { kind: 'lost', message, at: world.now() })
    if (moved.ok) world.log.warn({ changeId: id }, 'a change was lost with its process')
  }
}

/** What a dead process was about to show or tell need not wait for the end of its lease. */
const takeOver = async (world: World): Promise<void> => {
  for (const owner of await world.store.tasks.owners()) {
    if (owner === world.process || (await isAlive(world, owner))) continue
    if ((await world.store.tasks.release(owner)) > 0) world.nudge()
  }
}

/** Long work is started in our own database, once whoever does it: that is safe to do again, and then it is known. */
const startAgain = async (world: World, change: Change, process: string): Promise<void> => {
  if (change.pinned === undefined) return
  const message = await startJob(world, change, change.pinned)
  const outcome = { at: world.now(), message, warning: null, view: null }
  await move(world, change.id, { kind: 'finish', process, state: 'applied', outcome })
}

const isAlive = async (world: World, process: string | null): Promise<boolean> =>
  (await world.store.leases.holder(`process:${process}`)) !== null

const move = (world: World, id: string, event: LawEvent) => transition(world, id, async () => ok(event))

const prune = async ({ store, now }: World): Promise<void> => {
  await store.deliveries.prune(now() - 2 * dayMs)
  await store.answers.prune(now() - 7 * dayMs)
  await store.leases.prune(now() - dayMs)
  await store.bulk.prune({ unused: now() - dayMs, ended: now() - 30 * dayMs })
  await pruneSpools(now() - dayMs / 24)
}
