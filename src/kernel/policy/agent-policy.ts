import { printDuration } from '../../lib/codecs/duration.ts'
import { defined } from '../../lib/defined.ts'
import { clausesOf, isConfirmOnly, leastClause, needsOf } from '../law/clauses.ts'
import type { AgentPolicy } from '../messenger/agent-access.ts'
import type { Clause } from '../model/change.ts'
import { defaultFor } from './evaluate.ts'
import { type CommandRef, isMoney } from './file/draft.ts'
import { isAnyMatch } from './pattern.ts'
import type { Need, Policy } from './policy.ts'

/** What an agent may ask for, and what people must say to each of its changes. */
export const agentPolicyOf = (policy: Policy, id: string, mayRun: readonly CommandRef[]): AgentPolicy => {
  const { people, agents, policies, budgets, duplicates } = policy
  const agent = agents.find((one) => one.id === id)
  const needsWords = (needs: readonly Need[]) => wordsOf(clausesOf(needs, ''), id)
  return {
    agent: agent?.name ?? id,
    owner: people.find((one) => one.id === agent?.owner)?.name ?? '',
    roles: agent?.roles ?? [],
    callsPerMinute: agent?.rate ?? 0,
    lookUps: mayRun.filter(({ kind }) => kind === 'query').map(({ name }) => name),
    changes: mayRun
      .filter(({ kind }) => kind !== 'query')
      .map((command) => {
        const { name, sameAs = [], area = 'bellhop', guarded = false } = command
        const names = [name, ...sameAs]
        const rules = policies
          .filter(({ commands }) => isAnyMatch(commands, names))
          .map((rule) => ({
            rule: rule.name,
            ...defined({ amount: rule.amount }),
            needs: needsWords(rule.require),
          }))
        const isLast = rules.some(({ amount }) => amount === undefined)
        const other = defaultFor({ area, movesMoney: isMoney(command), guarded })
        const rest = isLast ? [] : [{ rule: other.name, needs: wordsOf(other.clauses, id) }]
        return { command: name, rules: [...rules, ...rest] }
      }),
    budgets: budgets.map(({ name, commands, windowMs, limit, rates, then }) => ({
      name,
      commands,
      window: printDuration(windowMs),
      limit,
      ...defined({ rates }),
      beyond: needsWords(then),
    })),
    duplicatesWithin: duplicates === null ? null : printDuration(duplicates.windowMs),
  }
}

const wordsOf = (clauses: readonly Clause[], agent: string): string => {
  const asked = isConfirmOnly(clauses) ? [leastClause(agent)] : clauses
  return asked.length === 0 ? 'nothing' : asked.map(needsOf).join(' and ')
}
