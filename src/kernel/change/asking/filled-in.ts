import { no, ok, type Result } from '../../../lib/result.ts'
import { quoted } from '../../../lib/view/outside.ts'
import { noSuchChange, refusal } from '../../../lib/view/refusals.ts'
import { changeFor } from '../../actors/delegates.ts'
import type { Actor } from '../../command/context.ts'
import type { Command } from '../../command/define.ts'
import type { Raw } from '../../command/line/coerce.ts'
import { valuesOfLine } from '../../command/line/parse.ts'
import { valueTextOf } from '../../command/line/print.ts'
import { alsoParam, atParam, besideParams, byParamName } from '../../command/params.ts'
import { amending } from '../../command/registry.ts'
import type { Core } from '../../core.ts'
import type { Change } from '../../model/change.ts'
import { isoTime } from '../../times/read-time.ts'

/** What was asked for, as somebody would have typed it. A time that is over is left out. */
export const valuesAsked = ({ params }: Pick<Command, 'params'>, change: Change, now: number): Values => {
  const own = params
    .filter((param) => !besideParams.includes(param) && param.type !== 'file')
    .flatMap((param): [string, Raw][] => {
      const value = change.input[param.name]
      if (value === undefined) return []
      return [[param.name, param.type === 'list' ? [value].flat().map(String) : valueTextOf(param, value)]]
    })
  const { runAt, also } = change
  return Object.fromEntries([
    ...own,
    ...(runAt === undefined || runAt.at <= now ? [] : [[atParam.name, isoTime(runAt)]]),
    ...(also === undefined ? [] : [[alsoParam.name, also.person]]),
  ])
}

type Values = Record<string, Raw>

/** What is not given stays as it was asked, unless the whole form was handed in. */
export const withAsked = async (
  core: Core,
  actor: Actor,
  command: Command,
  given: Values,
): Promise<Result<Values>> => {
  if (command.amends === undefined) return ok(given)
  const change = await changeFor(core, actor, command.amends.id)
  if (change === null) return no(noSuchChange(command.amends.id))
  if (command.amends.isWhole) return ok(given)
  return ok({ ...valuesAsked(command, change, core.now()), ...byParamName(command, given) })
}

/**
 * `approval change <id> --amount 30`: the flags are those of the change's own command, and so is the whole line if it names it.
 * Undefined for any other line, and where nothing follows the id.
 */
export const changeLine = async (
  core: Core,
  actor: Actor,
  line: string,
): Promise<Result<{ command: Command; values: Values }> | undefined> => {
  const [, id = '', rest = ''] =
    /^\s*\/?(?:bellhop\s+)?approval\s+change\s+(\S+)\s+(\S.*)$/is.exec(line) ?? []
  if (id === '') return undefined
  const change = await changeFor(core, actor, id)
  if (change === null) return no(noSuchChange(id))
  const isWhole = rest.toLowerCase().startsWith(`${change.command} `)
  if (!isWhole && !/^[-\u2013\u2014]/u.test(rest)) {
    return no(
      refusal('surplus_word', `${quoted(rest.slice(0, 40))} does not say what to change.`, {
        next: (as) => `Write what to change by its name, such as ${as.flag('at')} "tomorrow 9:00".`,
      }),
    )
  }
  const typed = valuesOfLine(core.registry, isWhole ? rest : `${change.command} ${rest}`)
  if (!typed.ok) return typed
  const { command, values } = typed.value
  return ok({ command: amending(command, { id, isWhole }), values })
}
