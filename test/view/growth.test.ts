import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { coerce } from '../../src/kernel/command/line/coerce.ts'
import { openLine } from '../../src/kernel/command/line/parse.ts'
import { type Param, paramsOf } from '../../src/kernel/command/params.ts'
import { CsvError } from '../../src/lib/codecs/csv.ts'
import { facts, note, text } from '../../src/lib/view/view.ts'
import { commandsWith } from '../harness/commands.ts'

/** Everything that reads, cleans or escapes what people and services write. */
const modules = [
  ...readdirSync('src/kernel/command/line').map((file) => `src/kernel/command/line/${file}`),
  'src/lib/view/visible.ts',
  'src/lib/view/cut.ts',
  'src/lib/view/text.ts',
  'src/lib/view/did-you-mean.ts',
  'src/lib/view/record-facts.ts',
  'src/kernel/policy/pattern.ts',
  'src/lib/codecs/duration.ts',
  'src/lib/codecs/csv.ts',
  'src/lib/codecs/canonical-json.ts',
  'src/lib/services/endpoints/routes.ts',
  'adapters/discord/render/escape.ts',
  'adapters/discord/protocol/custom-id.ts',
  'adapters/slack/render/text.ts',
  'adapters/slack/render/plain-text.ts',
  'src/kernel/command/id.ts',
]

const registry = commandsWith()
const [anyParam] = paramsOf(z.object({ value: z.string().describe('Value') }))
const paramOf = (type: Param['type']): Param => ({
  ...(anyParam as Param),
  type,
  choices: ['one', 'end_of_term'],
  aliases: { eot: 'end_of_term' },
})
type Fn = (...args: unknown[]) => unknown
const view = (words: string) => ({
  title: words,
  tone: 'plain' as const,
  blocks: [facts({ [words]: words }), note('warn', words), text(words)],
})
const longest = 1_000_000

/** How a function is called with a text, where that is not its only argument. `false`: no text from outside reaches it. */
const calls: Record<string, false | ((fn: Fn, words: string) => unknown)> = {
  coerce: (fn, words) =>
    (['text', 'date', 'integer', 'number', 'boolean', 'choice', 'list', 'json'] as const).map((type) =>
      (fn as typeof coerce)(paramOf(type), words),
    ),
  cannotBe: (fn, words) => fn(paramOf('text'), words),
  itemsOf: (fn, words) => [
    fn({ text: words, quoted: true }),
    fn({ text: words, quoted: false }),
    fn({ text: words, quoted: true, hasQuotedItems: true }),
  ],
  structuredIn: (fn, words) => {
    const at = fn(words) as (start: number) => unknown
    // As the lexer does: what was found is passed over.
    for (let start = 0; start < words.length; start++)
      start = (at(start) as { end: number } | undefined)?.end ?? start
  },
  openLine: (fn, words) => fn(registry, words),
  commandOfLine: (fn, words) => fn(registry, words),
  valuesIn: (fn, words) => fn(openLine(registry, `audit find ${words}`)),
  helpLineOf: (fn, words) => fn(registry, openLine(registry, `audit find ${words}`)),
  helpLineOfValues: (fn, words) => fn('audit find', { who: words }),
  valuesOfLine: (fn, words) => fn(registry, `audit find ${words}`),
  parseLine: (fn, words) => fn(registry, `audit find ${words}`),
  wholeLine: (fn, words) => fn(registry, `audit find ${words}`),
  readValues: (fn, words) =>
    fn(registry.get('campaign send'), { campaign: words, to: words, subject: words }),
  paramNamed: (fn, words) => fn(registry.get('campaign send'), words),
  lineFor: (fn, words) =>
    fn({ name: 'x', input: z.object({ value: z.string().describe('Value') }) }, { value: words }),
  commandLineOf: (fn, words) => [
    fn('x', [paramOf('text')], { value: words }),
    fn('x', [paramOf('list')], { value: words.split(' ') }),
  ],
  valueTextOf: (fn, words) => [fn(paramOf('text'), words), fn(paramOf('list'), words.split(' '))],
  toTextFile: (fn, words) =>
    fn({ name: words.slice(0, 100), bytes: new TextEncoder().encode(words) }, 'file'),
  cutText: (fn, words) => [fn(words, 100), fn(words, longest)],
  cutMiddle: (fn, words) => [fn(words, 100), fn(words, longest)],
  cutName: (fn, words) => [fn(words, 100), fn(words, longest)],
  cutBlocks: (fn, words) => [fn(view(words).blocks, 100), fn(view(words).blocks, longest)],
  textOfView: (fn, words) => fn(view(words)),
  textOfBlock: (fn, words) => view(words).blocks.map((block) => fn(block)),
  requestWords: (fn, words) => fn({ needs: [words], facts: [{ label: words, value: words }] }),
  didYouMean: (fn, words) => fn(words, ['campaign send', 'refund']),
  openFacts: (fn, words) => fn({ [words]: words }),
  isMatch: (fn, words) => fn(words, words),
  isAnyMatch: (fn, words) => fn([words], [words]),
  readCsv: (fn, words) => {
    try {
      return [...(fn(words) as Iterable<unknown>)]
    } catch (error) {
      return error instanceof CsvError
    }
  },
  csvLine: (fn, words) => fn([words]),
  rowFor: (fn, words) => fn('billing', 'GET', `/${words}`),
  escapeOneLineWithin: (fn, words) => [fn(words, 100), fn(words, longest)],
  clipText: (fn, words) => [fn(words, 100), fn(words, longest)],
  truncate: (fn, words) => [fn(words, 100), fn(words, longest)],
  ellipsize: (fn, words) => [fn(words, 100), fn(words, longest)],
  splitText: (fn, words) => fn(words, 3_000),
  plainTextOf: (fn, words) => fn(view(words)),
  plainTextOfBlock: (fn, words) => view(words).blocks.map((block) => fn(block)),
  idOf: (fn, words) => (fn('the id') as { safeParse: Fn }).safeParse(words),
  codeOf: (fn, words) => (fn('the code') as { safeParse: Fn }).safeParse(words),
  isRawFile: false,
  missingRefusal: false,
  givenTwice: false,
  usageOf: false,
  hintOf: false,
  progressBar: false,
  sharesOf: false,
  ageOf: false,
  printDuration: false,
  buttonId: false,
  openFormId: false,
  formModalId: false,
  reasonModalId: false,
}

