import { resolve } from 'node:path'
import type { Core } from '../../kernel/core.ts'
import { bellhop, entryBy } from '../../kernel/model/audit-entry.ts'
import type { Store } from '../../kernel/store/store.ts'
import { after, wallTime } from '../../lib/clock.ts'
import { shownUrl } from '../../lib/view/shown-url.ts'
import { ocsfLine } from './ocsf.ts'
import { fileReceiver, httpsReceiver, type Receiver, StreamError, syslogReceiver } from './receivers.ts'
import type { StreamRule } from './section.ts'
import { createStreamCursors } from './store.ts'

/** One batch is one write, one request or one connection. */
const batch = 500
/** A longer stretch is left to the next turn of the task: with the time that a receiver may take, within its lease. */
const turnMs = 10_000
/** In the place of a witness, which no messenger is called. */
const gapName = 'stream'

/** A receiver has its own place in the log: another one begins with the first entry. */
export const receiverName = (rule: StreamRule): string =>
  rule.file !== undefined ? `file ${resolve(rule.file)}` : (rule.https ?? rule.syslog ?? '')

const receiverOf = (rule: StreamRule, secretOf: Core['secretOf']): Receiver => {
  if (rule.file !== undefined) return fileReceiver(rule.file)
  if (rule.syslog !== undefined) return syslogReceiver(rule.syslog)
  const token = rule.token === undefined ? undefined : secretOf(rule.token.env)
  if (rule.token !== undefined && token === undefined)
    throw new StreamError(`its token is missing: ${rule.token.env} is not set`)
  return httpsReceiver(rule.https ?? '', token)
}

type StreamCore = Pick<Core, 'store' | 'secretOf' | 'version' | 'ticks'>

/**
 * Gives the receiver what it does not have, in order, and moves its cursor when it has it: a process that dies between the
 * two gives the same entries again. True when there is more.
 */
export const streamOn = async (core: StreamCore, rule: StreamRule): Promise<boolean> => {
  const { store } = core
  const cursors = store.of(createStreamCursors)
  const name = receiverName(rule)
  const { origin } = await store.auditTree.state()
  const about = { origin, product: core.version, addresses: rule.addresses }
  try {
    const receive = receiverOf(rule, core.secretOf)
    const until = after(core.ticks(), turnMs)
    while (core.ticks() < until) {
      const from = await cursors.at(name)
      const rows = await store.auditTree.rowsAfter(from, batch)
      const lines = gapless(
        rows.map((row) => ocsfLine(row, about)),
        from,
      )
      const last = lines.at(-1)
      if (last === undefined) return false
      await receive(lines.map(({ line }) => line))
      // Another process had this batch too: it goes on from where that one is.
      await cursors.move(name, from, last.seq)
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
    if (await inner.gaps.open({ name: gapName, since: wallTime(), error: why }))
      await inner.audit.append(entryBy(bellhop, 'stream away', { command: 'audit export' }, { why }))
  })

const closeGap = (store: Store): Promise<void> =>
  store.tx(async (inner) => {
    if (await inner.gaps.close(gapName))
      await inner.audit.append(entryBy(bellhop, 'stream back', { command: 'audit export' }, {}))
  })

/** How far behind the receiver is; `away` while it cannot be reached. */
type StreamState = {
  to: string
  behind: number
  lagMs: number
  away: { since: number; why: string } | undefined
}

/** Undefined where there is none. */
export const streamState = async (
  { of, auditTree, gaps }: Pick<Store, 'of' | 'auditTree' | 'gaps'>,
  rule: StreamRule | undefined,
  now: number,
): Promise<StreamState | undefined> => {
  if (rule === undefined) return undefined
  const to = receiverName(rule)
  const [seq, { base, frontier }, open] = await Promise.all([
    of(createStreamCursors).at(to),
    auditTree.state(),
    gaps.all(),
  ])
  const behind = Math.max(0, base + frontier.size - seq)
  const [next] = behind === 0 ? [] : await auditTree.rowsAfter(seq, 1)
  const gap = open.find(({ name }) => name === gapName)
  return {
    to: shownUrl(to),
    behind,
    lagMs: next === undefined ? 0 : Math.max(0, now - Number(next.at)),
    away: gap && { since: gap.since, why: gap.error },
  }
}
