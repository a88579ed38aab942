import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createCommands } from '../../commands/index.ts'
import { answer } from '../../src/kernel/command/answer.ts'
import { type Definition, defineQuery, type QuerySpec } from '../../src/kernel/command/define.ts'
import { usageOf } from '../../src/kernel/command/line/usage.ts'
import type { InputSchema } from '../../src/kernel/command/params.ts'
import { createRegistry, readAll, withUsageForExamples } from '../../src/kernel/command/registry.ts'
import { didYouMean } from '../../src/lib/view/did-you-mean.ts'

const query = (over: Partial<QuerySpec<InputSchema>>): Definition =>
  defineQuery({
    name: 'tea brew',
    summary: 'Brew a pot of tea',
    area: 'bellhop',
    input: z.object({}),
    examples: ['tea brew'],
    uses: [],
    run: async () => answer({ title: 'Tea', tone: 'plain', blocks: [] }),
    ...over,
  })

describe('a bad definition dies at creation', () => {
  const text = z.string().describe('Some text')
  it.each<[string, Definition[], RegExp]>([
    ['a name with capitals', [query({ name: 'Tea' })], /lower-case/],
    ['a name of three words', [query({ name: 'tea brew now' })], /one or two/],
    ['a name taken twice', [query({}), query({})], /"tea brew" is defined twice/],
    ['a command that is also a noun', [query({}), query({ name: 'tea' })], /"tea" cannot be both/],
    ['a summary that says nothing', [query({ summary: 'Tea' })], /summary/],
    ['a summary over the limit of a platform', [query({ summary: 'x'.repeat(101) })], /summary/],
    [
      'a parameter without a description',
      [query({ input: z.object({ cups: z.string() }) })],
      /"tea brew": parameter "cups" has no description/,
    ],
    [
      'a description over the limit of a platform',
      [query({ input: z.object({ cups: z.string().describe('x'.repeat(101)) }) })],
      /description of cups/,
    ],
    [
      'a parameter of a type that nobody can type',
      [query({ input: z.object({ cups: z.object({ a: text }).describe('Cups') }) })],
      /"cups" has a type/,
    ],
    [
      'a positional parameter that is not there',
      [query({ input: z.object({ cups: text }), positional: ['pots'] })],
      /positional "pots" is not in the input/,
    ],
    [
      'a required positional parameter behind an optional one',
      [
        query({
          input: z.object({ cups: text.optional().describe('Cups'), pots: text }),
          positional: ['cups', 'pots'],
        }),
      ],
      /cannot follow an optional one/,
    ],
  ])('%s', (_, definitions, problem) => {
    expect(() => readAll(createRegistry(definitions))).toThrow(problem)
  })
})

it('a registry finds commands by name and by noun', () => {
  const registry = createRegistry([query({}), query({ name: 'tea pour' }), query({ name: 'toast' })])
  expect(registry.get('tea pour')?.name).toBe('tea pour')
  expect(registry.get('tea')).toBeUndefined()
  expect(registry.under('tea').map(({ name }) => name)).toEqual(['tea brew', 'tea pour'])
  expect(registry.nouns).toEqual(['tea', 'toast'])
})

it('a usage line shows what is required, what may be left out, and what fits', () => {
  const [command] = createRegistry([
    query({
      input: z.object({
        kind: z.string().describe('Kind'),
        cups: z.int().optional().describe('Cups'),
        milk: z.boolean().describe('Milk'),
        sugar: z.enum(['none', 'some']).optional().describe('Sugar'),
        with: z.array(z.string()).optional().describe('With'),
        notes: z.json().optional().describe('Notes').meta({ json: true }),
        day: z.iso.date().optional().describe('Day'),
      }),
      positional: ['kind', 'cups'],
    }),
  ]).all
  expect(command && usageOf(command)).toBe(
    'tea brew <kind> [cups] --milk yes|no [--sugar none|some] [--with a,b] [--notes json] [--day yyyy-mm-dd]',
  )
})

it.each([
  ['refnud', 'refund'],
  ['sub', 'subscriber'],
  ['REFUND', 'refund'],
  ['upgarde', 'upgrade'],
  ['x', undefined],
  ['somethingelse', undefined],
])('the nearest word to %s is %s', (typed, meant) => {
  expect(didYouMean(typed, ['refund', 'subscriber', 'upgrade', 'downgrade'])).toBe(meant)
})

it('with real services an example names no id that somebody made up', () => {
  const made = createCommands()
  const real = withUsageForExamples(made)
  const ids = /\b(pay|cus|sub|plan|prod|cmp|lst|lic|add)_\w+|@example\.com/
  const speaksOf = ({ all }: typeof made) =>
    all.filter(({ examples }) => examples.some((one) => ids.test(one))).map(({ name }) => name)
  expect(speaksOf(made)).toContain('refund')
  expect(speaksOf(real)).toEqual([])
  expect(real.all.map(({ name }) => name)).toEqual(made.all.map(({ name }) => name))
})

it('what is read of a command is read once, also by way of a registry that was made from another', () => {
  const registry = withUsageForExamples(createCommands())
  for (const command of registry.all) {
    expect(command.params).toBe(command.params)
    expect(command.examples).toBe(command.examples)
  }
})
