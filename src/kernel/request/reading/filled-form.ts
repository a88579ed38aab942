import { orAfter } from '../../../lib/retry.ts'
import type { Actor } from '../../command/context.ts'
import type { Parsed } from '../../command/line/parse.ts'
import { isThingKind, type Param, siblingThings } from '../../command/params.ts'
import type { Core } from '../../core.ts'
import { type Form, type FormField, formFor } from '../../messenger/form.ts'
import { suggest } from '../../things/suggest.ts'

/** The form of a command with what is known: beside a field what the command knows of it, and in it the name of what was chosen. */
export const filledForm = async (
  core: Core,
  actor: Actor,
  { command, given }: Pick<Parsed, 'command' | 'given'>,
): Promise<Form> => {
  const withinMs = core.timings.patienceMs.form
  const inTime = async <T>(params: readonly Param[], read: (param: Param) => Promise<T | undefined>) => {
    const found = await Promise.all(
      params.map(async (param) => [param.name, await orAfter(withinMs, undefined, read(param))] as const),
    )
    return Object.fromEntries(found.flatMap(([name, one]) => (one === undefined ? [] : [[name, one]])))
  }
  const offered = (param: Param, typed: string) =>
    suggest(core, actor, param, typed, siblingThings(command, given, param))
  const [notes, choices] = await Promise.all([
    inTime(
      command.params.filter(({ name }) => Object.hasOwn(command.suggestions ?? {}, name)),
      async (param) => (await offered(param, ''))[0]?.label,
    ),
    inTime(
      command.params.filter(({ name, kinds }) => typeof given[name] === 'string' && kinds.some(isThingKind)),
      async (param): Promise<Pick<FormField, 'chosen' | 'others'> | undefined> => {
        const id = String(given[param.name])
        const [named, others] = await Promise.all([offered(param, id), offered(param, '')])
        const chosen = named.find(({ value }) => value === id)
        return chosen && { chosen, others: others.filter(({ value }) => value !== id) }
      },
    ),
  ])
  return formFor(command, given, { usual: core.policy.reasons, notes, choices })
}
