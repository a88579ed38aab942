import { no, ok } from '../../lib/result.ts'
import { actorOf, isOwn, refuseFrozen } from '../actors/authorization.ts'
import { sightOf } from '../actors/delegates.ts'
import { refusedTask } from '../cards/request-end.ts'
import { readContext } from '../context/command-context.ts'
import type { Core } from '../core.ts'
import type { AgentAccess } from '../messenger/agent-access.ts'
import type { Sender } from '../messenger/inbound.ts'
import { entryBy } from '../model/audit-entry.ts'
import { type Change, openStates } from '../model/change.ts'
import { agentPolicyOf } from '../policy/agent-policy.ts'

const maxWaiting = 50
const pageSize = 100

const firstAnswerId = (changeId: string): string => `first answer ${changeId}`
/** No person has such an id, so that nobody can page through it as through an answer of theirs. */
const keeperOf = ({ platform, account }: Sender): string => `${platform} ${account}`

export const createAgentAccess = (core: Core): AgentAccess => {
  const { registry, store } = core
  const actor = (from: Sender) => actorOf(core.policy, from)
  const changes: AgentAccess['changes'] = async (from, { states, limit, before }) => {
    const agent = actor(from)
    const found: Change[] = []
    let last = before
    // What its owner has asked for is on the same pages, and not its own.
    for (;;) {
      const page = await store.changes.list({
        states,
        requester: agent.person,
        before: last,
        limit: pageSize,
      })
      for (const change of page) {
        last = { updatedAt: change.updatedAt, id: change.id }
        if (isOwn(agent, change)) found.push(change)
        if (found.length === limit) return { changes: found, more: last }
      }
      if (page.length < pageSize) return { changes: found, more: undefined }
    }
  }
  return {
    get all() {
      return core.policy.agents
    },
    refuseFrozen: (from) => refuseFrozen(store, 'bellhop', actor(from)),
    policyFor: (from) => {
      const { records } = readContext(core, actor(from))
      const mayRun = registry.all.filter(({ name }) => records.mayRun(name))
      return agentPolicyOf(core.policy, from.account, mayRun)
    },
    change: async (from, id) => {
      const change = await store.changes.get(id)
      return change !== null && (await sightOf(core, actor(from)))(change) ? change : undefined
    },
    owns: (from, change) => isOwn(actor(from), change),
    waiting: async (from) => (await changes(from, { states: openStates, limit: maxWaiting })).changes,
    changes,
    firstAnswer: async (from, changeId) => {
      const frozen = await refuseFrozen(store, 'bellhop', actor(from))
      if (frozen !== undefined) return no(frozen)
      const kept = await store.answers.get(firstAnswerId(changeId))
      return ok(kept?.person === keeperOf(from) ? kept.doc : undefined)
    },
    keepAnswer: (from, changeId, doc) =>
      store.answers.put({ id: firstAnswerId(changeId), at: core.now(), person: keeperOf(from), doc }),
    recordRead: async (from, line) => {
      const command = line.split(' ')[0] ?? line
      await store.audit.append(entryBy(actor(from), 'ran', { command }, { line }))
    },
    oweRefusal: async (platform, handle, message) => {
      await store.tasks.put(refusedTask({ platform, handle, message }, core.now()))
      core.wake()
    },
    count: (agent, tool, result) => core.count({ kind: 'agent_call', agent, tool, result }),
  }
}
