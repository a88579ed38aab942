import { after, longAgo, msBetween, type Tick, ticks } from '../../lib/clock.ts'
import { LogKeyError, type LogSigner } from '../model/checkpoint.ts'
import type { Store } from '../store/store.ts'

/** Gives the entries of the audit log their numbers, in batches. One process does it at a time; any can take over. */
export type Sequencer = {
  start(): void
  /** Numbers everything that was written before, whoever holds the lease. */
  flush(): Promise<unknown>
  /** Numbers what is left and lets go of the lease. */
  stop(): Promise<void>
}

type SequencerDeps = {
  store: Pick<Store, 'auditTree' | 'leases'>
  signer: LogSigner
  process: string
  warn(error: unknown): void
}

const lease = 'audit sequencer'
const leaseMs = 5_000
const batch = 1_000
/** While entries come, and while none do. */
const everyMs = { busy: 100, idle: 400 }
/** How long an entry waits for the holder before another process numbers it. */
const waitMs = 400

/** Gives everything that was written before its number, and says to how many; what comes meanwhile may wait. */
export const sequenceAll = async (auditTree: Store['auditTree'], signer: LogSigner): Promise<number> => {
  for (let all = 0; ; ) {
    const numbered = await auditTree.sequence(signer, batch)
    all += numbered
    if (numbered < batch) return all
  }
}

export const createSequencer = ({ store, signer, process, warn }: SequencerDeps): Sequencer => {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  let heldUntil = longAgo
  /** The oldest entry without a number, and when this process first saw it. */
  let oldest: { since: number | undefined; seenAt: Tick } = { since: undefined, seenAt: longAgo }
  /** The key on record that this process lacks. */
  let lacks: string | undefined

  const flush = (): Promise<number> => sequenceAll(store.auditTree, signer)
  /** The lease saves the others the work; that two never number at once is the store's to see to. */
  const isHolder = async (): Promise<boolean> => {
    const at = ticks()
    if (at < heldUntil) return true
    if (!(await store.leases.acquire(lease, process, leaseMs))) return false
    heldUntil = after(at, leaseMs / 3)
    return true
  }
  /** How long to leave it to another process. */
  const graceMs = async (): Promise<number> => {
    if (await isHolder()) return 0
    const since = await store.auditTree.waitingSince()
    if (since !== oldest.since) oldest = { since, seenAt: ticks() }
    const left = since === undefined ? waitMs : waitMs - msBetween(oldest.seenAt, ticks())
    // The holder died or stands still: until its lease ends, this process does it in its place.
    if (left <= 0) heldUntil = after(ticks(), leaseMs)
    return Math.min(left, waitMs)
  }
  /** Only a process that has the key can do it. It is told once, and looked for again now and then. */
  const leaveToOthers = async (error: LogKeyError): Promise<number> => {
    if (lacks !== error.key) warn(error)
    lacks = error.key
    await store.leases.release(lease, process).catch(warn)
    return leaseMs
  }
  const round = async (): Promise<void> => {
    let pause = everyMs.idle
    try {
      const grace = await graceMs()
      if (grace > 0) pause = grace
      else {
        if ((await flush()) > 0) pause = everyMs.busy
        lacks = undefined
      }
    } catch (error) {
      heldUntil = longAgo
      pause = waitMs
      if (error instanceof LogKeyError) pause = await leaveToOthers(error)
      else warn(error)
    }
    if (!isStopped) timer = setTimeout(next, pause).unref()
  }
  const next = (): void => {
    running = round()
  }

  return {
    start: next,
    flush,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
      try {
        await flush()
        await store.leases.release(lease, process)
      } catch (error) {
        // The next process numbers what is left.
        warn(error)
      }
    },
  }
}
