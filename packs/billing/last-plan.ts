import { z } from 'zod'
import type { ReadContext } from '../../src/kernel/command/context.ts'
import type { Change } from '../../src/kernel/model/change.ts'
import type { View } from '../../src/lib/view/view.ts'

/** No endpoint shows a subscription, but those that were changed here are on record, with what the service answered. */
export type KeptPlan = {
  subscription: string
  id: string
  name: string | undefined
  /** Since when it is the plan, or when it will be. */
  at: number | undefined
  /** When the term ends that the service named, as long as it lies ahead. */
  renews: number | undefined
}
export type KeptPlans = { now: KeptPlan | undefined; next: KeptPlan | undefined }

/** Where what was done says when the term ends. */
export const termEndLabel = 'Next billing'

/** What is on record of the subscriptions of somebody, each with what it moves to. */
export const keptPlans = async (
  isTheirs: (change: Pick<Change, 'input'>) => boolean,
  { records, now }: Pick<ReadContext, 'records' | 'now'>,
): Promise<Map<string, KeptPlans>> => {
  const found = await records
    .changes({ states: ['applied'], limit: maxLooked, page: 1 })
    .catch(() => ({ items: [] }))
  const theirs = found.items
    .filter((change) => change.names.includes('upgrade') && isTheirs(change))
    .map((change) => ({ change, at: change.outcome?.at ?? change.updatedAt }))
    .toSorted((one, other) => one.at - other.at)
  const kept = new Map<string, KeptPlans>()
  for (const { change, at } of theirs) {
    const read = moved.safeParse(change.plan)
    if (!read.success) continue
    const { subscriptionId, body, known } = read.data
    const before = kept.get(subscriptionId)?.now
    const end = termEndIn(change.outcome?.view)
    const plan = { subscription: subscriptionId, id: body.plan_id, name: known?.name ?? undefined }
    const isLater = body.activated_at_val === 'eot'
    const isAhead = isLater && (end === undefined || end > now)
    kept.set(subscriptionId, {
      now: isAhead
        ? before
        : { ...plan, at: isLater ? end : at, renews: isLater ? undefined : ahead(end, now) },
      next: isAhead ? { ...plan, at: end, renews: undefined } : undefined,
    })
  }
  return kept
}

const moved = z.object({
  subscriptionId: z.string(),
  body: z.object({ plan_id: z.string(), activated_at_val: z.string().optional() }),
  known: z.object({ name: z.string().nullable() }).nullish(),
})

const termEndIn = (view: View | null | undefined): number | undefined =>
  view?.blocks
    .flatMap((block) => (block.kind === 'facts' ? block.facts : []))
    .find(({ label }) => label === termEndLabel)?.time?.at

const ahead = (at: number | undefined, now: number) => (at !== undefined && at > now ? at : undefined)

const maxLooked = 200
