import { type Thing, thing } from '../src/lib/view/thing.ts'
import { corpus, reader } from '../test/intent/corpus.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { interleave, median, ratioOf } from './measure.ts'

/** Sayings of the tests' corpus, read with few names in memory and with many. */
export const benchSayings = async ({ scale }: BenchOptions): Promise<Bench> => {
  const measured = await interleave(
    { few: readAll(namesOf(3), 20 * scale), many: readAll(namesOf(100_000), 20 * scale) },
    15,
  )
  const perSecond = 1e6 / median(measured.few)
  const slower = ratioOf(measured.many, measured.few)
  return {
    title: 'Read a saying',
    what: `${corpus.length} sayings of test/intent/corpus.txt in turn, with 3 and with 100,000 names of lists in memory. Processor time, so that a busy machine counts less.`,
    tables: [
      {
        head: ['names in memory', 'µs a saying (median)', 'a second on one core'],
        rows: [
          ['3', median(measured.few).toFixed(1), Math.round(perSecond).toLocaleString('en')],
          [
            '100,000',
            median(measured.many).toFixed(1),
            Math.round(1e6 / median(measured.many)).toLocaleString('en'),
          ],
        ],
      },
    ],
    goals: [
      {
        goal: 'at least 10,000 a second',
        measured: Math.round(perSecond).toLocaleString('en'),
        isMet: perSecond >= 10_000,
      },
      { goal: 'at most 1.2x with 100,000 names', measured: `${slower.toFixed(2)}x`, isMet: slower <= 1.2 },
    ],
    notes: [],
    figures: { perSecond, slower, microseconds: measured },
  }
}

const namesOf = (many: number): ReadonlyMap<string, Thing[]> =>
  new Map(
    Array.from({ length: many }, (_, at) => {
      const name = `list of customers ${at}`
      return [name, [thing('list', `lst_${at}`, { name })].flatMap((one) => one ?? [])] as const
    }),
  )

/** Microseconds of processor time for one saying, over so many passes. */
const readAll = (names: ReadonlyMap<string, Thing[]>, passes: number) => () => {
  const surroundings = {
    mayRun: () => true,
    named: (words: string) => names.get(words.toLowerCase()) ?? [],
  }
  const before = process.cpuUsage()
  for (let pass = 0; pass < passes; pass++) {
    for (const [saying] of corpus) reader.read(saying, surroundings)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (passes * corpus.length)
}
