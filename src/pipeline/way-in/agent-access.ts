import { readContext } from '../../core/context/command-context.ts'
import type { Core } from '../../core/core.ts'
import { askerOf, isOwn, whyFrozen } from '../../core/people/authorization.ts'
import { sightOf } from '../../core/people/delegates.ts'
import type { AgentAccess } from '../../messenger/agent-access.ts'
import type { Sender } from '../../messenger/inbound.ts'
import { entryBy } from '../../model/audit-entry.ts'
import { agentPolicyOf } from '../../policy/agent-policy.ts'

const waitingStates = ['pending', 'approved', 'applying', 'unknown'] as const
const mostWaiting = 50

export const createAgentAccess = (core: Core): AgentAccess => {
  const { registry, store } = core
  const asker = (from: Sender) => askerOf(core.policy, from)
  return {
    get all() {
      return core.policy.agents
    },
    whyFrozen: (from) => whyFrozen(store, 'bellhop', asker(from)),
    policyFor: (from) => {
      const { records } = readContext(core, asker(from))
      const mayRun = registry.all.filter(({ name }) => records.mayRun(name))
      return agentPolicyOf(core.policy, from.account, mayRun)
    },
    change: async (from, id) => {
      const change = await store.changes.get(id)
      return change !== null && (await sightOf(core, asker(from)))(change) ? change : undefined
    },
    waiting: async (from) => {
      const agent = asker(from)
      const found = await store.changes.list({
        states: waitingStates,
        requester: agent.person,
        limit: mostWaiting,
      })
      return found.filter((change) => isOwn(agent, change))
    },
    recordRead: async (from, line) => {
      const command = line.split(' ')[0] ?? line
      await store.audit.append(entryBy(asker(from), 'ran', { command }, { line }))
    },
    count: (agent, tool, result) => core.count({ kind: 'agent_call', agent, tool, result }),
  }
}
