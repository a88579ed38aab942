import { refuseFrozen } from '../../kernel/actors/authorization.ts'
import { createFence } from '../../kernel/claims/claim-lease.ts'
import { logOf, type SentClaim } from '../../kernel/claims/sent-log.ts'
import { untilStored } from '../../kernel/claims/until-stored.ts'
import type { ChangeCommand } from '../../kernel/command/define.ts'
import { applyContext, readContext } from '../../kernel/context/command-context.ts'
import { serviceRefusal } from '../../kernel/context/error-refusals.ts'
import type { Core } from '../../kernel/core.ts'
import type { Change } from '../../kernel/model/change.ts'
import type { Chunk } from '../../kernel/store/bulk.ts'
import { after, longAgo } from '../../lib/clock.ts'
import { backoffMs, pause, retry } from '../../lib/retry.ts'
import type { ServiceError } from '../../lib/services/errors.ts'
import { type ChunkResult, storeChunkEnd, workOnChunk } from './chunk.ts'
import { endIfDone, pauseJob } from './job-end.ts'

/** One job in this process. Other processes may run it at the same time: each chunk has one owner. */
export type JobRun = {
  core: Core
  id: string
  change: Change
  definition: ChangeCommand & Required<Pick<ChangeCommand, 'bulk'>>
  throttle(): Promise<void>
  /** Chunks that this process has claimed and whose end it has not stored yet. */
  inFlight: Set<string>
  stopping: AbortSignal
}

/** After this many failed chunks in a row, more attempts are unlikely to help. */
const badInARow = 8
const freezeCheckMs = 1_000
/** Before the service is first asked whether it is back, and between the times that it is asked. */
const pauses = { firstMs: 50, longestMs: 30_000 }
const probePauses = { firstMs: 1_000, longestMs: 30_000 }

/** Runs until no chunk is left, the job is paused or stopped, or this process shuts down. */
export const runJob = async (given: JobRun): Promise<void> => {
  const { core, id, change, definition, inFlight, stopping } = given
  const plan = definition.plan.parse(change.plan)
  let bad = 0
  let frozenCheck = longAgo
  let isOver = false
  let clear: Promise<void> = Promise.resolve()

  const lane = async (): Promise<void> => {
    let chunk = await nextChunk()
    try {
      while (chunk !== null) {
        const current = chunk
        const { end, error } = await core.tracing.ofChange(change, 'batch', () =>
          attempt(given, plan, current),
        )
        const isSent = end.state === 'sent'
        const storing = storeChunkEnd(core, current, end).finally(() => inFlight.delete(keyOf(current)))
        bad = isSent ? 0 : bad + 1
        if (!isSent) await storing.then(() => react(end.state, error))
        // Where all is well, the next one is claimed meanwhile, so that both wait for the disk once.
        chunk = await nextChunk().catch(() => storing.then(nextChunk))
        await storing
      }
    } finally {
      if (chunk !== null) inFlight.delete(keyOf(chunk))
    }
  }

  const nextChunk = async (): Promise<Chunk | null> => {
    await clear
    if (!isOver && !stopping.aborted) await checkFreeze()
    const chunk = isOver || stopping.aborted ? null : await core.store.bulk.claim(id, core.process)
    if (chunk !== null) inFlight.add(keyOf(chunk))
    return chunk
  }

  const react = async (
    state: ChunkResult['end']['state'],
    error: ServiceError | undefined,
  ): Promise<void> => {
    if (error?.kind === 'unauthorized') return halt(serviceRefusal(error).message)
    if (state === 'pending') clear = recover(error)
    else if (state !== 'sent' && bad >= badInARow) {
      const why = error === undefined ? '' : ` ${serviceRefusal(error).message}`
      await halt(`Paused because ${bad} batches in a row failed.${why}`)
    } else if (state === 'unknown' && bad > 1) clear = recover(error)
  }

  /** Reads from the service until it answers. That closes the circuit breaker without risking a chunk. */
  const recover = async (error: ServiceError | undefined): Promise<void> => {
    const service = error === undefined ? 'The service' : serviceRefusal(error).message
    await core.store.bulk.move(id, ['running'], 'running', { reason: `${service} Waiting to continue.` })
    await pause(error?.retryAfterMs ?? backoffMs(pauses, bad), stopping)
    const context = readContext(core, { ...change.requester, known: true })
    const probe = async () => {
      if (!stopping.aborted && (await isRunning())) await definition.bulk.probe(plan, context)
    }
    await retry(probe, (_, failures) => backoffMs(probePauses, failures), stopping).catch(() => undefined)
    if (!stopping.aborted) await core.store.bulk.move(id, ['running'], 'running')
  }

  const checkFreeze = async (): Promise<void> => {
    if (core.ticks() < frozenCheck) return
    frozenCheck = after(core.ticks(), freezeCheckMs)
    const frozen = await refuseFrozen(core.store, change.area, change.requester)
    if (frozen !== undefined) await halt(frozen.message)
  }

  const halt = async (reason: string): Promise<void> => {
    isOver = true
    await pauseJob(core, id, change, reason)
  }

  const isRunning = async () => (await core.store.bulk.get(id))?.state === 'running'

  await checkFreeze()
  await Promise.all(Array.from({ length: core.policy.bulk.concurrency }, lane))
  if (!stopping.aborted) await endIfDone(core, id, change)
}

const attempt = async (
  { core, change, definition, throttle }: JobRun,
  plan: unknown,
  chunk: Chunk,
): Promise<ChunkResult> => {
  const claim = batchClaimOf(core, chunk)
  await core.othersLooked()
  const fence = createFence(core, {
    renew: () => core.store.bulk.renew(chunk, core.process),
    keep: () => core.sent.keep(claim),
  })
  const context = { ...applyContext(core, change, fence), throttle }
  const result = await workOnChunk(core, chunk, (items) => definition.bulk.work(plan, items, context))
  const { state, items = chunk.items, error } = result.end
  const isWhole = state === 'pending' && items.length === chunk.items.length
  // Before it may be claimed again, which is no second time then.
  await untilStored(core, { job: chunk.jobId, chunk: chunk.n }, () =>
    core.sent.end(claim.key, {
      state: isWhole ? 'pending' : state === 'pending' ? 'sent' : state,
      message: error ?? '',
      at: core.now(),
    }),
  )
  return result
}

/** What is left of a batch is another batch. */
const batchClaimOf = (core: Core, { jobId, n, items }: Chunk): SentClaim => ({
  key: `${keyOf({ jobId, n })}:${items.length}`,
  at: core.now(),
  log: logOf(core),
  batch: { job: jobId, n, size: items.length },
})

/** What a chunk is called in `inFlight`. */
export const keyOf = ({ jobId, n }: Pick<Chunk, 'jobId' | 'n'>): string => `${jobId}:${n}`
