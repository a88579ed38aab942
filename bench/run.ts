import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { circumstances, markdownTable, plainTable, runOf, writeSection } from '../prove/report.ts'
import type { Bench, BenchOptions, Goal } from './bench.ts'

const benches: Record<string, () => Promise<(options: BenchOptions) => Promise<Bench>>> = {
  approvals: async () => (await import('./approvals.ts')).benchApprovals,
  storage: async () => (await import('./storage.ts')).benchStorage,
  log: async () => (await import('./log.ts')).benchLog,
  'ack-slack': async () => (await import('./ack-slack.ts')).benchAckSlack,
  'ack-discord': async () => (await import('./ack-discord.ts')).benchAckDiscord,
  'end-to-end': async () => (await import('./end-to-end.ts')).benchEndToEnd,
  budget: async () => (await import('./budget.ts')).benchBudget,
  large: async () => (await import('./large.ts')).benchLarge,
  'one-database': async () => (await import('./one-database.ts')).benchOneDatabase,
  'same-job': async () => (await import('./same-job.ts')).benchSameJob,
  profile: async () => (await import('./profile.ts')).benchProfile,
  start: async () => (await import('./start.ts')).benchStart,
  render: async () => (await import('./render.ts')).benchRender,
  parse: async () => (await import('./parse.ts')).benchParse,
  sayings: async () => (await import('./sayings.ts')).benchSayings,
  replay: async () => (await import('./replay.ts')).benchReplay,
  bulk: async () => (await import('./bulk.ts')).benchBulk,
}

const intro = `# Benchmarks

Written by \`npm run bench\`: what was measured, its goals, the figures, the commit, and the command that repeats it. Contenders run in turn, round by round, in one run on one machine; figures are medians of
the rounds, and a ratio is the median of the rounds' own ratios. Compare ratios, not figures of different machines. Whole tables are printed and kept in \`bench/results/\`.
`

/** `npm run bench [-- parse storage] [--scale 0.2] [--beside ../older] [--no-docs]` */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    scale: { type: 'string', default: '1' },
    beside: { type: 'string' },
    docs: { type: 'boolean', default: true },
  },
})
const unknown = positionals.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`there is no bench called ${unknown.join(', ')}, only ${Object.keys(benches).join(', ')}`)
  process.exit(2)
}
const scale = Number(values.scale)
const summary: string[][] = []
for (const name of positionals.length > 0 ? positionals : Object.keys(benches)) {
  const measure = await benches[name]?.()
  if (measure === undefined) continue
  const bench = await measure({
    scale,
    beside: values.beside,
    say: (line) => console.error(`${name}: ${line}`),
  })
  const { title, what, tables, goals, notes } = bench
  console.log(`\n${title}\n${what}\n\n${[...tables, goalTable(goals)].map(plainTable).join('\n\n')}`)
  for (const note of notes) console.log(note)
  summary.push(
    ...goals.map(({ goal, measured, isMet }) => [title, goal, measured, isMet ? 'met' : 'NOT MET']),
  )
  mkdirSync('bench/results', { recursive: true })
  writeFileSync(
    `bench/results/${name}.json`,
    `${JSON.stringify({ at: circumstances(), ...bench }, null, 2)}\n`,
  )
  if (values.docs && scale === 1) {
    writeSection('docs/benchmarks.md', intro, { name, title, text: pageOf(name, bench) })
  }
}
console.log(`\n${plainTable({ head: ['bench', 'goal', 'measured', ''], rows: summary })}`)

function goalTable(goals: Goal[]) {
  return {
    head: ['goal', 'measured', ''],
    rows: goals.map(({ goal, measured, isMet }) => [goal, measured, isMet ? 'met' : 'NOT MET']),
  }
}

function pageOf(name: string, { what, goals }: Bench): string {
  const parts = goals.length === 0 ? [what] : [what, markdownTable(goalTable(goals))]
  return [...parts, runOf(`bench -- ${name}`, circumstances())].join('\n\n')
}