/** What means something to one of them, and some that means nothing. */
const alphabet = [
  ...' \n\r\t,;:.=-—–_/\\|%+*#&@!?<>[]{}()"“”„\'‘’`~^aZ09',
  ...[
    '<@',
    '<mailto:a',
    '<http://a|',
    '--a',
    '--a=',
    '[U+',
    '\u200b',
    '\u200d',
    '\u202e',
    '\ufe0f',
    '\u0301',
    'é',
    '😀',
    '\ud83d',
  ],
]
const units = fc
  .array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''))

const small = 600
const times = 16
/** What this thread has worked, whatever else the machine does. */
const msOf = (work: () => unknown): number => {
  const before = process.threadCpuUsage()
  work()
  return process.threadCpuUsage(before).user / 1_000
}

/**
 * A long text against as much text in short ones: 1 if the work is in proportion, 16 if it grows with the square. The
 * shortest of several turns counts, and the two take turns, so that what else the machine does hardly matters.
 */
const growthOf = (read: (words: string) => unknown, unit: string): number => {
  const textOf = (length: number) => `x${unit.repeat(Math.ceil(length / unit.length))}x`
  const [few, many] = [textOf(small), textOf(small * times)]
  // With the square of 10,000 characters nothing is done within this time.
  if (msOf(() => read(many)) < 8) return 1
  const turns = Array.from({ length: 4 }, () => ({
    long: msOf(() => read(many)),
    short: msOf(() => {
      for (let at = 0; at < times; at++) read(few)
    }),
  }))
  return Math.min(...turns.map(({ long }) => long)) / Math.min(...turns.map(({ short }) => short))
}

const found = await Promise.all(
  modules.map(async (file) => {
    const exported = (await import(/* @vite-ignore */ join(process.cwd(), file))) as Record<string, unknown>
    return Object.entries(exported).flatMap(([name, value]) =>
      typeof value === 'function' && calls[name] !== false && !/^class/.test(String(value))
        ? [{ file, name, value: value as Fn }]
        : [],
    )
  }),
)

describe('the work is in proportion to the text', () => {
  test.each(found.flat())('of $name in $file', ({ name, value }) => {
    const call = calls[name] || ((fn: Fn, words: string) => fn(words))
    const read = (words: string) => call(value, words)
    expect(() => read('a'), `say in this test how ${name} is called with a text`).not.toThrow()
    fc.assert(
      fc.property(units, (unit) => {
        // Measured anew before it is believed.
        const isLinear = [1, 2, 3, 4].some(() => growthOf(read, unit) < 8)
        expect(isLinear, JSON.stringify(unit)).toBe(true)
      }),
      {
        numRuns: 30,
        endOnFailure: true,
        examples: ['[ " ', '" ', '"a" , ', '[ \\" ', '["a ', '1', ' ', '\n', '\u200d', '< '].map((unit) => [
          unit,
        ]),
      },
    )
  })
})
