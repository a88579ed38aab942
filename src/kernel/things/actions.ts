import { madeOnce } from '../../lib/made-once.ts'
import type { Thing, ThingKind } from '../../lib/view/thing.ts'
import type { Command } from '../command/define.ts'
import type { Raw } from '../command/line/coerce.ts'
import type { Param } from '../command/params.ts'
import type { Registry } from '../command/registry.ts'
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
  fittingFor(registry, thing)
    .filter(({ command }) => mayRun(command.name) && !thing.closedTo?.includes(command.name))
    .map(({ command, param, owner }) => ({
      command,
      values: {
        [param.name]: valueFor(param, thing),
        ...(owner && thing.of ? { [owner.name]: valueFor(owner, thing.of) } : {}),
      },
    }))

type Fitting = { command: Command; param: Param; owner: Param | undefined }

/** What fits a thing depends on its kind and its owner's, so it is found once for each: every answer needs it. */
const fittingFor = (registry: Registry, { kind, of }: Thing): readonly Fitting[] => {
  const known = madeOnce(fitting, registry, () => new Map<string, Fitting[]>())
  return madeOnce(known, `${kind} ${of?.kind}`, () =>
    registry.all
      .flatMap((command) => {
        const param = onlyParam(command, kind)
        return param === undefined ? [] : { command, param, owner: of && onlyParam(command, of.kind) }
      })
      .toSorted((one, other) => rankOf(one, kind) - rankOf(other, kind)),
  )
}

const fitting = new WeakMap<Registry, Map<string, Fitting[]>>()

const onlyParam = ({ params }: Command, kind: ThingKind): Param | undefined => {
  const fitting = params.filter(({ kinds }) => kinds.includes(kind))
  return fitting.length === 1 ? fitting[0] : undefined
}

const valueFor = (param: Param, thing: Thing): Raw => {
  const value = thingValue(param, thing)
  return param.type === 'list' ? [value] : value
}

/** What is gone, or ended, afterwards. */
export const takesAway = (verb: string): boolean => /^(delete|remove|forget|unlink|stop|cancel)/.test(verb)

const rankOf = ({ command, param: { positional } }: Fitting, thing: ThingKind): number => {
  const [noun = '', verb = ''] = command.name.split(' ')
  const isOwn = noun === thing.replace('-', '')
  const isRemoval = takesAway(verb)
  return (
    (isOwn && verb === 'get' ? 0 : 10) +
    (positional ? 0 : 20) +
    (isOwn ? 0 : 2) +
    (command.kind === 'query' ? 0 : 1) +
    (isRemoval ? 50 : 0)
  )
}
