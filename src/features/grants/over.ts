import { standingTask } from '../../kernel/actors/absence.ts'
import { askGroups } from '../../kernel/actors/membership.ts'
import type { Core } from '../../kernel/core.ts'
import { bellhop, entryBy } from '../../kernel/model/audit-entry.ts'
import type { Party } from '../../kernel/model/change.ts'
import type { TaskInput } from '../../kernel/store/tasks.ts'
import { giversOf, whyOver } from './in-force.ts'
import { grantWords } from './left.ts'
import { createGrants, type Grant } from './store.ts'

/** How often it is asked whether those who gave something still have the roles that their groups give them. */
export const lookedMs = 60_000

export const grantsTask = (dueAt: number): TaskInput => ({ kind: 'grants', key: 'grants', doc: {}, dueAt })

type EndCore = Pick<Core, 'store' | 'now' | 'wake'>

/** Whoever ends it, it ends once, is on record, and what rests on it is looked at again. */
export const endGrant = async (
  { store, now, wake }: EndCore,
  grant: Grant,
  why: string,
  by: Pick<Party, 'person' | 'name' | 'platform'> = bellhop,
): Promise<boolean> => {
  const at = now()
  const done = await store.tx(async (tx) => {
    // What is being claimed by it right now comes before this, or finds it ended.
    await tx.lock({ alone: ['grants'] })
    if (!(await tx.of(createGrants).end(grant.id, at, why))) return false
    const said = { grant: grant.id, what: grantWords(grant), why, endsAt: grant.endsAt }
    await tx.audit.append(entryBy(by, 'grant ended', { command: 'grant end' }, said))
    await tx.tasks.put(standingTask(at))
    return true
  })
  wake()
  return done
}

/** Ends what is over: by its time, by the file, by who has left, or because all of it is used up. When to look again, if ever. */
export const endThoseOver = async (core: Core): Promise<number | undefined> => {
  const open = await core.store.of(createGrants).open()
  if (open.length === 0) return undefined
  const groups = await askGroups(core, open.flatMap(giversOf))
  const left: Grant[] = []
  for (const grant of open) {
    const why = whyOver(core.policy, grant, core.now(), groups) ?? (await whyUsedUp(core, grant))
    if (why === undefined) left.push(grant)
    else await endGrant(core, grant, why)
  }
  return left.length === 0 ? undefined : Math.min(core.now() + lookedMs, ...left.map(({ endsAt }) => endsAt))
}

/** All of it was used, and of no use can anything come back. */
const whyUsedUp = async (
  { store }: Pick<Core, 'store'>,
  { id, does, times = 0 }: Grant,
): Promise<string | undefined> => {
  if (does === 'run') return undefined
  const uses = await store.of(createGrants).uses(id)
  if (uses.length < times) return undefined
  const changes = await store.changes.list({ ids: uses.map(({ changeId }) => changeId), limit: times })
  return changes.every(({ state }) => state === 'applied') ? 'it is used up' : undefined
}
