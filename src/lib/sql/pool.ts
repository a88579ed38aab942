import { after, longAgo, msBetween, type Tick, ticks } from '../clock.ts'
import { backoffMs, orAfter } from '../retry.ts'
import type { Connected } from './connect.ts'
import { DatabaseError, type StorageLog } from './database.ts'

/** A connection that is lent to one at a time. */
export type Held = Connected & {
  /** When it was last seen to work, with nothing lost since; undefined for a new one. */
  usedAt: Tick | undefined
  /** Since when an answer of the server is waited for. */
  asksSince: Tick | undefined
}

export const poolLimits = {
  max: 10,
  /** For a connection to come free, or be opened. */
  waitMs: 5_000,
  idleMs: 10_000,
  /** So many are opened at a time, and one while the server does not let us in. */
  openingAtOnce: 3,
  /** After an attempt that failed; the upper half is left to chance, so that many processes do not come back together. */
  pauses: { firstMs: 50, longestMs: 400 },
  /** How long a server may say nothing before it is tried on another connection. */
  silentMs: 2_000,
}

/** For the words that end a connection to be heard. */
const goodbyeMs = 1_000

export type Pool = {
  take(): Promise<Held>
  /** `drop`: this one is not used again. `leave`: none to its server is. */
  giveBack(held: Held, fate: 'keep' | 'drop' | 'leave'): void
  end(): Promise<void>
}

type Waiter = { resolve(held: Held): void; reject(error: unknown): void; timer: NodeJS.Timeout }

type Connector = { connect(): Promise<Connected>; answers(server: string): Promise<boolean> }

/**
 * Connections that are opened when they are needed and used again. While no server lets us in, all who wait share the
 * outcome of one attempt: each is told as soon as it is known, and a server that comes back is not stormed.
 */
