import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { importFaults } from './gate/imports.ts'
import { lockFaults } from './gate/lock.ts'
import { nameFaults } from './gate/names.ts'
import { judgePatterns } from './gate/patterns.ts'
import { platformNameFaults } from './gate/platform-names.ts'
import { serviceNameFaults } from './gate/service-names.ts'

type Check = { name: string; faults: () => Promise<string[]> }

const tsc = 'node_modules/typescript/bin/tsc'

const checks: Check[] = [
  {
    name: 'style',
    faults: () =>
      outcomeOf('node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '--colors=off', '.'),
  },
  { name: 'types', faults: () => outcomeOf(tsc, '--noEmit', '-p', '.') },
  { name: 'imports', faults: () => importFaults(tsc) },
  {
    name: 'dead-code',
    faults: () => outcomeOf('node_modules/knip/bin/knip.js', '--no-progress'),
  },
  { name: 'names', faults: nameFaults },
  { name: 'lock', faults: lockFaults },
  { name: 'platforms', faults: platformNameFaults },
  { name: 'services', faults: serviceNameFaults },
  { name: 'patterns', faults: async () => (await judgePatterns()).faults },
  ...(existsSync('src/cli/derive.ts')
    ? [{ name: 'derived', faults: () => outcomeOf('src/cli/derive.ts', '--check') }]
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

/** What a tool prints when it fails; nothing when it passes. */
function outcomeOf(script: string, ...args: string[]): Promise<string[]> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      const told = `${stdout}${stderr}`.trim()
      resolve(error ? [told || error.message] : [])
    })
  })
}
