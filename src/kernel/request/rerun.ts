import { no, ok } from '../../lib/result.ts'
import { refusal } from '../../lib/view/refusals.ts'
import { refuseRow } from '../actors/authorization.ts'
import type { Actor } from '../command/context.ts'
import type { Input } from '../command/line/parse.ts'
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
  if (command?.kind !== 'query' && command?.kind !== 'switch')
    return no(refusal('answer_gone', 'This answer can no longer be paged.'))
  return {
    command,
    values: () => ok({}),
    instead: async () => {
      const checked = command.input.safeParse(input)
      if (!checked.success) return no(refusal('answer_gone', 'There is no such page.'))
      const asked = checked.data as Input
      const chosen = command.kind === 'switch' ? command.choose(asked) : ok(command)
      if (!chosen.ok) return chosen
      const { value: query } = chosen
      if (query.kind !== 'query') return no(refusal('answer_gone', 'This answer can no longer be paged.'))
      const refused = query === command ? undefined : refuseRow(core.policy, actor, query)
      return refused === undefined ? runQuery(core, actor, command, query, asked, place, part) : no(refused)
    },
  }
}
