import { isDeepStrictEqual } from 'node:util'
import { createCommands } from '../../commands/index.ts'
import { parseLine } from '../../src/kernel/command/line/parse.ts'
import { commandLineOf } from '../../src/kernel/command/line/print.ts'
import { createRandom, pick } from '../random.ts'
import { createFindings, type Fuzzed, type FuzzOptions } from './findings.ts'
import { character, mutateText } from './mutate.ts'

/** Lines near to real ones and lines of anything. What is understood is printed, and must be understood the same again. */
export const fuzzParser = async ({ cases, seed }: FuzzOptions): Promise<Fuzzed> => {
  const random = createRandom(seed)
  const registry = createCommands()
  const examples = registry.all.flatMap((command) => command.examples)
  const flags = registry.all.flatMap(({ params }) => params.map(({ flag }) => `--${flag}`))
  const pieces = [
    '"',
    "'",
    '“',
    '”',
    '—',
    '--',
    '=',
    ',',
    '\\',
    '<mailto:a@b.c|a@b.c>',
    '<@U1>',
    '\u00a0',
    '1',
    '-1.5',
  ]
  const findings = createFindings('parser')
  for (let at = 0; at < cases; at++) {
    const dice = random()
    const line =
      dice < 0.5
        ? mutateText(random, pick(random, examples))
        : dice < 0.8
          ? [
              pick(random, registry.all).name,
              ...many(random, () => pick(random, [...flags, ...pieces, character(random)])),
            ].join(' ')
          : many(random, () => character(random)).join('')
    try {
      const parsed = parseLine(registry, line)
      if (!parsed.ok) {
        findings.count(parsed.refusal.code)
        if (parsed.refusal.message === '') findings.violate(`an empty refusal of ${JSON.stringify(line)}`)
        continue
      }
      const { command, input, missing } = parsed.value
      findings.count(missing.length > 0 ? 'asks for more' : 'understood')
      if (missing.length > 0) continue
      const printed = commandLineOf(command.name, command.params, input)
      const again = parseLine(registry, printed)
      if (!again.ok || !isDeepStrictEqual(again.value.input, input)) {
        findings.violate(
          `${JSON.stringify(line)} was printed as ${JSON.stringify(printed)} and read differently`,
        )
      }
    } catch (error) {
      findings.violate(`${JSON.stringify(line)} threw ${(error as Error).stack}`)
    }
  }
  return findings.done(cases)
}

const many = <T>(random: () => number, make: () => T): T[] =>
  Array.from({ length: Math.floor(random() * 14) }, make)
