import { stateWords } from '../approvals/law.ts'
import type { Core } from '../core/core.ts'
import type { Area, Change, ChangeState } from '../model/change.ts'
import { budgetsFor, evaluate, type PolicyDecision } from '../policy/evaluate.ts'
import { isAnyMatch } from '../policy/pattern.ts'
import { rowNouns } from '../services/endpoints/tables.ts'
import type { Store } from '../storage/store.ts'
import { ago } from '../view/format.ts'

export type ClauseInput = {
  id: string
  names: readonly string[]
  area: Area
  amount: number | null
  intent: string
  requester: { person: string }
  createdAt: number
}

/** What is spent: at the claim, approved changes are in line behind it and weigh themselves when it is their turn. */
const counted = {
  ask: ['approved', 'applying', 'applied', 'unknown'],
  claim: ['applying', 'applied', 'unknown'],
} as const satisfies Record<string, readonly ChangeState[]>

/**
 * What the policy asks of this change, given what was spent and asked before. Its budgets and its intent are locked until
 * the end of the transaction, so two changes never spend the same rest of a budget, and one of two equal ones is second.
 */
export const decideClauses = async (
  { policy, registry, now }: Pick<Core, 'policy' | 'registry' | 'now'>,
  store: Pick<Store, 'changes' | 'lock'>,
  ask: ClauseInput,
  when: keyof typeof counted,
): Promise<PolicyDecision> => {
  const at = now()
  const budgets = budgetsFor(policy, ask.names)
  await store.lock({
    alone: [
      `intent ${ask.intent}`,
      ...budgets.map(({ name, per }) => `budget ${name} ${per === 'requester' ? ask.requester.person : ''}`),
    ],
  })
  const spent = new Map<string, number>()
  const allNames = [...new Set([...registry.all.map(({ name }) => name), ...rowNouns()])]
  for (const budget of budgets) {
    spent.set(
      budget.name,
      await store.changes.spent({
        requester: budget.per === 'requester' ? ask.requester.person : undefined,
        names: allNames.filter((name) => isAnyMatch(budget.commands, [name])),
        since: at - budget.windowMs,
        states: counted[when],
        exceptId: ask.id,
      }),
    )
  }
  const same =
    policy.duplicates === null || isRepeatable(registry, ask)
      ? []
      : (await store.changes.sameIntent(ask.intent, at - policy.duplicates.windowMs, ask.id)).filter(
          // Whatever is there when a change is asked for came first, whatever the clocks of replicas say.
          ({ createdAt }) => when === 'ask' || createdAt < ask.createdAt,
        )
  const decision = evaluate(policy, {
    names: ask.names,
    area: ask.area,
    amount: ask.amount,
    spent: (budget) => spent.get(budget.name) ?? 0,
    duplicates: same.length,
  })
  return { ...decision, warnings: [...decision.warnings, ...same.map((other) => sameWords(other, at))] }
}

const isRepeatable = (registry: Core['registry'], { names }: ClauseInput): boolean => {
  const command = registry.get(names[0] ?? '')
  return command?.kind === 'change' && command.repeatable === true
}

const sameWords = (other: Change, now: number): string =>
  `${other.requester.name} asked for the same ${ago(other.createdAt, now)} (${other.id}); it ${stateWords[other.state]}.`
