import { madeOnce } from '../../../lib/made-once.ts'
import { isMoneyIn } from '../../../lib/services/endpoints/tables.ts'
import { traitsOf } from '../../../lib/things/kinds.ts'
import { type Refusal, refusal } from '../../../lib/view/refusals.ts'
import type { ChangeCommand } from '../../command/define.ts'
import { movesMoney } from '../../command/moves-money.ts'
import { paramsOf } from '../../command/params.ts'
import type { Change, Judged } from '../../model/change.ts'
import type { ByNature } from '../../policy/emergency.ts'
import { ruledFor } from '../../policy/evaluate.ts'
import type { Policy } from '../../policy/policy.ts'
import type { Prepared } from './prepare.ts'

/** Whether a plan came with a reason, and whether somebody has looked at what it is about. */
export const broughtWith = (definition: ChangeCommand, plan: unknown): NonNullable<Judged['had']> => ({
  reason: Boolean(definition.reasonOf?.(plan)?.trim()),
  evidence: definition.evidenceOf !== undefined && definition.evidenceOf(plan) === undefined,
})

/** What a change needs whatever the rules say: nobody alone moves money of which nobody has looked at what it is about. */
export const natureOf = (
  definition: ChangeCommand,
  { plan, input, requester }: { plan: unknown; input: Change['input']; requester: string },
): ByNature => {
  const isUnseen =
    isToLookUp(definition) && movesMoney(definition, input) && !broughtWith(definition, plan).evidence
  return definition.needs?.(plan, requester) ?? (isUnseen ? 'unseen' : undefined)
}

/** It is looked up, or would have to be, because it takes what somebody has where money moves. */
const isToLookUp = (definition: ChangeCommand): boolean =>
  definition.evidenceOf !== undefined ||
  madeOnce(
    ofSomebody,
    definition,
    () =>
      isMoneyIn(definition.uses) &&
      paramsOf(definition.input).some(({ kinds }) =>
        kinds.some((kind) => traitsOf(kind).perPerson !== undefined),
      ),
  )

const ofSomebody = new WeakMap<ChangeCommand, boolean>()

/** Why a change may not even be asked for: a rule demands a reason, or that somebody has looked, and there is none. */
export const refuseUnmet = (
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
  const { why, ...todo } = typeof missing === 'string' ? { why: missing } : missing
  return refusal('needs_evidence', `The rule "${rule}" asks for evidence. ${why}`, todo)
}
