import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Command } from '../../../src/kernel/command/define.ts'
import type { Raw } from '../../../src/kernel/command/line/coerce.ts'
import { readValues, valuesOfLine } from '../../../src/kernel/command/line/parse.ts'
import type { Bot } from '../../../src/kernel/messenger/bot.ts'
import { didYouMean } from '../../../src/lib/view/did-you-mean.ts'
import { asTyped } from '../../../src/lib/view/outside.ts'
import { fieldRefusal, type Refusal, refusal } from '../../../src/lib/view/refusals.ts'
import { readNamedValues } from '../arguments.ts'
import { isLetIn, readCallBody } from '../guard.ts'
import { commandOfTool } from '../tools.ts'
import type { CallProblem } from './problem.ts'

/** What a body asks for. */
export type BodyRequest = { command: Command; values: Record<string, Raw> }

export const isWanted = (one: BodyRequest | CallProblem): one is BodyRequest => 'command' in one

const body = z.union([
  z.strictObject({ line: z.string() }),
  z.strictObject({ command: z.string(), values: z.record(z.string(), z.unknown()).optional() }),
])

const next = 'Send { "line": … }, or { "command": …, "values": { … } }, and nothing else.'

/** Either a command and its values, or the line that somebody would type. */
export const readWanted = async (bot: Bot, request: IncomingMessage): Promise<BodyRequest | CallProblem> => {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    const json = 'Send JSON, with Content-Type: application/json.'
    return { ...refusal('bad_value', 'The body is not said to be JSON.', { next: json }), status: 415 }
  }
  const bytes = await readCallBody(request)
  if (!isLetIn(bytes)) {
    bot.countRefused('mcp', bytes.reason)
    return refusal('too_large', bytes.message)
  }
  const given = parsed(bytes)
  if (given === undefined) return { ...refusal('bad_value', 'The body is no JSON.', { next }), status: 400 }
  const read = body.safeParse(given)
  if (!read.success) return refusal('bad_value', 'The body does not say what is asked for.', { next })
  if ('line' in read.data) {
    const typed = valuesOfLine(bot.registry, read.data.line)
    return typed.ok ? typed.value : ofLine(typed.refusal)
  }
  const { command: name, values = {} } = read.data
  const command = commandOfTool(bot.registry, name)
  if (command === undefined) return noSuchCommand(bot, name)
  const named = readNamedValues(command, values)
  return named.ok ? { command, values: named.value } : fieldRefusal(named.refusal)
}

/** What a command is for, with these values: one of them can stand for any endpoint of a service. */
export const kindWanted = ({ command, values }: BodyRequest): Command['kind'] => {
  if (command.kind !== 'switch') return command.kind
  const read = readValues(command, values)
  const chosen = read.ok && read.value.missing.length === 0 ? command.choose(read.value.input) : undefined
  return chosen?.ok ? chosen.value.kind : 'switch'
}

const parsed = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

const noSuchCommand = ({ registry }: Bot, name: string): Refusal => {
  const guess = didYouMean(
    name,
    registry.all.map((one) => one.name),
  )
  return refusal('unknown_command', `There is no command ${asTyped(name.slice(0, 60))}.`, {
    next: guess === undefined ? '/api/openapi.json lists them.' : `Did you mean ${guess}?`,
  })
}

/** Whoever sent a line reads about its flags. */
const ofLine = ({ code, message, next: then, field }: Refusal): CallProblem => ({
  code,
  message,
  next: then,
  ...(field === undefined ? {} : { field }),
})
