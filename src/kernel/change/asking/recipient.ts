import { isServiceError } from '../../../lib/services/errors.ts'
import type { Actor } from '../../command/context.ts'
import type { ChangeCommand } from '../../command/define.ts'
import { tellingWay } from '../../command/registry.ts'
import { readContext } from '../../context/command-context.ts'
import type { Core } from '../../core.ts'
import type { Addressee, Prepared } from './prepare.ts'

/** By what name people know the person whom a change is for. It is part of no plan, so nothing is asked again because of it. */
export const namedRecipient = async (
  core: Core,
  actor: Actor,
  definition: ChangeCommand,
  { plan }: Prepared,
): Promise<Addressee> => {
  const address = definition.recipientOf?.(plan)
  if (address === undefined) return {}
  const [knows] = core.registry.packs.flatMap(({ person }) => person?.name ?? [])
  const way = tellingWay(core.registry)
  const tell = way === undefined ? {} : { tell: { command: way.command, to: address } }
  try {
    const deadlineMs = core.timings.patienceMs.recipient
    const name = await knows?.(address, readContext(core, actor), { deadlineMs })
    return { recipient: name ?? address, ...tell }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { recipient: address, ...tell }
  }
}
