import fc from 'fast-check'
import type { z } from 'zod'
import type { Command } from '../../src/kernel/command/define.ts'
import { unseenInWord } from '../../src/kernel/command/line/coerce.ts'
import { parseLine } from '../../src/kernel/command/line/parse.ts'
import { besideParams, type Param } from '../../src/kernel/command/params.ts'
import type { Registry } from '../../src/kernel/command/registry.ts'
import { anyText } from '../harness/any-text.ts'

type Input = Record<string, unknown>

/** Those that the command's own schema has: when to carry a change out is none of them. */
export const ownParams = ({ params }: Command): readonly Param[] =>
  params.filter((param) => !besideParams.includes(param))

/** Any input that the command's schema takes, made from its parameters. */
export const inputOf = (registry: Registry, command: Command): fc.Arbitrary<Input> => {
  const shown = command.examples.map((line) => {
    const parsed = parseLine(registry, line, fileFor(line))
    if (!parsed.ok) throw new Error(`${line}: ${parsed.refusal.message}`)
    return parsed.value.input
  })
  const fields = Object.fromEntries(
    ownParams(command).map((param) => [param.name, fieldOf(command, param, shown)] as const),
  )
  const requiredKeys = command.params.filter(({ required }) => required).map(({ name }) => name)
  const { oneOf = [] } = command
  return fc
    .tuple(
      fc.record(fields, { requiredKeys, noNullPrototype: true }),
      fc.constantFrom(undefined, ...oneOf),
      fc.record(fields),
    )
    .filter(([, one]) => one !== undefined || oneOf.length === 0)
    .map(([input, one, whole]) => withOne(input, oneOf, one, whole))
    .map((input) => command.input.safeParse(input))
    .filter(({ success }) => success)
    .map(({ data }) => definedIn(data as Input))
}

/** Where one of several is needed, exactly that one. */
const withOne = (input: Input, oneOf: readonly string[], one: string | undefined, whole: Input): Input =>
  one === undefined
    ? input
    : {
        ...Object.fromEntries(Object.entries(input).filter(([name]) => !oneOf.includes(name))),
        [one]: whole[one],
      }

const people = { name: 'people.csv', text: 'email,first name\nada@example.com,Ada\n' }

/** What somebody would attach to a line that names a file. */
export const fileFor = (line: string) =>
  line.includes('--file ') ? { name: people.name, bytes: Buffer.from(people.text) } : undefined

const definedIn = (input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined))

/** What the parameter's own schema takes; values of the examples make sure that there is some. */
const fieldOf = (command: Command, param: Param, shown: readonly Input[]): fc.Arbitrary<unknown> => {
  const schema = command.input.shape[param.name] as z.ZodType
  const good = [...shown.map((input) => input[param.name]), ...(known[param.name] ?? [])].filter(
    (value) => value !== undefined && schema.safeParse(value).success,
  )
  const tried = anyOf(param).filter((value) => schema.safeParse(value).success)
  const hits = fc.sample(anyOf(param), 200).filter((value) => schema.safeParse(value).success)
  if (hits.length === 0 && good.length === 0) throw new Error(`no value of ${param.name} is known here`)
  if (hits.length < 20 && good.length > 0) return fc.constantFrom(...good)
  return good.length === 0 ? tried : fc.oneof(tried, fc.constantFrom(...good))
}

const anyOf = (param: Param): fc.Arbitrary<unknown> => {
  switch (param.type) {
    case 'text':
    case 'date':
      return words
    case 'amount':
      return fc.tuple(fc.nat(), fc.constantFrom('', ' USD', ' €')).map((parts) => parts.join(''))
    case 'integer':
      return fc.oneof(fc.integer(), fc.integer({ min: param.min ?? 0, max: param.max ?? 1_000 }))
    case 'number':
      return fc.integer({ min: -1e13, max: 1e13 }).map((thousandths) => thousandths / 1_000)
    case 'boolean':
      return fc.boolean()
    case 'choice':
      return fc.constantFrom(...param.choices)
    case 'list':
      // A list of nothing but one empty item cannot be told from an empty list in text.
      return fc.array(words, { maxLength: 4 }).filter((list) => list.length !== 1 || list[0] !== '')
    case 'file':
      return fc.constant(people)
    case 'json':
      return fc.oneof(plainJson, fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), plainJson))
  }
}

/** Text that people write, text that means something to the parser, and any other text. */
const words = fc
  .oneof(
    anyText({ maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      '--flag',
      '—flag',
      '-5',
      '“curly”',
      '<@U1>',
      '<mailto:a@b.c|a@b.c>',
      'a, b',
      'x=y',
      '\\',
      '"',
    ),
    fc.stringMatching(/^[a-z]{1,8} [a-z]{1,8}$/),
    fc.stringMatching(/^[a-z0-9_]{1,12}$/),
  )
  .filter((text) => unseenInWord(text) === undefined)

const plainJson = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)

/** Values that no chance would find. */
const known: Record<string, unknown[]> = {
  attachments: [
    [{ filename: 'a, b.pdf', url: 'https://x.io/a' }],
    [{ filename: '“x”.pdf', url: 'https://x.io/b' }],
  ],
  attributes: [{ city: 'Lund, "Sweden"' }, [{ name: 'note', value: '<b> \\ “x”' }]],
  contact: [{ firstName: 'Ada' }, '64b000000000000000000001'],
  senderEmail: ['ada@example.com'],
  month: ['2026-10'],
  include: [['unsubscribed'], ['bounced', 'suppressed']],
  sections: [[{ title: 'Mugs & “bowls”', products: ['sku-1'] }]],
  addons: ['add_1:2,add_2:1', '[{"id": "add_1", "quantity": 2}]'],
  link: ['https://x.io/a?b=1,2&c=%20#d'],
  to: ['+46 70 123 45 67', '15550110000'],
  mobile: ['+4670123456'],
  card: ['4242', '0005'],
  since: ['24h', '2026-01-31', '7d'],
  until: ['30s', '2026-01-31', '7d'],
}
