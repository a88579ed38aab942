import type { Pinned } from '../approvals/change.ts'
import { pinSet } from '../bulk/set.ts'
import type { Asker } from '../command/context.ts'
import type { Change } from '../command/define.ts'
import type { Input } from '../command/parse.ts'
import { canaryFor } from '../policy/evaluate.ts'
import { ok, type Result } from '../result.ts'
import { readContext } from './context.ts'
import { namesOf } from './prepare.ts'
import type { World } from './world.ts'

/** What was asked for as what is meant: a search or a file becomes the exact set, once and for all. */
export const pin = async (
  world: World,
  asker: Asker,
  definition: Change,
  input: Input,
): Promise<Result<{ input: Input; pinned?: Pinned }>> => {
  if (definition.bulk === undefined) return ok({ input })
  const { chunk } = world.policy.bulk
  const canary = canaryFor(world.policy, namesOf(definition))
  const done = await definition.bulk.pin(input, {
    ...readContext(world, asker),
    chunk,
    pin: (members) => pinSet(world.store, world.newId(), members, { size: chunk, canary }),
  })
  if (!done.ok) return done
  return ok(done.value ?? { input })
}
