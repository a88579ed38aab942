import type { ChangeCommand } from '../command/define.ts'
import type { Change } from '../model/change.ts'
import { evaluate } from '../policy/evaluate.ts'
import type { Policy } from '../policy/policy.ts'
import { type Refusal, refusal } from '../view/refusals.ts'
import type { Prepared } from './prepare.ts'

/** Why a change may not even be asked for: a rule demands a reason, or that somebody has looked, and there is none. */
export const whyUnmet = (
  policy: Policy,
  definition: ChangeCommand,
  { plan, amount }: Prepared,
  { names, area }: Pick<Change, 'names' | 'area'>,
): Refusal | undefined => {
  const { rule, reason, evidence } = evaluate(policy, {
    names,
    area,
    amount,
    spent: () => 0,
    duplicates: 0,
  })
  if (reason === 'required' && !definition.reasonOf?.(plan)?.trim()) {
    return refusal(
      'needs_reason',
      `The rule "${rule}" asks for a reason.`,
      definition.reasonOf === undefined
        ? { next: `${definition.name} takes none, so an administrator must leave it out of the rule.` }
        : { next: 'Say why, with --reason.' },
    )
  }
  if (evidence !== 'required') return undefined
  const missing =
    definition.evidenceOf === undefined ? `${definition.name} looks nothing up.` : definition.evidenceOf(plan)
  return missing === undefined
    ? undefined
    : refusal('needs_evidence', `The rule "${rule}" asks for evidence. ${missing}`)
}
