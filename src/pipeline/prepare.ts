import type { Pinned } from '../approvals/change.ts'
import type { Asked } from '../approvals/law.ts'
import { digestOf } from '../audit/canonical.ts'
import { isIntact } from '../bulk/set.ts'
import type { Asker } from '../command/context.ts'
import type { Change } from '../command/define.ts'
import type { Input } from '../command/parse.ts'
import { type Decision, isFrozen } from '../policy/evaluate.ts'
import { no, ok, type Result } from '../result.ts'
import type { Store } from '../storage/store.ts'
import { type Refusal, refusal } from '../view/refusals.ts'
import { readContext } from './context.ts'
import type { World } from './world.ts'

export type Prepared = { plan: unknown; amount: number | null; currency: string | null }

/** The plan, checked by its own schema: what is stored is what will be applied. */
export const prepare = async (
  world: World,
  asker: Asker,
  definition: Change,
  input: Input,
  pinned?: Pinned,
): Promise<Result<Prepared>> => {
  if (pinned !== undefined && !(await isIntact(world.store, pinned))) {
    return no(refusal('changed_since', 'The set that this was asked for is no longer there as it was.'))
  }
  const planned = await definition.prepare(input, readContext(world, asker), pinned)
  if (!planned.ok) return planned
  const plan = definition.plan.parse(planned.value)
  const amount = definition.amountOf?.(plan)
  return ok({ plan, amount: amount?.value ?? null, currency: amount?.currency ?? null })
}

/** What people are asked, bound together by the digest that their votes carry. */
export const askedOf = (
  definition: Change,
  { plan, amount, currency }: Prepared,
  decision: Decision,
  now: number,
) => {
  const { rule, requirement, warnings, holdMs, canary } = decision
  const terms = { plan, rule, requirement, holdMs, canary }
  return {
    ...terms,
    amount,
    currency,
    preview: definition.preview(plan),
    warnings,
    expiresAt: now + decision.expiresInMs,
    lookUps: definition.lookUps?.(plan) ?? [],
    digest: digestOfTerms(definition, terms),
  }
}

type Terms = Pick<Asked, 'plan' | 'rule' | 'requirement' | 'holdMs' | 'canary'>

/** What a vote is bound to: the command, the plan and what the policy asked for. */
export const digestOfTerms = (
  { name }: Pick<Change, 'name'>,
  { plan, rule, requirement, holdMs, canary }: Terms,
): string => digestOf({ command: name, plan, rule, requirement, holdMs, canary })

export const namesOf = (definition: Pick<Change, 'name' | 'sameAs'>): string[] => [
  ...new Set([definition.name, ...(definition.sameAs ?? [])]),
]

export const whyFrozen = async (
  { freezes: kept }: Pick<Store, 'freezes'>,
  area: Change['area'],
): Promise<Refusal | undefined> => {
  const freezes = await kept.all()
  const frozen = freezes.find((freeze) => isFrozen([{ area: freeze.area as Change['area'] }], area))
  if (frozen === undefined) return undefined
  const reason = frozen.reason ? `: ${frozen.reason}` : ''
  return refusal(
    'frozen',
    `${frozen.area === 'all' ? 'All' : `The ${frozen.area}`} changes are frozen by ${frozen.name}${reason}.`,
    {
      next: `Wait, or ask somebody who may run: unfreeze ${frozen.area}`,
    },
  )
}
