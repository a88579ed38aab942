import { existsSync, readFileSync } from 'node:fs'
import { buttonWordFaults } from './gate/button-words.ts'
import { clockFaults } from './gate/clocks.ts'
import { importFaults } from './gate/imports.ts'
import { lockFaults } from './gate/lock.ts'
import { nameFaults } from './gate/names.ts'
import { judgePatterns } from './gate/patterns.ts'
import { platformNameFaults } from './gate/platform-names.ts'
import { serviceNameFaults } from './gate/service-names.ts'
import { outcomeOf, withoutFaults } from './gate/without.ts'

type Check = { name: string; faults: () => Promise<string[]> }

const tsc = 'node_modules/typescript/bin/tsc'

const checks: Check[] = [
  {
    name: 'style',
    faults: () =>
      outcomeOf('node_modules/@biomejs/biome/bin/biome', ['ci', '--error-on-warnings', '--colors=off', '.']),
  },
  { name: 'types', faults: () => outcomeOf(tsc, ['--noEmit', '-p', '.']) },
  { name: 'imports', faults: () => importFaults(tsc) },
  {
    name: 'dead-code',
    faults: () => outcomeOf('node_modules/knip/bin/knip.js', ['--no-progress']),
  },
  { name: 'without', faults: () => withoutFaults(tsc) },
  { name: 'names', faults: nameFaults },
  { name: 'lock', faults: lockFaults },
  { name: 'platforms', faults: platformNameFaults },
  { name: 'services', faults: serviceNameFaults },
  { name: 'buttons', faults: buttonWordFaults },
  { name: 'clocks', faults: clockFaults },
  { name: 'patterns', faults: patternFaults },
  ...(existsSync('tools/derive.ts')
    ? [{ name: 'derived', faults: () => outcomeOf('tools/derive.ts', ['--check']) }]
    : []),
  ...(existsSync('tools/sayings.ts')
    ? [{ name: 'sayings', faults: () => outcomeOf('tools/sayings.ts', ['--check']) }]
    : []),
]

/** Runs all static checks, or only those named on the command line. */
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !checks.some((check) => check.name === name))
const results = await Promise.all(
  checks
    .filter(({ name }) => wanted.length === 0 || wanted.includes(name))
    .map(async ({ name, faults }) => ({ name, lines: await faults() })),
)
for (const name of unknown) {
  results.push({
    name,
    lines: [`there is no such check, only ${checks.map((check) => check.name).join(', ')}`],
  })
}
for (const { name, lines } of results) {
  console.log(
    lines.length === 0
      ? `ok      ${name}`
      : `FAILED  ${name}\n${lines.join('\n').replace(/^/gm, '        ')}`,
  )
}
const failed = results.filter(({ lines }) => lines.length > 0).length
console.log(`checks: ${results.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** Those of the patterns, and of the list that \`npm run derive\` writes: a checkout that passes is one that it leaves as it is. */
async function patternFaults(): Promise<string[]> {
  const { faults, judged } = await judgePatterns()
  const stale = Object.entries(judged).filter(
    ([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text,
  )
  return [...faults, ...stale.map(([file]) => `${file} is out of date: run npm run derive and commit it.`)]
}
