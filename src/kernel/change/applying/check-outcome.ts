import { ok } from '../../../lib/result.ts'
import { isServiceError } from '../../../lib/services/errors.ts'
import { definitionOf } from '../../command/registry.ts'
import { readContext } from '../../context/command-context.ts'
import { serviceRefusal } from '../../context/error-refusals.ts'
import type { Core } from '../../core.ts'
import type { Change, OutcomeCheck } from '../../model/change.ts'
import { isListed } from '../../policy/listed.ts'
import { rolesNow } from '../../policy/people.ts'
import { transition } from '../transition.ts'
import { mustGet } from './execute.ts'

export const canCheck = ({ registry }: Pick<Core, 'registry'>, change: Change): boolean =>
  definitionOf(registry, change)?.checkOutcome !== undefined

/**
 * Looks in the service for what became of a change whose answer was lost, and shows it on its cards. Each look has a
 * number, so that it is taken once whatever races. It settles nothing: a person does.
 */
export const checkOutcome = async (core: Core, change: Change): Promise<Change> => {
  const definition = definitionOf(core.registry, change)
  const plan = definition?.plan.safeParse(change.plan)
  if (change.state !== 'unknown' || !plan?.success) return change
  const n = (change.checked?.n ?? 0) + 1
  const { requester } = change
  const known = isListed(core.policy, requester)
  const actor = { ...requester, known, roles: rolesNow(core.policy, requester, undefined) }
  const look = async (): Promise<OutcomeCheck | undefined> =>
    definition?.checkOutcome?.(plan.data, readContext(core, actor), change)
  const found = await look().catch((error: unknown): OutcomeCheck => {
    if (!isServiceError(error)) throw error
    return { happened: null, message: serviceRefusal(error).message }
  })
  if (found === undefined) return change
  await transition(core, change.id, async () =>
    ok({ kind: 'checked', check: { ...found, n, at: core.now() } }),
  )
  return mustGet(core, change.id)
}

/** When to look the next time; undefined when it was found, or was looked for often enough, or nothing can look for it. */
export const nextCheckAt = ({ timings, now }: Pick<Core, 'timings' | 'now'>, { state, checked }: Change) => {
  const wait = checked && timings.checksMs[checked.n]
  return state !== 'unknown' || checked?.happened === true || wait === undefined ? undefined : now() + wait
}
