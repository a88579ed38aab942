import { z } from 'zod'
import type { Command } from '../../src/command/define.ts'
import type { Raw } from '../../src/command/line/coerce.ts'
import type { Param } from '../../src/command/params.ts'
import { no, ok, type Result } from '../../src/model/result.ts'
import { refusal } from '../../src/view/refusals.ts'
import { callParams, keyOf } from './tools.ts'

/** What a call asks for, and how it wants to be answered. */
export type Call = { values: Record<string, Raw>; waitSeconds: number; requestKey: string | undefined }

const file = z.object({ name: z.string().max(200), content: z.string() })

/** Names are taken as the schema writes them, as flags, and as the definition has them. */
export const readCallArguments = (command: Command, given: Record<string, unknown>): Result<Call> => {
  const { wait_seconds: wait, request_key: key, ...rest } = given
  const isChange = command.kind !== 'query'
  if (!isChange && (wait !== undefined || key !== undefined)) {
    return no(refusal('unknown_flag', `${command.name} is a look-up: it takes neither a wait nor a key.`))
  }
  const waitSeconds = readWait(wait)
  if (!waitSeconds.ok) return waitSeconds
  const { maxLength } = callParams.request_key
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > maxLength)) {
    return no(refusal('bad_value', `request_key takes a text of 1 to ${maxLength} characters.`))
  }
  const values: Record<string, Raw> = {}
  for (const [name, value] of Object.entries(rest)) {
    const param = command.params.find((one) => [keyOf(one), one.flag, one.name].includes(name))
    if (value === null)
      return no(refusal('bad_value', nullWords(name), { next: 'Leave it out, or give a value.' }))
    const read = param === undefined ? ok(String(value)) : readValue(param, value)
    if (!read.ok) return read
    // A name that the command does not have is refused where every other messenger's is.
    values[param?.name ?? name] = read.value
  }
  return ok({ values, waitSeconds: waitSeconds.value, requestKey: key as string | undefined })
}

const nullWords = (name: string): string =>
  `${name.slice(0, 60)} is null, which says neither a value nor that there is none.`

export const readWait = (given: unknown): Result<number> => {
  const { minimum, maximum } = callParams.wait_seconds
  const read = z
    .int()
    .min(minimum)
    .max(maximum)
    .safeParse(given ?? 0)
  return read.success
    ? ok(read.data)
    : no(refusal('bad_value', `wait_seconds takes a whole number from ${minimum} to ${maximum}.`))
}

const readValue = (param: Param, value: unknown): Result<Raw> => {
  if (param.type === 'json') return ok(typeof value === 'string' ? value : JSON.stringify(value))
  if (param.type === 'file') {
    const read = file.safeParse(value)
    return read.success
      ? ok({ name: read.data.name, bytes: Buffer.from(read.data.content) })
      : no(refusal('bad_value', `${keyOf(param)} takes { name, content }, the content as text.`))
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return ok(value)
  if (param.type === 'list' && Array.isArray(value) && value.every(isWord)) return ok(value.map(String))
  return no(
    refusal('bad_value', `${keyOf(param)} takes ${param.type === 'list' ? 'a list of texts' : 'one value'}.`),
  )
}

const isWord = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
