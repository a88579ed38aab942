import { isVoterFor } from '../law/clauses.ts'
import type { Clause, Judged } from '../model/change.ts'
import { type Space, spaceOfId } from '../model/workspace.ts'
import { type BudgetUse, spentThen } from './budget.ts'
import { type PolicyDecision, usesOf, whyNotRule } from './evaluate.ts'
import { mayApprove, onceForRoles } from './people.ts'
import type { AmountRange, Policy, Rule } from './policy.ts'
import { isListedIn } from './workspaces.ts'

/** What a decision was made of. */
export type Explanation = {
  /** Every rule of the file, in its order. */
  rules: { name: string; decides: boolean; why: string; isAboutIt: boolean }[]
  clauses: { clause: Clause; people: string[]; viaGroups: string[]; isPossible: boolean }[]
  budgets: BudgetUse[]
}

export type ExplainInput = {
  names: readonly string[]
  /** Under which of its names somebody must be allowed to approve it. */
  approveNames: readonly string[]
  amount: number | null
  currency: string | null
  requester: { person: string; name: string; space?: Space }
  /** The roles that a person of the file has today. */
  rolesOf: (person: Policy['people'][number]) => readonly string[]
}

/** Why the policy decided so. It asks the same questions as `evaluate`, and writes down every answer. */
export const explainDecision = (
  policy: Policy,
  ask: ExplainInput,
  decision: PolicyDecision,
  spent: Judged['spent'],
): Explanation => ({
  rules: policy.policies.map((rule) => explainRule(rule, ask, decision)),
  clauses: decision.clauses.map((clause) => ({ clause, ...whoCould(policy, ask, clause) })),
  budgets: usesOf(policy, {
    ...ask,
    spent: ({ name }) => spentThen(spent.find((one) => one.name === name)),
  }),
})

const explainRule = (
  rule: Rule,
  { names, amount }: ExplainInput,
  { matched }: PolicyDecision,
): Explanation['rules'][number] => {
  const decidesFor = matched.flatMap((one) => (one.rule === rule ? one.name : []))
  if (decidesFor.length > 0) {
    return {
      name: rule.name,
      decides: true,
      isAboutIt: true,
      why: `It is the first for ${decidesFor.join(' and ')}.`,
    }
  }
  const answers = names.map((name) => ({ name, why: whyNotRule(rule, name, amount) }))
  const taken = answers.find(({ why }) => why === undefined)
  const isOfOtherAmounts = answers.some(({ why }) => why === 'other amounts')
  const before = matched.find(({ name }) => name === taken?.name)?.rule.name
  const why =
    taken !== undefined
      ? `"${before}" stands before it.`
      : isOfOtherAmounts
        ? `It is for ${rangeWords(rule.amount)}, and ${amount === null ? 'this amount is not known' : `this is ${amount}`}.`
        : `It is for ${rule.commands.join(', ')}.`
  return { name: rule.name, decides: false, why, isAboutIt: taken !== undefined || isOfOtherAmounts }
}

/** `amounts over 50 and up to 500`. */
export const rangeWords = ({ from, over, upTo }: AmountRange = {}): string => {
  const ends = [
    ...(from === undefined ? [] : [`from ${from}`]),
    ...(over === undefined ? [] : [`over ${over}`]),
    ...(upTo === undefined ? [] : [`up to ${upTo}`]),
  ]
  return ends.length === 0 ? 'any amount' : `amounts ${ends.join(' and ')}`
}

const whoCould = (
  policy: Policy,
  { requester, approveNames, rolesOf }: ExplainInput,
  clause: Clause,
): Omit<Explanation['clauses'][number], 'clause'> => {
  if (clause.kind === 'confirm') return { people: [requester.name], viaGroups: [], isPossible: true }
  const mayApproveIt = onceForRoles((roles) => mayApprove(policy, { roles }, approveNames))
  const isAble = (roles: readonly string[], person?: string) =>
    isVoterFor(clause, { person, roles, mayApprove: mayApproveIt(roles) })
  const people = policy.people
    .filter((person) => person.id !== requester.person && isListedIn(policy, person.id, { requester }))
    .filter((person) => isAble(rolesOf(person), person.id))
    .map(({ name }) => name)
  const viaGroups = Object.entries(policy.groups).flatMap(([platform, groups]) =>
    Object.entries(groups).flatMap(([group, roles]) =>
      isAble(roles) && spaceOfId(platform, group) === requester.space ? group : [],
    ),
  )
  return { people, viaGroups, isPossible: people.length >= clause.count || viaGroups.length > 0 }
}
