import { z } from 'zod'
import type { Command } from '../../src/kernel/command/define.ts'
import type { Raw } from '../../src/kernel/command/line/coerce.ts'
import { givenTwice, paramNamed } from '../../src/kernel/command/line/parse.ts'
import type { Param } from '../../src/kernel/command/params.ts'
import { defined } from '../../src/lib/defined.ts'
import { no, ok, type Result } from '../../src/lib/result.ts'
import { refusal } from '../../src/lib/view/refusals.ts'
import { callParams } from './tools.ts'

/** What a call asks for, and how it wants to be answered. */
export type Call = { values: Record<string, Raw>; waitSeconds: number; requestKey: string | undefined }

const file = z.object({ name: z.string().max(200), content: z.string() })

export const readCallArguments = (command: Command, given: Record<string, unknown>): Result<Call> => {
  const { wait_seconds: wait, request_key: key, ...rest } = given
  const isChange = command.kind !== 'query'
  if (!isChange && (wait !== undefined || key !== undefined)) {
    return no(
      refusal('unknown_field', `${command.name} is a look-up: it takes no wait_seconds and no request_key.`),
    )
  }
  const waitSeconds = readWait(wait)
  if (!waitSeconds.ok) return waitSeconds
  const { maxLength } = callParams.request_key
  if (key !== undefined && (typeof key !== 'string' || key === '' || key.length > maxLength)) {
    return bad('request_key', `a text of 1 to ${maxLength} characters`)
  }
  const values = readNamedValues(command, rest)
  if (!values.ok) return values
  return ok({
    values: values.value,
    waitSeconds: waitSeconds.value,
    requestKey: key as string | undefined,
  })
}

/** Names are taken as the schema writes them, as flags, and as the definition has them. */
export const readNamedValues = (
  command: Command,
  given: Record<string, unknown>,
): Result<Record<string, Raw>> => {
  const values = new Map<string, Raw>()
  for (const [name, value] of Object.entries(given)) {
    const param = paramNamed(command, name)
    if (param !== undefined && values.has(param.name)) return no(givenTwice(command, param))
    if (value === null) {
      const next = 'Leave it out, or give a value.'
      return no(refusal('bad_value', nullWords(name), { next, ...defined({ field: param?.name }) }))
    }
    const read = param === undefined ? ok(String(value)) : readValue(param, value)
    if (!read.ok) return read
    // A name that the command does not have is refused where every other messenger's is.
    values.set(param?.name ?? name, read.value)
  }
  return ok(Object.fromEntries(values))
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
  return read.success ? ok(read.data) : bad('wait_seconds', `a whole number from ${minimum} to ${maximum}`)
}

const readValue = ({ name, type }: Param, value: unknown): Result<Raw> => {
  if (type === 'json') return ok(typeof value === 'string' ? value : JSON.stringify(value))
  if (type === 'file') {
    const read = file.safeParse(value)
    return read.success
      ? ok({ name: read.data.name, bytes: Buffer.from(read.data.content) })
      : bad(name, '{ name, content }, the content as text')
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return ok(value)
  if (type === 'list' && Array.isArray(value) && value.every(isWord)) return ok(value.map(String))
  return bad(name, type === 'list' ? 'a list of texts' : 'one value')
}

const bad = (field: string, takes: string) =>
  no(refusal('bad_value', (as) => `${as.name(field)} takes ${takes}.`, { field }))

const isWord = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
