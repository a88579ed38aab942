import { definitionOf } from '../pipeline/definition.ts'
import type { World } from '../pipeline/world.ts'
import { type Drive, drive } from './drive.ts'
import { pauseJob } from './ending.ts'
import { createPace } from './pace.ts'
import { putProgress } from './tell.ts'

/** All long work of this process. Any number of replicas may run one. */
export type Driver = {
  /** Soon takes up every running job that it is not at already. */
  nudge(): void
  /** Works on one job until there is nothing left to take. */
  run(id: string): Promise<void>
  /** Works on everything that runs, and returns when there is nothing left to take. */
  drain(): Promise<void>
  /** Takes no more chunks, and waits for those that are being sent. */
  stop(): Promise<void>
}

/** A chunk of our own that nobody works on any more, long after any answer could come. */
const forgottenMs = 15 * 60_000

/** Every change that is asked for is a nudge; looking this often is enough. */
const restMs = 200

export const createDriver = (world: World): Driver => {
  const stopping = new AbortController()
  const driving = new Map<string, Promise<void>>()
  const inFlight = new Set<string>()
  const paces = new Map<string, () => Promise<void>>()

  const paceOf = (area: string): (() => Promise<void>) => {
    const pace = paces.get(area) ?? createPace(world.policy.bulk.rate)
    paces.set(area, pace)
    return pace
  }

  const begin = async (id: string): Promise<void> => {
    const job = await world.store.bulk.get(id)
    const change = job?.changeId ? await world.store.changes.get(job.changeId) : null
    if (job?.state !== 'running' || change === null) return
    const definition = definitionOf(world.registry, change)
    if (definition?.bulk === undefined || !definition.plan.safeParse(change.plan).success) {
      return pauseJob(world, id, change, `${change.command} can no longer be run as it was planned.`)
    }
    await drive({
      world,
      id,
      change,
      definition: definition as Drive['definition'],
      turn: paceOf(change.area),
      inFlight,
      stopping: stopping.signal,
    })
  }

  const run = (id: string): Promise<void> => {
    const under = driving.get(id)
    if (under !== undefined) return under
    if (stopping.signal.aborted) return Promise.resolve()
    const done = begin(id)
      .catch((error: unknown) => world.log.error({ err: error, job: id }, 'a job could not go on'))
      .finally(() => driving.delete(id))
    driving.set(id, done)
    return done
  }

  const look = async (): Promise<void> => {
    await findLost(world, inFlight)
    for (const { id } of await world.store.bulk.list(['running'], 100)) void run(id)
  }

  let looking: NodeJS.Timeout | undefined
  let lookedAt = 0
  const nudge = (): void => {
    if (looking !== undefined || stopping.signal.aborted) return
    looking = setTimeout(
      () => {
        looking = undefined
        lookedAt = performance.now()
        look().catch((error: unknown) => world.log.error({ err: error }, 'long work could not be looked for'))
      },
      Math.max(0, lookedAt + restMs - performance.now()),
    ).unref()
  }

  return {
    nudge,
    run,
    drain: async () => {
      await look()
      while (driving.size > 0) await Promise.all(driving.values())
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(looking)
      await Promise.allSettled(driving.values())
    },
  }
}

/** Chunks whose process died, or lost its own outcome: the request may have left, so nobody knows. */
const findLost = async (world: World, inFlight: ReadonlySet<string>): Promise<void> => {
  for (const chunk of await world.store.bulk.sending(1_000)) {
    const isOurs = chunk.owner === world.process
    const isAlive = isOurs
      ? inFlight.has(`${chunk.jobId}:${chunk.n}`) || chunk.at > world.now() - forgottenMs
      : (await world.store.leases.holder(`process:${chunk.owner}`)) !== null
    if (isAlive) continue
    const why = isOurs ? 'Its outcome could not be stored.' : 'The process that was sending it died.'
    if (!(await world.store.bulk.lose(chunk, why))) continue
    world.log.warn({ job: chunk.jobId, chunk: chunk.n }, 'a chunk was lost with its process')
    await putProgress(world.store, chunk.jobId, world.now())
  }
}
