import { claimTimes } from '../../kernel/claims/claim-lease.ts'
import { isAlive, isGone } from '../../kernel/claims/process-name.ts'
import { definitionOf } from '../../kernel/command/registry.ts'
import type { Core } from '../../kernel/core.ts'
import type { LongWork } from '../../kernel/feature.ts'
import { putProgress } from '../../kernel/store/bulk.ts'
import { after, longAgo, msBetween } from '../../lib/clock.ts'
import { createRateLimit } from '../../lib/retry.ts'
import { pauseJob } from './job-end.ts'
import { type JobRun, keyOf, runJob } from './job-runner.ts'

/** After this long, a chunk of this process that is no longer in progress cannot get an answer any more. */
const forgottenMs = 15 * 60_000

/** Every request for a change wakes it, so polling this often is enough. */
const restMs = 200

/** Runs the bulk jobs in this process: each job by one loop, until no chunk of it is left. Every replica may have one. */
export const createJobScheduler = (core: Core): LongWork => {
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
      .apart(() => core.eventLoopWatch.during('job', () => begin(id)))
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
  let lookedAt = longAgo
  const wake = (): void => {
    if (timer !== undefined || stopping.signal.aborted) return
    timer = setTimeout(
      () => {
        timer = undefined
        lookedAt = core.ticks()
        looking = look().catch((error: unknown) =>
          core.log.error({ err: error }, 'the search for bulk jobs failed'),
        )
      },
      Math.max(0, msBetween(core.ticks(), after(lookedAt, restMs))),
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
    const isUnderWay = isOurs
      ? inFlight.has(keyOf(chunk)) || chunk.at > core.now() - forgottenMs
      : await isAlive(core.store, chunk.owner)
    if (isUnderWay) continue
    const waitMs = !isOurs && isGone(chunk.owner) ? 0 : claimTimes(core.timings).giveUpMs
    const why = isOurs ? 'The result could not be stored.' : 'The process that was sending it died.'
    if (!(await core.store.bulk.lose(chunk, why, core.now() - waitMs))) continue
    core.log.warn({ job: chunk.jobId, chunk: chunk.n }, 'a chunk was lost with its process')
    await putProgress(core.store, chunk.jobId, core.now())
  }
}
