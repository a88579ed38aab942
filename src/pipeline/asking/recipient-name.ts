import type { Asker } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import { readContext } from '../../core/context/command-context.ts'
import type { Core } from '../../core/core.ts'
import { isServiceError } from '../../services/errors.ts'
import type { Prepared } from './prepare.ts'

/** Nobody waits longer than this for a name: the address stands in its place. */
const deadlineMs = 800

/** By what name people know the person whom a change is for. It is part of no plan, so nothing is asked again because of it. */
export const recipientName = async (
  core: Core,
  asker: Asker,
  definition: ChangeCommand,
  { plan }: Prepared,
): Promise<string | undefined> => {
  const address = definition.recipientOf?.(plan)
  if (address === undefined) return undefined
  const [knows] = core.registry.packs.flatMap(({ person }) => person?.name ?? [])
  try {
    return (await knows?.(address, readContext(core, asker), { deadlineMs })) ?? address
  } catch (error) {
    if (!isServiceError(error)) throw error
    return address
  }
}
