import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createCommands } from '../commands/index.ts'
import { parseLine } from '../src/kernel/command/line/parse.ts'
import type { Bench, BenchOptions } from './bench.ts'
import { interleave, median, microseconds, ratioOf } from './measure.ts'

type CommandBus = {
  register(spec: object): void
  parse(text: string): { commandId: string; args: Record<string, unknown> } | null
  validate(id: string, args: Record<string, unknown>): Promise<{ ok: boolean }>
}

/** Hubot has no positional arguments: the words of our line are flags in its own. */
const ourLine = 'refund pay_1001 120 --refund-type refund --description "Charged twice"'
const theirLine =
  'refund --payment-id pay_1001 --amount 120 --refund-type refund --description "Charged twice"'

/** What people get wrong, in both spellings. */
const mistakes: { what: string; ours: string; theirs: string }[] = [
  pair('a flag that does not exist', '--reson "Charged twice"'),
  pair('a word too many', 'really'),
  pair('a flag without its value', '--description'),
  pair('a flag given twice', '--refund-type refund --refund-type refund_credit'),
  pair('a quote that is never closed', '--description "Charged twice'),
  pair('an amount with a comma', '', '12,50'),
  pair('an amount below nothing', '', '-120'),
  pair('a choice that does not exist', '--refund-type credit-card'),
]

/** Values that a person means and a parser may lose. */
const meant = [
  { ...pair('a value with a colon', '--description "order: 42"'), value: 'order: 42' },
  { ...pair('an em dash for --', '—description late'), value: 'late' },
  { ...pair('curly quotes', '--description “Charged twice”'), value: 'Charged twice' },
  { ...pair('--flag=value', '--description=late'), value: 'late' },
]

export const benchParse = async ({ scale }: BenchOptions): Promise<Bench> => {
  const registry = createCommands()
  const bus = await createBus()
  const ours = () => parseLine(registry, ourLine)
  const theirs = async () => {
    const parsed = bus.parse(theirLine)
    return bus.validate('refund', parsed?.args ?? {})
  }
  if (!ours().ok || !(await theirs()).ok) throw new Error('a line that is right was refused')
  const measured = await interleave(
    {
      ours: () => microseconds(ours, 200 * scale),
      theirs: () => microseconds(theirs, 200 * scale),
      theirParse: () => microseconds(() => bus.parse(theirLine), 200 * scale),
    },
    15,
  )
  const speed = ratioOf(measured.theirs, measured.ours)
  const caught = await Promise.all(
    mistakes.map(async ({ what, ours: line, theirs: other }) => {
      const refused = parseLine(registry, line)
      return [
        what,
        refused.ok ? 'LET THROUGH' : `refused: ${refused.refusal.code}`,
        await busVerdict(bus, other),
      ]
    }),
  )
  const kept = meant.map(({ what, ours: line, theirs: other, value }) => {
    const parsed = parseLine(registry, line)
    return [
      what,
      parsed.ok && has(parsed.value.input, value) ? 'understood' : 'LOST',
      has(bus.parse(other)?.args, value) ? 'understood' : 'lost',
    ]
  })
  const missed = caught.filter(([, verdict]) => verdict === 'LET THROUGH').length
  const lost = kept.filter(([, verdict]) => verdict === 'LOST').length
  return {
    title: 'Parse and validate a line',
    what: `\`${ourLine}\`, against Hubot 14's CommandBus on the same words, parse and validate.`,
    tables: [
      {
        head: ['', 'µs a line (median)', 'of which parse alone'],
        rows: [
          ['Bellhop', median(measured.ours).toFixed(2), 'one pass'],
          ['Hubot CommandBus', median(measured.theirs).toFixed(2), median(measured.theirParse).toFixed(2)],
        ],
      },
      { head: ['mistake or spelling', 'Bellhop', 'Hubot'], rows: [...caught, ...kept] },
    ],
    goals: [
      { goal: 'at least 1x', measured: `${speed.toFixed(2)}x`, isMet: speed >= 1 },
      {
        goal: 'every mistake caught, every spelling understood',
        measured: `${mistakes.length - missed} of ${mistakes.length}, ${meant.length - lost} of ${meant.length}`,
        isMet: missed + lost === 0,
      },
    ],
    notes: [],
    figures: { speed, microseconds: measured },
  }
}

function pair(what: string, tail: string, amount = '120') {
  return {
    what,
    ours: `refund pay_1001 ${amount} ${tail}`.trim(),
    theirs: `refund --payment-id pay_1001 --amount ${amount} ${tail}`.trim(),
  }
}

const has = (args: unknown, value: string): boolean =>
  Object.values((args ?? {}) as Record<string, unknown>).includes(value)

/** The package exports its robot alone; the bus is a file beside it. */
const createBus = async (): Promise<CommandBus> => {
  const main = createRequire(import.meta.url).resolve('hubot')
  const file = pathToFileURL(join(dirname(main), 'src', 'CommandBus.mjs')).href
  const { CommandBus } = (await import(file)) as {
    CommandBus: new (robot: object, options: object) => CommandBus
  }
  const bus = new CommandBus({ logger: {} }, {})
  bus.register({
    id: 'refund',
    args: {
      'payment-id': { type: 'string', required: true },
      amount: { type: 'number' },
      'refund-type': { type: 'enum', values: ['refund', 'refund_credit'] },
      description: { type: 'string' },
    },
    handler: () => undefined,
  })
  return bus
}

const busVerdict = async (bus: CommandBus, line: string): Promise<string> => {
  const parsed = bus.parse(line)
  if (parsed === null) return 'ignored'
  return (await bus.validate('refund', parsed.args)).ok ? 'let through' : 'refused'
}
