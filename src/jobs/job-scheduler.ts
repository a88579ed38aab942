import { definitionOf } from '../command/registry.ts'
import { claimTimes } from '../core/claims/claim-lease.ts'
import type { Core } from '../core/core.ts'
import { createRateLimit } from '../retry.ts'
import { pauseJob } from './job-end.ts'
import { type JobRun, keyOf, runJob } from './job-runner.ts'
import { putProgress } from './progress-publisher.ts'

/** Runs the bulk jobs in this process. Every replica may have one. */
export type JobScheduler = {
  /** Starts, soon, on every running job that it is not working on yet. */
  wake(): void
  /** Runs one job until no chunk is left. */
  run(id: string): Promise<void>
  /** Runs all running jobs, and returns when no chunk is left. */
  drain(): Promise<void>
  /** Takes no more chunks, and waits for those that are being sent. */
  stop(): Promise<void>
}

/** After this long, a chunk of this process that is no longer in progress cannot get an answer any more. */
const forgottenMs = 15 * 60_000

/** Every request for a change wakes it, so polling this often is enough. */
const restMs = 200

export const createJobScheduler = (core: Core): JobScheduler => {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const inFlight = new Set<string>()
  const limits = new Map<string, () => Promise<void>>()

  const rateLimitOf = (area: string): (() => Promise<void>) => {
    const limit = limits.get(area) ?? createRateLimit(core.policy.bulk.rate)
    limits.set(area, limit)
    return limit
  }

  const begin = async (id: string): Promise<void> => {
    const job = await core.store.bulk.get(id)
    const change = job?.changeId ? await core.store.changes.get(job.changeId) : null
    if (job?.state !== 'running' || change === null) return
    const definition = definitionOf(core.registry, change)
    if (definition?.bulk === undefined || !definition.plan.safeParse(change.plan).success) {
      return pauseJob(core, id, change, `${change.command} can no longer run as planned.`)
    }
    await runJob({
      core,
      id,
      change,
      definition: definition as JobRun['definition'],
      throttle: rateLimitOf(change.area),
      inFlight,
      stopping: stopping.signal,
    })
  }

  const run = (id: string): Promise<void> => {
    const under = running.get(id)
    if (under !== undefined) return under
    if (stopping.signal.aborted) return Promise.resolve()
    const done = core.tracing
      .apart(() => core.stalls.during('job', () => begin(id)))
      .catch((error: unknown) => core.log.error({ err: error, job: id }, 'a job could not continue'))
      .finally(() => running.delete(id))
    running.set(id, done)
    return done
  }

  const look = async (): Promise<void> => {
    await findLost(core, inFlight)
    for (const { id } of await core.store.bulk.list(['running'], 100)) void run(id)
  }

  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  let lookedAt = 0
  const wake = (): void => {
    if (timer !== undefined || stopping.signal.aborted) return
    timer = setTimeout(
      () => {
        timer = undefined
        lookedAt = performance.now()
        looking = look().catch((error: unknown) =>
          core.log.error({ err: error }, 'the search for bulk jobs failed'),
        )
      },
      Math.max(0, lookedAt + restMs - performance.now()),
    ).unref()
  }

  return {
    wake,
    run,
    drain: async () => {
      await look()
      while (running.size > 0) await Promise.all(running.values())
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      await looking
      await Promise.allSettled(running.values())
    },
  }
}

/**
 * Chunks whose process died or failed to store the result: the request may have been sent, so the outcome is
 * unknown.
 */
const findLost = async (core: Core, inFlight: ReadonlySet<string>): Promise<void> => {
  for (const chunk of await core.store.bulk.sending(1_000)) {
    const isOurs = chunk.owner === core.process
    const isAlive = isOurs
      ? inFlight.has(keyOf(chunk)) || chunk.at > core.now() - forgottenMs
      : (await core.store.leases.holder(`process:${chunk.owner}`)) !== null
    if (isAlive) continue
    const why = isOurs ? 'The result could not be stored.' : 'The process that was sending it died.'
    if (!(await core.store.bulk.lose(chunk, why, core.now() - claimTimes(core.timings).giveUpMs))) continue
    core.log.warn({ job: chunk.jobId, chunk: chunk.n }, 'a chunk was lost with its process')
    await putProgress(core.store, chunk.jobId, core.now())
  }
}
