import type { Command } from '../command/define.ts'
import type { Raw } from '../command/line/coerce.ts'
import type { Param } from '../command/params.ts'
import type { Registry } from '../command/registry.ts'
import type { Thing, ThingReference } from '../view/thing.ts'
import { thingValue } from './ids.ts'

/** A command that can be run on a thing, with the values that the thing gives it. */
export type ThingAction = { command: Command; values: Record<string, Raw> }

/**
 * The commands that can be run on a thing by whoever may run what `mayRun` says: those with exactly one parameter of
 * its kind. What shows it comes first, what deletes it last.
 */
export const actionsFor = (
  registry: Registry,
  mayRun: (name: string) => boolean,
  thing: Thing,
): ThingAction[] =>
  registry.all
    .flatMap((command) => {
      const param = onlyParam(command, thing)
      if (param === undefined || !mayRun(command.name)) return []
      const owner = thing.of && onlyParam(command, thing.of)
      const values = {
        [param.name]: valueFor(param, thing),
        ...(owner && thing.of ? { [owner.name]: valueFor(owner, thing.of) } : {}),
      }
      return [{ command, values, rank: rankOf(command, param, thing) }]
    })
    .sort((one, other) => one.rank - other.rank)
    .map(({ command, values }) => ({ command, values }))

const onlyParam = ({ params }: Command, { kind }: ThingReference): Param | undefined => {
  const fitting = params.filter(({ kinds }) => kinds.includes(kind))
  return fitting.length === 1 ? fitting[0] : undefined
}

const valueFor = (param: Param, thing: Thing): Raw => {
  const value = thingValue(param, thing)
  return param.type === 'list' ? [value] : value
}

const rankOf = ({ name, kind }: Command, { positional }: Param, thing: Thing): number => {
  const [noun = '', verb = ''] = name.split(' ')
  const isOwn = noun === thing.kind.replace('-', '')
  const isRemoval = /^(delete|remove|forget|unlink|stop|cancel)/.test(verb)
  return (
    (isOwn && verb === 'get' ? 0 : 10) +
    (positional ? 0 : 20) +
    (isOwn ? 0 : 2) +
    (kind === 'query' ? 0 : 1) +
    (isRemoval ? 50 : 0)
  )
}
