import { readFileSync } from 'node:fs'
import { createCommands } from '../../commands/index.ts'
import { readValues } from '../../src/kernel/command/line/parse.ts'
import { createReader } from '../../src/kernel/sayings/reader.ts'
import { createRandom, pick } from '../random.ts'
import { createFindings, type Fuzzed, type FuzzOptions } from './findings.ts'
import { character, mutateText } from './mutate.ts'

/** Sayings near to those of the corpus, their words in any order, and anything at all. Nothing that is read is a decision. */
export const fuzzSayings = async ({ cases, seed }: FuzzOptions): Promise<Fuzzed> => {
  const random = createRandom(seed)
  const registry = createCommands()
  const reader = createReader(registry, registry.language)
  const sayings = readFileSync(new URL('../../test/intent/corpus.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^[#=]/.test(line))
  const words = sayings.flatMap((line) => line.split(' '))
  const findings = createFindings('sayings')
  for (let at = 0; at < cases; at++) {
    const dice = random()
    const length = 1 + Math.floor(random() * 12)
    const saying =
      dice < 0.5
        ? mutateText(random, pick(random, sayings))
        : Array.from({ length }, () => (dice < 0.9 ? pick(random, words) : character(random))).join(' ')
    try {
      const { readings, social, move, isClear } = reader.read(saying, { mayRun: () => true, named: () => [] })
      const [first] = readings
      findings.count(
        social ?? move ?? (first === undefined ? 'nothing' : isClear ? 'one reading' : 'several'),
      )
      for (const { command, values } of readings) {
        if (command.kind === 'decision' && command.name !== 'approval remind')
          findings.violate(`${JSON.stringify(saying)} was read as ${command.name}`)
        readValues(command, values)
      }
    } catch (error) {
      findings.violate(`${JSON.stringify(saying)} threw ${(error as Error).stack}`)
    }
  }
  return findings.done(cases)
}
