import { mayReadLog, refusePartial } from '../../kernel/actors/authorization.ts'
import { changesSeen } from '../../kernel/actors/delegates.ts'
import { defineFeature } from '../../kernel/feature.ts'
import { isOfWorkspace } from '../../kernel/policy/workspaces.ts'
import { type ChangeRecord, changesIn, namedAsFarAs } from './figures.ts'

/** What the audit log says of all changes together. */
export const reports = defineFeature({
  name: 'reports',
  records: (core, actor) => {
    const { policy, store } = core
    const inTheirs = async (all: readonly ChangeRecord[]): Promise<ChangeRecord[]> => {
      const theirs = new Set<string>()
      for (let at = 0; at < all.length; at += atOnce) {
        const ids = all.slice(at, at + atOnce).map(({ id }) => id)
        for (const { id, requester } of await store.changes.list({ ids, limit: ids.length }))
          if (isOfWorkspace(policy, actor, { requester })) theirs.add(id)
      }
      return all.filter(({ id }) => theirs.has(id))
    }
    return {
      /** What the log says since then of every change; of those that the actor may not see, nothing that names anybody. */
      changes: async (since: number) => {
        const all = await changesIn(store.audit.stream({ since, changesOnly: true }))
        const theirs = refusePartial(policy, actor) === undefined ? all : await inTheirs(all)
        return namedAsFarAs(
          theirs,
          mayReadLog(policy, actor) ? undefined : (ids) => changesSeen(core, actor, ids),
        )
      },
    }
  },
})

const atOnce = 200
