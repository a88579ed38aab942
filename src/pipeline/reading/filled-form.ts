import { setTimeout as wait } from 'node:timers/promises'
import type { Asker } from '../../command/context.ts'
import type { Parsed } from '../../command/line/parse.ts'
import { thingsBeside } from '../../command/params.ts'
import type { Core } from '../../core/core.ts'
import { type Form, formFor } from '../../messenger/form.ts'
import { suggest } from '../../things/suggest.ts'

/** The form of a command with what is known, and beside each field what the command itself knows of it. */
export const filledForm = async (
  core: Core,
  asker: Asker,
  { command, given }: Pick<Parsed, 'command' | 'given'>,
): Promise<Form> => {
  const known = command.params.filter(({ name }) => Object.hasOwn(command.suggestions ?? {}, name))
  const notes = Promise.all(
    known.map(async (param) => {
      const [first] = await suggest(core, asker, param, '', thingsBeside(command, given, param))
      return first === undefined ? [] : [[param.name, first.label] as const]
    }),
  )
  const found = await Promise.race([notes, wait(noteWithinMs, [], { ref: false })])
  return formFor(command, given, { usual: core.policy.reasons, notes: Object.fromEntries(found.flat()) })
}

/** A platform waits three seconds for a form. */
const noteWithinMs = 700
