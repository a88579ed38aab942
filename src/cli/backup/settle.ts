import { transition } from '../../kernel/change/transition.ts'
import type { LawEvent } from '../../kernel/law/law.ts'
import { bellhop, entryBy } from '../../kernel/model/audit-entry.ts'
import type { Change, ChangeState } from '../../kernel/model/change.ts'
import { entryKinds } from '../../kernel/model/checkpoint.ts'
import { shownIn } from '../../kernel/model/shown.ts'
import { sectionsOfText } from '../../kernel/policy/file/sections.ts'
import { ownCommand } from '../../kernel/store/audit-tree.ts'
import { putProgress } from '../../kernel/store/bulk.ts'
import type { Store } from '../../kernel/store/store.ts'
import { defaultTimings } from '../../kernel/timings.ts'
import { ok } from '../../lib/result.ts'
import { absolute, when } from '../../lib/view/format.ts'
import { sentence } from '../../lib/view/words.ts'
import { allReturns } from './returns.ts'

/** What was open when the backup was made, and what became of it. */
export type Settled = {
  /** Waiting or approved: void now. */
  voided: Change[]
  /** Being applied: their outcome is unknown from the next start on. */
  applying: Change[]
  /** Long work that had not ended: stopped now. */
  jobs: { id: string; changeId: string | null }[]
  /** What one person did alone, and nobody had looked at: it counts as reviewed. */
  emergencies: string[]
  /** What else ended, by its table, with a sentence for whoever restored it. */
  ended: { table: string; count: number; said: string | undefined }[]
}

type Restoring = { now: () => number; backupAt: number; account: string; sha256: string }

const pageSize = 200

/**
 * A restored database has forgotten what happened since. Whatever was open in it may have been done: nothing of it may be
 * carried out again, so it ends here, and everything is frozen. People who were signed in sign in again.
 */
export const settleRestored = async (store: Store, restoring: Restoring): Promise<Settled> => {
  const { now, backupAt, account, sha256 } = restoring
  const since = `The database was restored from a backup of ${absolute(backupAt)}`
  const message = sentence`The database was restored from a backup of ${when(backupAt)}: whether this was done after that, nobody can say here. Look at the service, and ask again if it was not.`
  const digest = (await store.policies.newest())?.digest ?? ''
  // Those who were told that something waits are told that it does no longer.
  const policy = { digest, sections: sectionsOfText((await store.policies.text(digest)) ?? '') }
  const voided: Change[] = []
  const core = coreOf(store, now, policy)
  for (;;) {
    const page = await store.changes.list({ states: ['pending', 'approved'], limit: pageSize })
    for (const { id } of page) voided.push(await voidOne(core, id, { kind: 'void', message, at: now() }))
    if (page.length < pageSize) break
  }
  const jobs = await store.bulk.list(['running', 'paused', 'waiting'], Number.MAX_SAFE_INTEGER)
  for (const { id, changeId, state } of jobs) {
    await store.bulk.move(id, [state], 'stopped', { reason: `${since}.` })
    await store.audit.append(
      entryBy(bellhop, 'job stopped', { command: ownCommand, id: changeId }, { job: id, reason: since }),
    )
    await putProgress(store, id, now())
  }
  const emergencies = (await store.emergencies.open()).map(({ changeId }) => changeId)
  const reason = `${since}: whether somebody had looked at it by then, nobody can say here. Look at it again.`
  for (const id of emergencies) {
    const by = { ...bellhop, account, roles: [] }
    await transition(core, id, async (change) =>
      ok({ kind: 'review', by, mayVote: true, shown: shownIn(change), reason, others: '', at: now() }),
    )
    await store.emergencies.reviewed(id)
  }
  const ended = await endRights(store)
  await store.freezes.set({
    area: 'all',
    by: bellhop.person,
    name: bellhop.name,
    reason: since,
    at: now(),
  })
  const counts = Object.fromEntries(ended.map(({ table, count }) => [table, count]))
  await store.audit.append(
    entryBy(
      { ...bellhop, account },
      entryKinds.restored,
      { command: ownCommand },
      { backupAt, sha256, voided: voided.length, stopped: jobs.length, emergencies, ended: counts },
    ),
  )
  return { voided, applying: await openIn(store, ['applying']), jobs, emergencies, ended }
}

/** By the rule of each table. */
const endRights = async (store: Store): Promise<Settled['ended']> => {
  const db = store.of((database) => database)
  const ended: Settled['ended'] = []
  for (const [table, rule] of Object.entries(allReturns())) {
    if (!('sql' in rule)) continue
    const count = await db.run(rule.sql)
    if (count > 0) ended.push({ table, count, said: rule.said(count) })
  }
  return ended
}

const openIn = (store: Store, states: ChangeState[]): Promise<Change[]> =>
  store.changes.list({ states, limit: pageSize })

type Core = Parameters<typeof transition>[0]

const coreOf = (store: Store, now: () => number, policy: Core['policy']): Core => ({
  store,
  now,
  timings: defaultTimings,
  process: 'restore',
  policy,
  wake: () => undefined,
  takesOwn: () => false,
  begin: () => undefined,
  count: () => undefined,
  newest: {},
})

/** The change as it was before. */
const voidOne = async (core: Core, id: string, event: LawEvent): Promise<Change> => {
  const done = await transition(core, id, async () => ok(event))
  if (!done.ok) throw new Error(`change ${id} could not be ended: ${done.refusal.message}`)
  return done.value.before
}
