import { no, ok } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import type { Actor } from '../command/context.ts'
import type { Core } from '../core.ts'
import type { Inbound } from '../messenger/inbound.ts'
import type { IntendedOrEnd } from './admitted.ts'
import { runQuery, type Turned } from './look-ups/query.ts'

/** A stored look-up once more, with all checks made anew. */
export const rerun = (
  core: Core,
  actor: Actor,
  name: string,
  { input, part }: Turned,
  place: Inbound['place'],
): IntendedOrEnd => {
  const command = core.registry.get(name)
  if (command?.kind !== 'query') return no(refusal('answer_gone', 'This answer can no longer be paged.'))
  return {
    command,
    values: () => ok({}),
    instead: async () => {
      const checked = command.input.safeParse(input)
      return checked.success
        ? runQuery(core, actor, command, command, checked.data as Record<string, unknown>, place, part)
        : no(refusal('answer_gone', 'There is no such page.'))
    },
  }
}
