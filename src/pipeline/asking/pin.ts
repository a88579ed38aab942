import { pinSet } from '../../bulk/pinned-set.ts'
import type { Asker } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import type { Input } from '../../command/line/parse.ts'
import { readContext } from '../../core/context/command-context.ts'
import type { Core } from '../../core/core.ts'
import type { Pinned } from '../../model/change.ts'
import { ok, type Result } from '../../model/result.ts'
import { canaryFor } from '../../policy/evaluate.ts'
import { policyNamesOf } from './prepare.ts'

/**
 * Turns a search or a file into an exact, stored set of items, so that later changes to the data do not
 * affect it.
 */
export const pin = async (
  core: Core,
  asker: Asker,
  definition: ChangeCommand,
  input: Input,
): Promise<Result<{ input: Input; pinned?: Pinned }>> => {
  if (definition.bulk === undefined) return ok({ input })
  const { chunk } = core.policy.bulk
  const canary = canaryFor(core.policy, policyNamesOf(definition))
  const done = await definition.bulk.pin(input, {
    ...readContext(core, asker),
    chunk,
    pin: (members) => pinSet(core.store, core.newId(), members, { size: chunk, canary }),
  })
  if (!done.ok) return done
  return ok(done.value ?? { input })
}
