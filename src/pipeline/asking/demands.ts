import type { ChangeCommand } from '../../command/define.ts'
import { movesMoney } from '../../command/moves-money.ts'
import type { Change, Judged } from '../../model/change.ts'
import { ruledFor } from '../../policy/evaluate.ts'
import type { Policy } from '../../policy/policy.ts'
import { type Refusal, refusal } from '../../view/refusals.ts'
import type { Prepared } from './prepare.ts'

/** Whether a plan came with a reason, and whether somebody has looked at what it is about. */
export const broughtWith = (definition: ChangeCommand, plan: unknown): NonNullable<Judged['had']> => ({
  reason: Boolean(definition.reasonOf?.(plan)?.trim()),
  evidence: definition.evidenceOf !== undefined && definition.evidenceOf(plan) === undefined,
})

/** Why a change may not even be asked for: a rule demands a reason, or that somebody has looked, and there is none. */
export const whyUnmet = (
  policy: Policy,
  definition: ChangeCommand,
  { plan, amount }: Prepared,
  { names, area, input }: Pick<Change, 'names' | 'area' | 'input'>,
): Refusal | undefined => {
  const { name: rule, terms } = ruledFor(policy, {
    names,
    area,
    movesMoney: movesMoney(definition, input),
    amount,
  })
  const had = broughtWith(definition, plan)
  if (terms.reason === 'required' && !had.reason) {
    return refusal(
      'needs_reason',
      `The rule "${rule}" asks for a reason.`,
      definition.reasonOf === undefined
        ? { next: `${definition.name} takes none, so an administrator must leave it out of the rule.` }
        : { next: (as) => `Say why, with ${as.flag('reason')}.` },
    )
  }
  if (terms.evidence !== 'required' || had.evidence) return undefined
  const missing = definition.evidenceOf?.(plan) ?? `${definition.name} looks nothing up.`
  return refusal('needs_evidence', `The rule "${rule}" asks for evidence. ${missing}`)
}
