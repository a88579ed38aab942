import { setTimeout as sleep } from 'node:timers/promises'
import { msBetween, type Tick } from '../../lib/clock.ts'
import { heartbeatOf } from '../claims/process-name.ts'
import type { Core } from '../core.ts'

type OthersCore = Pick<Core, 'store' | 'process' | 'timings' | 'ticks' | 'now'>

/** When this process found the database on a server that may lack its last transactions, and which one that is. */
export type DatabaseMove = { at: Tick; site: string }

const comparedOf = (process: string): string => `compared:${process}`
const keptMs = 7 * 24 * 3_600_000
const lookEveryMs = 200

/** For the others on this database: this process has compared all that it remembers with what is on this server. */
export const tellCompared = async (
  { store, process }: Pick<Core, 'store' | 'process'>,
  site: string | undefined,
): Promise<void> => {
  if (site !== undefined) await store.leases.give(comparedOf(process), site, keptMs)
}

/**
 * After such a move another process may know of something that it sent and this one does not, so nothing is claimed before the
 * others have compared. Those that show themselves are waited for, ten lives of a heartbeat at most; those that died with the server before, two lives of a
 * heartbeat, in which they may come back with their folders.
 */
export const createOthersLooked = (
  { store, process, timings, ticks, now }: OthersCore,
  lastMove: () => DatabaseMove | undefined,
) => {
  let done: DatabaseMove | undefined
  const isWaitedFor = async (move: DatabaseMove): Promise<boolean> => {
    const waited = msBetween(move.at, ticks())
    if (waited > 10 * timings.lifeMs) return false
    const [alive, told] = await Promise.all([
      store.leases.under(heartbeatOf('')),
      store.leases.under(comparedOf('')),
    ])
    const compared = new Set(told.flatMap(({ name, owner }) => (owner === move.site ? name : [])))
    return alive.some(({ owner, endsAt }) => {
      if (owner === process || compared.has(comparedOf(owner))) return false
      const isAlive = endsAt > now()
      const wasAlive = endsAt > now() - waited - timings.lifeMs
      return isAlive || (wasAlive && waited < 2 * timings.lifeMs)
    })
  }
  return async (): Promise<void> => {
    const move = lastMove()
    if (move === undefined || move === done) return
    while (await isWaitedFor(move)) await sleep(lookEveryMs)
    done = move
  }
}
