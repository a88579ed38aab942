import { ok, type Result } from '../../../lib/result.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import { readContext } from '../../context/command-context.ts'
import type { Core } from '../../core.ts'
import type { Pinned } from '../../model/change.ts'
import { canaryFor } from '../../policy/evaluate.ts'
import { pinSet } from './pinned-set.ts'
import { policyNamesOf } from './prepare.ts'

/**
 * Turns a search or a file into an exact, stored set of items, so that later changes to the data do not
 * affect it.
 */
export const pin = async (
  core: Core,
  actor: Actor,
  definition: ChangeCommand,
  input: Input,
): Promise<Result<{ input: Input; pinned?: Pinned }>> => {
  if (definition.bulk === undefined) return ok({ input })
  const { chunk } = core.policy.bulk
  const canary = canaryFor(core.policy, policyNamesOf(definition))
  const done = await definition.bulk.pin(input, {
    ...readContext(core, actor),
    chunk,
    pin: (members) => pinSet(core.store, core.newId(), members, { size: chunk, canary }),
  })
  if (!done.ok) return done
  return ok(done.value ?? { input })
}
