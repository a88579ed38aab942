import { after, longAgo, ticks as systemTicks, type Tick, type Ticks, wallTime } from '../../lib/clock.ts'
import { defined } from '../../lib/defined.ts'
import type { Log } from '../../lib/log.ts'
import { backoffMs } from '../../lib/retry.ts'
import {
  type ConnectionReport,
  type ConnectionState,
  isUp,
  type MessengerReport,
  servedName,
} from '../model/connection.ts'

/** One way between the bot and a platform. A messenger has as many as can fail by themselves. */
export type PlatformConnection = {
  /** Requests come in by it, or answers go out. */
  brings: 'requests' | 'answers'
  report(): ConnectionReport
  /** The platform takes us, or took us when this was asked. */
  connected(askedAt?: Tick): void
  /** Something came from there, which does not say that the platform takes what we send. */
  heard(): void
  away(why: string): void
  refused(why: string): void
  standBy(): void
  heldBack(forMs: number): void
  /**
   * Asks the platform until it takes us, again whenever it no longer does, and now and then anyway.
   * Returns after the first answer, or after a moment: no start waits for a platform that is away. `ask` throws when it
   * is not answered well; the state is set by whoever sends it.
   */
  keepAsking(ask: () => Promise<unknown>): Promise<void>
  stop(): void
}

type PlatformConnectionDeps = {
  platform: string
  name: string
  brings: PlatformConnection['brings']
  log: Log
  now?: (() => number) | undefined
  ticks?: Ticks | undefined
  initially?: ConnectionState
}

const startWaitMs = 2_000
const awayPauses = { firstMs: 500, longestMs: 60_000 }
/** Nobody makes a new token within a second. */
const refusedPauses = { firstMs: 10_000, longestMs: 60_000 }
/** A platform that was not asked anything for so long is asked whether it still takes us. */
const quietMs = 5 * 60_000

export const createPlatformConnection = ({
  platform,
  name,
  brings,
  log,
  now = wallTime,
  ticks = systemTicks,
  initially = 'connecting',
}: PlatformConnectionDeps): PlatformConnection => {
  let state = initially
  let since = now()
  let why: string | undefined
  let heardAt: number | undefined
  let refusedAt: number | undefined
  let refused = longAgo
  let heldBackUntil = longAgo
  let ask: (() => Promise<unknown>) | undefined
  let timer: NodeJS.Timeout | undefined

  const become = (next: ConnectionState, reason?: string): void => {
    if (state === 'stopped') return
    if (next === 'refused') {
      refusedAt = now()
      refused = ticks()
    }
    // Whoever was refused and cannot be reached either was still refused.
    if (state === 'refused' && next === 'away') return
    if (state === next) {
      why = reason
      return
    }
    const wasUp = isUp({ state })
    state = next
    since = now()
    why = reason
    const level = next === 'refused' ? 'error' : next === 'away' ? 'warn' : 'info'
    log[level]({ platform, connection: name, state, ...defined({ why }) }, 'a connection changed')
    if (wasUp && !isUp({ state })) askAgain(1)
  }
  const askAgain = (failures: number): void =>
    askAfter(backoffMs(state === 'refused' ? refusedPauses : awayPauses, failures), failures)
  const askAfter = (ms: number, failures = 0): void => {
    if (ask === undefined) return
    clearTimeout(timer)
    timer = setTimeout(() => void askNow(failures), ms).unref()
  }
  const askNow = async (failures = 0): Promise<void> => {
    try {
      await ask?.()
      askAfter(quietMs)
    } catch {
      askAgain(failures + 1)
    }
  }
  return {
    brings,
    report: () => ({ name, state, since, why, heardAt, refusedAt, isHeldBack: ticks() < heldBackUntil }),
    connected: (askedAt = ticks()) => {
      heardAt = now()
      if (askedAt >= refused) become('connected')
    },
    heard: () => {
      heardAt = now()
    },
    away: (reason) => become('away', reason),
    refused: (reason) => become('refused', reason),
    standBy: () => become('standing by'),
    heldBack: (forMs) => {
      heldBackUntil = after(ticks(), forMs)
      log.warn({ platform, connection: name }, 'the platform withholds deliveries: there are too many')
    },
    keepAsking: async (asked) => {
      ask = asked
      let enough: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        enough = setTimeout(resolve, startWaitMs).unref()
      })
      await Promise.race([askNow(), late])
      clearTimeout(enough)
    },
    stop: () => {
      ask = undefined
      clearTimeout(timer)
      become('stopped')
    },
  }
}

/** For a messenger whose people come to our own server: it is there as long as the bot is. */
export const servedConnection = (
  deps: Pick<PlatformConnectionDeps, 'platform' | 'log' | 'now' | 'ticks'>,
): PlatformConnection =>
  createPlatformConnection({ ...deps, name: servedName, brings: 'requests', initially: 'connected' })

/** People who ask there are answered when every way out stands, and at least one way in. */
export const messengerReport = (
  name: string,
  { connections, remark }: { connections: readonly PlatformConnection[]; remark?(): string },
): MessengerReport => {
  const standing = (brings: PlatformConnection['brings']) =>
    connections.filter((one) => one.brings === brings).map((one) => isUp(one.report()))
  return {
    name,
    isAnswering: standing('answers').every(Boolean) && standing('requests').some(Boolean),
    remark: remark?.() || undefined,
    connections: connections.map((one) => one.report()),
  }
}
