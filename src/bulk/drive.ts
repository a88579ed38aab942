import { setTimeout as sleep } from 'node:timers/promises'
import type { Change as Stored } from '../approvals/change.ts'
import type { Change } from '../command/define.ts'
import { applyContext, readContext } from '../pipeline/context.ts'
import { whyFrozen } from '../pipeline/prepare.ts'
import { serviceRefusal } from '../pipeline/refuse.ts'
import type { World } from '../pipeline/world.ts'
import type { ServiceError } from '../services/errors.ts'
import type { Chunk } from '../storage/bulk.ts'
import { type Ended, finish, workOn } from './chunk.ts'
import { endIfDone, pauseJob } from './ending.ts'

/** One job in the hands of this process. Others may work on it at the same time: every chunk is somebody's. */
export type Drive = {
  world: World
  id: string
  change: Stored
  definition: Change & Required<Pick<Change, 'bulk'>>
  turn(): Promise<void>
  /** Chunks that this process is sending right now. */
  inFlight: Set<string>
  stopping: AbortSignal
}

/** In a row, whether refused or lost: then something is wrong that more tries will not mend. */
const badInARow = 8
const freezeCheckMs = 1_000
const longestWaitMs = 30_000

/** Works until nothing is left to take, the job is paused or stopped, or this process is to end. */
export const drive = async (given: Drive): Promise<void> => {
  const { world, id, change, definition, stopping } = given
  const plan = definition.plan.parse(change.plan)
  let bad = 0
  let frozenCheck = 0
  let isOver = false
  let clear: Promise<void> = Promise.resolve()

  const lane = async (): Promise<void> => {
    for (;;) {
      await clear
      if (isOver || stopping.aborted) return
      await checkFreeze()
      const chunk = isOver ? null : await world.store.bulk.claim(id, world.process)
      if (chunk === null) return
      const { end, error } = await attempt(given, plan, chunk)
      bad = end.state === 'sent' ? 0 : bad + 1
      await react(end.state, error)
    }
  }

  const react = async (state: Ended['end']['state'], error: ServiceError | undefined): Promise<void> => {
    if (error?.kind === 'unauthorized') return halt(serviceRefusal(error).message)
    if (state === 'pending') clear = recover(error)
    else if (state !== 'sent' && bad >= badInARow) {
      const why = error === undefined ? '' : ` ${serviceRefusal(error).message}`
      await halt(`Paused after ${bad} chunks in a row went wrong.${why}`)
    } else if (state === 'unknown' && bad > 1) clear = recover(error)
  }

  /** The service is asked something harmless until it answers: a breaker closes on that, and no chunk is risked. */
  const recover = async (error: ServiceError | undefined): Promise<void> => {
    const service = error === undefined ? 'The service' : serviceRefusal(error).message
    await world.store.bulk.move(id, ['running'], 'running', { reason: `${service} Waiting, then going on.` })
    for (let waitMs = error?.retryAfterMs ?? Math.min(longestWaitMs, 25 * 2 ** Math.min(bad, 10)); ; ) {
      await sleep(waitMs, undefined, { signal: stopping }).catch(() => undefined)
      if (stopping.aborted || !(await isRunning())) return
      try {
        await definition.bulk.probe(plan, readContext(world, { ...change.requester, known: true }))
        break
      } catch {
        waitMs = Math.min(longestWaitMs, Math.max(1_000, waitMs * 2))
      }
    }
    await world.store.bulk.move(id, ['running'], 'running')
  }

  const checkFreeze = async (): Promise<void> => {
    if (world.now() < frozenCheck) return
    frozenCheck = world.now() + freezeCheckMs
    const frozen = await whyFrozen(world.store, change.area)
    if (frozen !== undefined) await halt(frozen.message)
  }

  const halt = async (reason: string): Promise<void> => {
    isOver = true
    await pauseJob(world, id, change, reason)
  }

  const isRunning = async () => (await world.store.bulk.get(id))?.state === 'running'

  await checkFreeze()
  await Promise.all(Array.from({ length: world.policy.bulk.concurrency }, lane))
  if (!stopping.aborted) await endIfDone(world, id, change)
}

const attempt = async (
  { world, change, definition, turn, inFlight }: Drive,
  plan: unknown,
  chunk: Chunk,
): Promise<Ended> => {
  const key = `${chunk.jobId}:${chunk.n}`
  inFlight.add(key)
  try {
    const context = { ...applyContext(world, change.requester), turn }
    const ended = await workOn(world, chunk, (items) => definition.bulk.work(plan, items, context))
    await finish(world, chunk, ended.end)
    return ended
  } finally {
    inFlight.delete(key)
  }
}
