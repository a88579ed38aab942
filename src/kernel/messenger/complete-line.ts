import type { ThingReference } from '../../lib/view/thing.ts'
import type { Command } from '../command/define.ts'
import { usageOf } from '../command/line/usage.ts'
import { type Param, siblingThings } from '../command/params.ts'
import type { Bot } from './bot.ts'
import type { Sender } from './inbound.ts'

export type LineCompletion = {
  /** Where in the typed text the items begin; each replaces the rest. */
  from: number
  items: { text: string; hint: string }[]
  usage: string | null
  /** What is being typed now. */
  about: string | null
}

/** What could come next in the line: a command, a flag, or a value. Nothing that this person may not run. */
export const completeLine = async (
  bot: Pick<Bot, 'registry' | 'readsOf' | 'reading' | 'suggest'>,
  from: Sender,
  typed: string,
  most = 8,
): Promise<LineCompletion> => {
  const { records } = bot.readsOf(from)
  const start = /^\s*\/?/.exec(typed)?.[0].length ?? 0
  const line = typed.slice(start)
  const allowed = bot.registry.all.filter(({ name }) => records.mayRun(name))
  const command = commandIn(allowed, line)
  if (command === undefined) {
    const items = namesFor(allowed, line).slice(0, most)
    const reading = items.length > 0 || line.trim() === '' ? undefined : await bot.reading(from, line)
    const about = reading === undefined ? null : `Understood as: ${reading}`
    return { from: start, items, usage: null, about }
  }
  const usage = usageOf(command)
  const rest = line.slice(command.name.length)
  const word = rest.split(/\s/).at(-1) ?? ''
  const { param, used, isBegun, values } = placeOf(command, rest.slice(0, rest.length - word.length))
  const begin = typed.length - word.length
  const isQuoted = (rest.match(/"/g)?.length ?? 0) % 2 === 1
  if (isQuoted) return { from: begin, items: [], usage, about: aboutOf(param) }
  // What takes all remaining words may be complete after the first of them.
  if (word.startsWith('-') || ((param === undefined || isBegun) && word === '')) {
    const items = command.params
      .filter((one) => !one.positional && one.type !== 'file' && !used.has(one.name))
      .filter(({ flag }) => `--${flag}`.startsWith(word))
      .map((one) => ({ text: `--${one.flag} `, hint: one.description }))
    return { from: begin, items: items.slice(0, most), usage, about: isBegun ? aboutOf(param) : null }
  }
  const beside = param === undefined ? [] : siblingThings(command, values, param)
  const items = param === undefined ? [] : await valuesOf(bot, from, param, word, beside)
  return { from: begin, items: items.slice(0, most), usage, about: aboutOf(param) }
}

const commandIn = (commands: readonly Command[], line: string): Command | undefined =>
  commands.find(({ name }) => line.toLowerCase().startsWith(`${name} `))

const namesFor = (commands: readonly Command[], line: string): LineCompletion['items'] => {
  const wanted = line.toLowerCase().replace(/\s+/g, ' ')
  if (wanted.trim() === '') return []
  const starts = commands.filter(({ name }) => name.startsWith(wanted))
  const within = commands.filter(({ name }) => name.includes(` ${wanted}`))
  return [...starts, ...within]
    .filter(({ name }) => name !== wanted)
    .map(({ name, summary, params }) => ({ text: params.length === 0 ? name : `${name} `, hint: summary }))
}

type LinePlace = {
  param: Param | undefined
  used: Set<string>
  isBegun: boolean
  values: Record<string, string>
}

/** The parameter that the next word belongs to, whether it has words already, and those that have their value, with it. */
const placeOf = (command: Command, before: string): LinePlace => {
  const used = new Set<string>()
  const values: Record<string, string> = {}
  const begun = new Set<Param>()
  const positional = command.params.filter((param) => param.positional)
  let waiting: Param | undefined
  for (const token of before.match(/"[^"]*"|\S+/g) ?? []) {
    const flag = /^(?:--|—)([^=]+)(=?)/.exec(token)
    if (flag !== null) {
      const param = command.params.find((one) => one.flag === flag[1]?.toLowerCase())
      if (param !== undefined) used.add(param.name)
      if (param !== undefined && flag[2] !== '') values[param.name] = unquoted(token.slice(flag[0].length))
      waiting = flag[2] === '' ? param : undefined
    } else if (waiting !== undefined) {
      values[waiting.name] = unquoted(token)
      waiting = undefined
    } else {
      const param = positional.find((one) => !used.has(one.name))
      if (param?.rest) begun.add(param)
      else if (param !== undefined) {
        used.add(param.name)
        values[param.name] = unquoted(token)
      }
    }
  }
  const param = waiting ?? positional.find((one) => !used.has(one.name))
  return { param, used, isBegun: param !== undefined && begun.has(param), values }
}

const unquoted = (token: string): string => token.replace(/^"|"$/g, '')

const valuesOf = async (
  bot: Pick<Bot, 'suggest'>,
  from: Sender,
  param: Param,
  word: string,
  beside: readonly ThingReference[],
): Promise<LineCompletion['items']> => {
  const fixed = param.type === 'boolean' ? ['yes', 'no'] : param.choices
  const begins = (value: string) => value.toLowerCase().startsWith(word.toLowerCase()) && value !== word
  if (fixed.length > 0) return fixed.filter(begins).map((value) => ({ text: `${value} `, hint: param.flag }))
  const live = await bot.suggest(from, param, word, beside)
  return live
    .filter(({ value }) => value !== word)
    .map(({ value, label }) => ({ text: `${/\s/.test(value) ? `"${value}"` : value} `, hint: label }))
}

const aboutOf = (param: Param | undefined): string | null =>
  param === undefined ? null : `${param.flag}: ${param.description}${param.required ? '' : ' (optional)'}`
