import { resolve } from 'node:path'
import { ocsfLine } from '../audit/stream/ocsf.ts'
import {
  fileReceiver,
  httpsReceiver,
  type Receiver,
  StreamError,
  syslogReceiver,
} from '../audit/stream/receivers.ts'
import type { Status } from '../command/context.ts'
import { bellhop, entryBy } from '../model/audit-entry.ts'
import type { StreamRule } from '../policy/policy.ts'
import type { Store } from '../storage/store.ts'
import type { Core } from './core.ts'

/** One batch is one write, one request or one connection. */
const batch = 500
/** A longer stretch is left to the next turn of the task: with the time that a receiver may take, within its lease. */
const turnMs = 10_000
/** In the place of a witness, which no messenger is called. */
const gapName = 'stream'

/** A receiver has its own place in the log: another one begins with the first entry. */
export const receiverName = (rule: StreamRule): string =>
  rule.file !== undefined ? `file ${resolve(rule.file)}` : (rule.https ?? rule.syslog ?? '')

const receiverOf = (rule: StreamRule, secret: Core['secret']): Receiver => {
  if (rule.file !== undefined) return fileReceiver(rule.file)
  if (rule.syslog !== undefined) return syslogReceiver(rule.syslog)
  const token = rule.token === undefined ? undefined : secret(rule.token.env)
  if (rule.token !== undefined && token === undefined)
    throw new StreamError(`its token is missing: ${rule.token.env} is not set`)
  return httpsReceiver(rule.https ?? '', token)
}

type StreamCore = Pick<Core, 'store' | 'secret' | 'version'>

/**
 * Gives the receiver what it does not have, in order, and moves its cursor when it has it: a process that dies between the
 * two gives the same entries again. True when there is more.
 */
export const streamOn = async (core: StreamCore, rule: StreamRule): Promise<boolean> => {
  const { store } = core
  const name = receiverName(rule)
  const { origin } = await store.auditTree.state()
  const about = { origin, product: core.version, addresses: rule.addresses }
  try {
    const receive = receiverOf(rule, core.secret)
    const until = performance.now() + turnMs
    while (performance.now() < until) {
      const from = await store.streamCursors.at(name)
      const rows = await store.auditTree.rowsAfter(from, batch)
      const lines = gapless(
        rows.map((row) => ocsfLine(row, about)),
        from,
      )
      const last = lines.at(-1)
      if (last === undefined) return false
      await receive(lines.map(({ line }) => line))
      // Another process had this batch too: it goes on from where that one is.
      await store.streamCursors.move(name, from, last.seq)
      await closeGap(store)
    }
    return true
  } catch (error) {
    if (error instanceof StreamError) await openGap(store, error.message)
    throw error
  }
}

/** Up to the first number that is missing; on PostgreSQL an entry may be seen a moment before the one before it. */
const gapless = <T extends { seq: number }>(lines: readonly T[], from: number): T[] => {
  const end = lines.findIndex(({ seq }, at) => seq !== from + at + 1)
  return end === -1 ? [...lines] : lines.slice(0, end)
}

const openGap = (store: Store, why: string): Promise<void> =>
  store.tx(async (inner) => {
    if (await inner.anchors.openGap({ witness: gapName, since: Date.now(), error: why }))
      await inner.audit.append(entryBy(bellhop, 'stream away', { command: 'audit export' }, { why }))
  })

const closeGap = (store: Store): Promise<void> =>
  store.tx(async (inner) => {
    if (await inner.anchors.closeGap(gapName))
      await inner.audit.append(entryBy(bellhop, 'stream back', { command: 'audit export' }, {}))
  })

/** How far behind the receiver is. */
export const streamState = async (
  { streamCursors, auditTree, anchors }: Pick<Store, 'streamCursors' | 'auditTree' | 'anchors'>,
  rule: StreamRule | null,
  now: number,
): Promise<Status['stream']> => {
  if (rule === null) return undefined
  const to = receiverName(rule)
  const [seq, { base, frontier }, gaps] = await Promise.all([
    streamCursors.at(to),
    auditTree.state(),
    anchors.gaps(),
  ])
  const behind = Math.max(0, base + frontier.size - seq)
  const [next] = behind === 0 ? [] : await auditTree.rowsAfter(seq, 1)
  const gap = gaps.find(({ witness }) => witness === gapName)
  return {
    to,
    behind,
    lagMs: next === undefined ? 0 : Math.max(0, now - Number(next.at)),
    away: gap && { since: gap.since, why: gap.error },
  }
}
