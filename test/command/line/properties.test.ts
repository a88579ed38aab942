import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseLine } from '../../../src/kernel/command/line/parse.ts'
import { commandLineOf } from '../../../src/kernel/command/line/print.ts'
import { refusals } from '../../../src/lib/view/refusals.ts'
import { plainWords } from '../../../src/lib/view/words.ts'
import { anyText } from '../../harness/any-text.ts'
import { commandsWith } from '../../harness/commands.ts'
import { fileFor, inputOf, ownParams } from '../inputs.ts'

const registry = commandsWith()

describe('any valid input printed as a line and parsed again is the same input', () => {
  it.each(registry.all.map((command) => [command.name, command] as const))('of %s', (_, command) => {
    const given = new Set<string>()
    fc.assert(
      fc.property(inputOf(registry, command), (input) => {
        const line = commandLineOf(command.name, command.params, input)
        const parsed = parseLine(registry, line, 'file' in input ? fileFor('--file ') : undefined)
        expect(parsed).toMatchObject({ ok: true, value: { command: { name: command.name }, missing: [] } })
        expect(parsed.ok && parsed.value.input).toEqual(input)
        for (const name of Object.keys(input)) given.add(name)
      }),
      { numRuns: 100 },
    )
    expect([...given].sort()).toEqual(
      ownParams(command)
        .map(({ name }) => name)
        .sort(),
    )
  })
})

const anyWord = fc.oneof(
  anyText(),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    '"',
    '“',
    '--',
    '—',
    '--=',
    '--a=',
    '<',
    '<@',
    '<mailto:',
    '\\',
    "'",
    ',',
    '/',
    '\0',
    '\u{d800}',
  ),
  fc.constantFrom(
    ...registry.all.flatMap(({ name, params }) => [name, ...params.map(({ flag }) => `--${flag}`)]),
  ),
)

it('whatever is typed is either understood or refused with what to do next, and never throws', () => {
  fc.assert(
    fc.property(fc.array(anyWord, { maxLength: 8 }), fc.constantFrom('', ' ', '\u00a0'), (words, space) => {
      const parsed = parseLine(registry, words.join(space))
      if (parsed.ok) {
        expect(registry.all).toContain(parsed.value.command)
        return
      }
      expect(Object.keys(refusals)).toContain(parsed.refusal.code)
      expect(parsed.refusal.message.trim()).not.toBe('')
      expect(plainWords(parsed.refusal.next).trim()).not.toBe('')
    }),
    { numRuns: 1_000 },
  )
})

describe('nothing that is typed is dropped', () => {
  const typedFor = (flags: readonly string[]) =>
    fc.array(
      fc.record({
        flag: fc.option(fc.constantFrom(...flags, 'no-such-flag')),
        value: fc.option(fc.integer({ min: 1_000_000, max: 9_999_999 }).map((n) => `zq${n}`)),
      }),
      { maxLength: 6 },
    )

  it.each(registry.all.map((command) => [command.name, command] as const))('by %s', (_, command) => {
    const flags = command.params.map(({ flag }) => flag)
    fc.assert(
      fc.property(typedFor(flags), (typed) => {
        const parts = typed.flatMap(({ flag, value }) => [
          ...(flag === null ? [] : [`--${flag}`]),
          ...(value === null ? [] : [value]),
        ])
        const parsed = parseLine(registry, [command.name, ...parts].join(' '))
        if (parsed.ok) {
          const kept = JSON.stringify(parsed.value.given)
          for (const { value } of typed) if (value !== null) expect(kept).toContain(value)
          const names = Object.keys(parsed.value.given)
          for (const { flag } of typed) {
            if (flag !== null) expect(names).toContain(command.params.find((one) => one.flag === flag)?.name)
          }
          return
        }
        const { message, field } = parsed.refusal
        const named = [...parts.map((part) => part.replace(/^--/, '')), field ?? message]
        expect(named.some((part) => message.includes(part) || part === field)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