export const createPool = ({ connect, answers }: Connector, log?: StorageLog): Pool => {
  const lent = new Set<Held>()
  const idle = new Map<Held, NodeJS.Timeout>()
  const left = new WeakSet<Held>()
  const waiting = new Set<Waiter>()
  let opening = 0
  let failures = 0
  let nextAt = longAgo
  let willGrow: NodeJS.Timeout | undefined
  let watch: NodeJS.Timeout | undefined
  const asked = new Set<string>()
  const goodbyes = new Set<Promise<void>>()
  let ended: PromiseWithResolvers<void> | undefined

  const end = (held: Held, isLost: boolean) => {
    if (isLost) return held.cut()
    const goodbye = orAfter(goodbyeMs, undefined, held.client.end())
      .catch(() => undefined)
      .then(() => {
        goodbyes.delete(goodbye)
        held.cut()
      })
    goodbyes.add(goodbye)
  }
  const checkEnd = () => {
    if (ended !== undefined && lent.size === 0 && opening === 0) ended.resolve()
  }
  const leaveOthers = (isStale: (held: Held) => boolean) => {
    for (const held of lent) if (isStale(held)) left.add(held)
    for (const held of [...idle.keys()]) if (isStale(held)) forget(held)
  }
  const forget = (held: Held) => {
    clearTimeout(idle.get(held))
    if (idle.delete(held)) end(held, true)
  }
  /** What ended one connection may have ended the others, however lately they worked: each is tried before it is used. */
  const doubtOthers = () => {
    for (const held of idle.keys()) held.usedAt = longAgo
  }
  const lose = (held: Held) => {
    if (lent.has(held) || idle.has(held)) doubtOthers()
    left.add(held)
    forget(held)
  }
  const lend = (held: Held, { resolve, timer }: Waiter) => {
    clearTimeout(timer)
    lent.add(held)
    watch ??= setInterval(lookForSilence, poolLimits.silentMs / 2).unref()
    resolve(held)
  }
  const nextWaiter = (): Waiter | undefined => {
    const [waiter] = waiting
    if (waiter !== undefined) waiting.delete(waiter)
    return waiter
  }
  const put = (held: Held) => {
    const waiter = nextWaiter()
    if (waiter !== undefined) return lend(held, waiter)
    if (ended !== undefined) return end(held, false)
    const timer = setTimeout(() => {
      idle.delete(held)
      end(held, false)
    }, poolLimits.idleMs)
    idle.set(held, timer)
  }
  const grow = (): void => {
    const room = poolLimits.max - lent.size - idle.size - opening
    const most = Math.min(waiting.size, failures === 0 ? poolLimits.openingAtOnce : 1) - opening
    const pauseMs = msBetween(ticks(), nextAt)
    if (Math.min(room, most) <= 0) return
    if (pauseMs <= 0) {
      for (let at = 0; at < Math.min(room, most); at++) void open()
      return
    }
    willGrow ??= setTimeout(() => {
      willGrow = undefined
      grow()
    }, pauseMs)
  }
  const open = async (): Promise<void> => {
    opening++
    try {
      const connected = await connect()
      failures = 0
      nextAt = longAgo
      const held: Held = { ...connected, usedAt: undefined, asksSince: undefined }
      // Another server was found: what is open to the one before it is left.
      leaveOthers(({ server }) => server !== held.server)
      held.client.on('error', (error) => {
        if (idle.has(held)) log?.warn({ reason: error.message }, 'a database connection was lost')
        lose(held)
      })
      held.client.on('end', () => lose(held))
      opening--
      put(held)
    } catch (error) {
      opening--
      failures++
      nextAt = after(ticks(), backoffMs(poolLimits.pauses, failures, Math.random()))
      // Where others are at work, one of them will come free.
      if (lent.size === 0) for (const waiter of [...waiting]) fail(waiter, error)
    }
    checkEnd()
    grow()
  }
  const fail = (waiter: Waiter, error: unknown) => {
    clearTimeout(waiter.timer)
    waiting.delete(waiter)
    waiter.reject(error)
  }
  /** A server that vanished closes nothing. If it does not take a new connection either, nobody waits for the old ones. */
  const lookForSilence = () => {
    if (lent.size === 0) {
      clearInterval(watch)
      watch = undefined
      return
    }
    const now = ticks()
    const silent = [...lent].filter(
      ({ asksSince }) => asksSince !== undefined && msBetween(asksSince, now) > poolLimits.silentMs,
    )
    for (const server of new Set(silent.map((held) => held.server))) {
      if (asked.has(server)) continue
      asked.add(server)
      void answers(server).then((isThere) => {
        asked.delete(server)
        if (isThere) return
        for (const held of silent) if (held.server === server && lent.has(held)) held.cut()
        leaveOthers((held) => held.server === server)
      })
    }
  }

  return {
    take: () =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(new DatabaseError('down', 'The database was closed'))
        const timer = setTimeout(
          () => fail(waiter, new DatabaseError('down', 'The database has no connection free')),
          poolLimits.waitMs,
        ).unref()
        const waiter: Waiter = { resolve, reject, timer }
        const newest = [...idle.keys()].at(-1)
        if (newest !== undefined) {
          clearTimeout(idle.get(newest))
          idle.delete(newest)
          return lend(newest, waiter)
        }
        waiting.add(waiter)
        grow()
      }),
    giveBack: (held, fate) => {
      lent.delete(held)
      held.asksSince = undefined
      held.usedAt = ticks()
      if (fate !== 'keep') doubtOthers()
      if (fate === 'leave') leaveOthers(({ server }) => server === held.server)
      if (fate === 'keep' && !left.has(held)) put(held)
      else end(held, true)
      checkEnd()
      grow()
    },
    end: async () => {
      ended ??= Promise.withResolvers()
      clearTimeout(willGrow)
      for (const [held, timer] of idle) {
        clearTimeout(timer)
        end(held, false)
      }
      idle.clear()
      for (const waiter of [...waiting]) fail(waiter, new DatabaseError('down', 'The database was closed'))
      checkEnd()
      await ended.promise
      await Promise.all(goodbyes)
    },
  }
}
