import { describe, expect, it } from 'vitest'
import { safeParse, type z } from 'zod'
import { readValues } from '../../src/kernel/command/line/parse.ts'
import { commandsWith } from '../harness/commands.ts'

/** Kinds whose records a service finds by an id of its own making. */
const kinds = new Set([
  'campaign',
  'subscriber',
  'list',
  'contact',
  'payment',
  'customer',
  'subscription',
  'plan',
  'product',
  'add-on',
  'multiplan',
  'license',
])

const ids = commandsWith().all.flatMap((command) =>
  command.params
    .filter(
      ({ kinds: own, name, description }) =>
        own.some((kind) => kinds.has(kind)) && /\bids?\b/i.test(`${name} ${description}`),
    )
    .map((param) => ({ command, param, name: `${param.flag} of ${command.name}` })),
)

/** A contact's id is a number of its own form; a list of ids takes one too. */
const sampleOf = (of: readonly string[]) =>
  of.includes('contact') ? '64b0000000000000000000a1' : 'rec_7-x.9'

describe.each(ids)('$name', ({ command, param }) => {
  const read = (typed: string): unknown => {
    const { [param.name]: schema } = command.input.shape
    const parsed = safeParse(schema as z.core.$ZodType, param.type === 'list' ? [typed] : typed)
    return parsed.success ? parsed.data : undefined
  }
  const id = sampleOf(param.kinds)
  const plain = param.type === 'list' ? [id] : id

  it('is one id, whether it is encoded or has a slash behind it', () => {
    const encoded = `${id.slice(0, -1)}%${id.charCodeAt(id.length - 1).toString(16)}`
    expect([id, `${id}/`, ` ${id}`, encoded].map(read)).toEqual([plain, plain, plain, plain])
  })

  it('is refused with a character in it that nobody sees', () => {
    const refused = readValues(command, { [param.name]: `${id.slice(0, 3)}\u200b${id.slice(3)}` })
    expect(refused).toMatchObject({ ok: false, refusal: { field: param.name } })
    expect(read(`${id.slice(0, 3)}\u202e${id.slice(3)}`)).toBeUndefined()
  })
})

it('every service, and the bot itself, has ids among them', () => {
  expect(new Set(ids.map(({ command }) => ('area' in command ? command.area : '')))).toEqual(
    new Set(['bellhop', 'email', 'chat', 'billing']),
  )
})
