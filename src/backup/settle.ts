import { parse } from 'yaml'
import { z } from 'zod'
import { transition } from '../approvals/transition.ts'
import { defaultTimings } from '../core/timings.ts'
import { putProgress } from '../jobs/progress-publisher.ts'
import { type AuditInput, bellhop, entryBy } from '../model/audit-entry.ts'
import type { Change, ChangeState } from '../model/change.ts'
import { entryKinds } from '../model/checkpoint.ts'
import { ok } from '../model/result.ts'
import type { WebhookRule } from '../model/webhook-events.ts'
import { webhooksSchema } from '../policy/file/schema.ts'
import { ownCommand } from '../storage/audit-tree.ts'
import type { Store } from '../storage/store.ts'
import { absolute, when } from '../view/format.ts'
import { sentence, type Words } from '../view/words.ts'

/** What was open when the backup was made, and what became of it. */
export type Settled = {
  /** Waiting or approved: void now. */
  voided: Change[]
  /** Being applied: their outcome is unknown from the next start on. */
  applying: Change[]
  /** Long work that had not ended: stopped now. */
  jobs: { id: string; changeId: string | null }[]
}

type Restoring = { now: () => number; backupAt: number; account: string; sha256: string }

const pageSize = 200

/**
 * A restored database has forgotten what happened since. Whatever was open in it may have been done: nothing of it may be
 * carried out again, so it ends here, and everything is frozen. People who were signed in sign in again.
 */
export const settleRestored = async (store: Store, restoring: Restoring): Promise<Settled> => {
  const { now, backupAt } = restoring
  const since = `The database was restored from a backup of ${absolute(backupAt)}`
  const message = sentence`The database was restored from a backup of ${when(backupAt)}: whether this was done after that, nobody can say here. Look at the service, and ask again if it was not.`
  const digest = (await store.policies.newest())?.digest ?? ''
  const policy = { digest, webhooks: hooksIn(await store.policies.text(digest)) }
  const voided: Change[] = []
  for (;;) {
    const page = await store.changes.list({ states: ['pending', 'approved'], limit: pageSize })
    for (const { id } of page) voided.push(await voidOne(store, id, { now, message, policy }))
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
  await store.sessions.prune(Number.MAX_SAFE_INTEGER)
  await store.passkeys.prune(Number.MAX_SAFE_INTEGER, 0)
  await store.freezes.set({
    area: 'all',
    by: bellhop.person,
    name: bellhop.name,
    reason: since,
    at: now(),
  })
  await store.audit.append(restoredEntry(restoring, voided.length, jobs.length))
  return { voided, applying: await openIn(store, ['applying']), jobs }
}

const openIn = (store: Store, states: ChangeState[]): Promise<Change[]> =>
  store.changes.list({ states, limit: pageSize })

type RestoredPolicy = { digest: string; webhooks: readonly WebhookRule[] }

/** Whoever was told that something waits is told that it does no longer. */
const hooksIn = (text = ''): readonly WebhookRule[] =>
  z.object({ webhooks: webhooksSchema }).safeParse(parse(text)).data?.webhooks ?? []

const voidOne = async (
  store: Store,
  id: string,
  { now, message, policy }: { now: () => number; message: Words; policy: RestoredPolicy },
): Promise<Change> => {
  const core = {
    store,
    now,
    timings: defaultTimings,
    process: 'restore',
    policy,
    wake: () => undefined,
    takesOwn: () => false,
    begin: () => undefined,
    count: () => undefined,
  }
  const done = await transition(core, id, async () => ok({ kind: 'void', message, at: now() }))
  if (!done.ok) throw new Error(`change ${id} could not be ended: ${done.refusal.message}`)
  return done.value.before
}

const restoredEntry = (
  { backupAt, account, sha256 }: Restoring,
  voided: number,
  stopped: number,
): AuditInput =>
  entryBy(
    { ...bellhop, account },
    entryKinds.restored,
    { command: ownCommand },
    { backupAt, sha256, voided, stopped },
  )
