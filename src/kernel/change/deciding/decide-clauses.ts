import { rowNouns } from '../../../lib/services/endpoints/tables.ts'
import { when } from '../../../lib/view/format.ts'
import { sentence, type Words } from '../../../lib/view/words.ts'
import { isMoneyChange } from '../../command/moves-money.ts'
import { definitionOf } from '../../command/registry.ts'
import type { Core } from '../../core.ts'
import { withheldByFeatures } from '../../feature.ts'
import { stateWords } from '../../law/law.ts'
import { type Area, type Change, type ChangeState, effectiveStates, type Judged } from '../../model/change.ts'
import { untilKnown, warning } from '../../model/warning.ts'
import { type Spent, spentThen } from '../../policy/budget.ts'
import type { ByNature } from '../../policy/emergency.ts'
import { budgetsFor, evaluate, type PolicyDecision } from '../../policy/evaluate.ts'
import { isAnyMatch } from '../../policy/pattern.ts'
import type { Budget, Demanded, Policy } from '../../policy/policy.ts'
import type { Changes } from '../../store/changes.ts'
import type { Store } from '../../store/store.ts'
import { natureOf } from '../asking/demands.ts'

export type ClauseInput = {
  id: string
  names: readonly string[]
  area: Area
  movesMoney: boolean
  amount: number | null
  currency: string | null
  intent: string
  requester: {
    person: string
    space?: string | undefined
    agent?: string | undefined
    roles: readonly string[]
  }
  createdAt: number
  byNature?: ByNature
  /** What a part of the file asks for it besides the rules. */
  demands?: ((policy: Policy) => Demanded | undefined) | undefined
  emergency?: { why: string } | undefined
}

/** A change on record, for the policy to judge as it is now. */
export const judgedAgain = ({ registry }: Pick<Core, 'registry'>, change: Change): ClauseInput => {
  const { plan, input, requester } = change
  const definition = definitionOf(registry, change)
  return {
    ...change,
    movesMoney: isMoneyChange(registry, change),
    byNature: definition && natureOf(definition, { plan, input, requester: requester.person }),
    demands: (policy) => definition?.demands?.(plan, policy),
  }
}

/** What the policy decided, and what was counted for it. */
export type Judgement = PolicyDecision & { counted: Pick<Judged, 'spent' | 'same'> }

/** What was spent and asked before. */
export type Past = {
  /** Nobody can look anything up, so everything is judged as if somebody had. */
  isLookedUp?: true
  spent(budget: Budget, filter: Parameters<Changes['spent']>[0]): Promise<Spent>
  sameIntent(
    ...about: Parameters<Changes['sameIntent']>
  ): Promise<Pick<Change, 'id' | 'state' | 'createdAt' | 'requester'>[]>
}

export const pastIn = ({ changes }: Pick<Store, 'changes'>): Past => ({
  spent: (_, filter) => changes.spent(filter),
  sameIntent: changes.sameIntent,
})

type JudgingCore = Pick<Core, 'policy' | 'registry' | 'now'>

/** What is spent: at the claim, approved changes are in line behind it and weigh themselves when it is their turn. */
export const spendingStates = {
  ask: ['approved', ...effectiveStates],
  claim: effectiveStates,
} as const satisfies Record<string, readonly ChangeState[]>

/**
 * What the policy asks of this change, given what was spent and asked before. Its budgets and its intent are locked until
 * the end of the transaction, so two changes never spend the same rest of a budget, and one of two equal ones is second.
 */
export const decideClauses = async (
  core: JudgingCore,
  store: Pick<Store, 'changes' | 'lock'>,
  ask: ClauseInput,
  when: keyof typeof spendingStates,
): Promise<Judgement> => {
  const budgets = budgetsFor(core.policy, ask.names)
  await store.lock({
    alone: [
      `intent ${ask.intent}`,
      ...budgets.map(({ name, per }) => `budget ${name} ${per === 'requester' ? ask.requester.person : ''}`),
    ],
  })
  return judge(core, pastIn(store), ask, when)
}

/** The same without a lock: what the policy would ask for at this moment. */
export const judge = async (
  { policy, registry, now }: JudgingCore,
  past: Past,
  ask: ClauseInput,
  when: keyof typeof spendingStates,
): Promise<Judgement> => {
  const at = now()
  const budgets = budgetsFor(policy, ask.names)
  // What was withheld is void, and counts for what is withheld too, as if it had been sent.
  const withheld: readonly ChangeState[] = withheldByFeatures(policy, ask) === undefined ? [] : ['voided']
  const allNames = () => [...new Set([...registry.all.map(({ name }) => name), ...rowNouns()])]
  const spending = budgets.map(async (budget): Promise<Judged['spent'][number]> => {
    const { name, commands, per, windowMs } = budget
    const sums = await past.spent(budget, {
      requester: per === 'requester' ? ask.requester.person : undefined,
      names: allNames().filter((one) => isAnyMatch(commands, [one])),
      since: at - windowMs,
      states: [...spendingStates[when], ...withheld],
      exceptId: ask.id,
    })
    const sum = sums.reduce((all, one) => all + one.sum, 0)
    return { name, commands: [...commands], per, windowMs, sum, sums: [...sums] }
  })
  const isLooked = policy.duplicates !== null && !isRepeatable(registry, ask.names)
  const [found, ...spent] = await Promise.all([
    isLooked ? past.sameIntent(ask.intent, at - policy.duplicates.windowMs, ask.id, withheld) : [],
    ...spending,
  ])
  const same = found.filter(
    // Whatever is there when a change is asked for came first, whatever the clocks of replicas say.
    ({ createdAt }) => when === 'ask' || createdAt < ask.createdAt,
  )
  const decision = evaluate(policy, {
    names: ask.names,
    area: ask.area,
    movesMoney: ask.movesMoney,
    amount: ask.amount,
    currency: ask.currency,
    // Each was counted above; one that was not would be over.
    spent: (budget) => spentThen(spent.find(({ name }) => name === budget.name)),
    duplicates: same.length,
    requester: ask.requester.person,
    space: ask.requester.space,
    agent: ask.requester.agent,
    guarded: isGuarded(registry, ask.names),
    byNature: ask.byNature,
    demanded: ask.demands?.(policy),
    emergency: ask.emergency && { roles: ask.requester.roles },
  })
  return {
    ...decision,
    warnings: [
      ...decision.warnings,
      ...same.map((other) => warning(sameWords(other, ask.requester.space), untilKnown)),
    ],
    counted: {
      spent,
      same: isLooked ? { windowMs: policy.duplicates.windowMs, count: same.length } : null,
    },
  }
}

/** Whoever asks for it twice makes no mistake. */
export const isRepeatable = (registry: Core['registry'], [name = '']: readonly string[]): boolean => {
  const command = registry.get(name)
  return command?.kind === 'change' && command.repeatable === true
}

/** Whether somebody else approves it where no rule is about it. */
export const isGuarded = (registry: Core['registry'], [name = '']: readonly string[]): boolean => {
  const command = registry.get(name)
  return command?.kind === 'change' && command.guarded === true
}

const sameWords = (
  other: Pick<Change, 'id' | 'state' | 'createdAt' | 'requester'>,
  space: string | undefined,
): Words =>
  // Everybody who decides reads it, and what another workspace asked for is not theirs to know.
  other.requester.space !== space
    ? 'The same was asked for in another workspace.'
    : sentence`${other.requester.name} asked for the same at ${when(other.createdAt)}${other.id === '' ? '' : ` (${other.id})`}; it ${stateWords[other.state]}.`
