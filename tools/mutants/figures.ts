import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { circumstances, markdownTable, runOf, writeSection } from '../../prove/report.ts'

/** What came of one sample of a part. */
type Figures = { seed: string; planted: number; noticed: number; survivors: string[] }
type Kept = Record<string, { run: string; before: Figures; now: Figures }>

const file = 'tools/mutants/figures.json'
const kept = (): Kept => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})

/** The first sample of a part is what it was before; every later one replaces the last. */
export const keepFigures = (part: string, now: Figures): void => {
  const all = kept()
  const before = all[part]?.before ?? now
  writeFileSync(
    file,
    `${JSON.stringify({ ...all, [part]: { run: circumstances(), before, now } }, null, 2)}\n`,
  )
}

export const writeFigures = (parts: readonly { name: string; goal: number }[]): void => {
  const all = kept()
  const share = ({ seed, planted, noticed }: Figures) =>
    `${Math.round((100 * noticed) / Math.max(1, planted))}% (${noticed} of ${planted}, ${seed === 'all' ? 'every one' : `seed ${seed}`})`
  const some = Object.keys(all).filter((name) => parts.every((part) => part.name !== name))
  const rows = [...parts, ...some.map((name) => ({ name, goal: undefined }))].map(({ name, goal }) => {
    const figures = all[name]
    return [
      name.replaceAll('*', '\\*'),
      goal === undefined ? '' : `${goal}%`,
      figures === undefined ? 'not measured yet' : share(figures.before),
      figures === undefined || figures.now.seed === figures.before.seed ? '' : share(figures.now),
    ]
  })
  writeSection('docs/proof.md', '', {
    name: 'mutants',
    title: 'Planted faults',
    text: `The tests notice when one thing in the code that moves money or faces people is changed: a comparison turned, a bound moved, a condition removed, a constant, a statement left out, first for last. A fault that the compiler refuses counts as noticed. \`npm run mutants -- src/kernel/policy --sample 60 --seed 7\` tries one part with other faults; \`tools/mutants/figures.json\` names what survived, and why.

${markdownTable({ head: ['part', 'goal', 'first sample', 'last sample'], rows })}

${runOf(
  'mutants -- --docs',
  Object.values(all)
    .map(({ run }) => run)
    .toSorted()
    .at(-1) ?? circumstances(),
)}`,
  })
}
