import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { testsOfChanges } from './changed.ts'
import { costsVariable, dearest } from './dearest.ts'
import { chromiumAdvice, chromiumPackages, findChromium } from './harness/chromium.ts'
import { findProgram, installPackages, type ProgramName, packageOf } from './harness/programs.ts'

type Report = {
  numPassedTests: number
  testResults: { name: string; status: string; assertionResults: { status: string }[] }[]
}

/** `npm test`: brings what npm cannot (a browser, and the tools that read our documents), runs vitest, and says at the end what was not tested and why. */
const asked = process.argv.slice(2)
const changed = asked.indexOf('--changed')
const args = changed < 0 ? asked : asked.toSpliced(changed, 2, ...testsOfChanges(asked[changed + 1]))
if (changed >= 0 && args.length === 0) {
  console.log('Nothing with a test was changed.')
  process.exit(0)
}
const programs = Object.keys(packageOf) as ProgramName[]
installPackages([
  ...(process.env.CHROMIUM_PATH || findChromium() ? [] : chromiumPackages),
  ...programs.filter((name) => findProgram(name) === undefined).map((name) => packageOf[name]),
])
const chromium = findChromium()
const folder = mkdtempSync(join(tmpdir(), 'bellhop-tests-'))
const costs = join(folder, 'costs.jsonl')
try {
  // What one process has compiled, the next one need not.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled'), [costsVariable]: costs }
  if (args.length === 0) compileOnce(env)
  const { code, report } = await runVitest(join(folder, 'report.json'), env)
  const skipped = skippedIn(report)
  const lacking = chromium
    ? []
    : [`no Chromium was found, so no test opened a browser. To have them: ${chromiumAdvice}.`]
  for (const line of [...skipped, ...lacking]) console.log(`NOT TESTED  ${line}`)

  // A name pattern on the command line skips tests on purpose; a gate that runs everything must have run everything.
  const incomplete = process.env.CI && args.length === 0 ? skipped.length + lacking.length : 0
  const failed = failedIn(report) + incomplete || (code === 0 ? 0 : 1)
  if (args.length === 0) for (const line of dearest(costs, 10)) console.log(`dearest: ${line}`)
  console.log(`tests: ${report.numPassedTests} passed, ${failed} failed`)
  process.exitCode = code || (failed > 0 ? 1 : 0)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The first tests start many bots at once, each of which would compile the same: one does so while vitest starts. */
function compileOnce({ PATH, HOME, TMPDIR, NODE_COMPILE_CACHE }: NodeJS.ProcessEnv): void {
  const bot = spawn(process.execPath, [resolve('src/cli/run.js'), 'src/main.ts'], {
    // Nothing of what somebody has set up here: no policy, database, messenger or service of theirs.
    cwd: folder,
    env: { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE, PORT: '0', DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  bot.stdout.on('data', (piece) => {
    said += piece
    if (said.includes('Stop with Ctrl-C')) bot.kill()
  })
}

async function runVitest(file: string, env: NodeJS.ProcessEnv): Promise<{ code: number; report: Report }> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args], {
    stdio: 'inherit',
    env,
  })
  const [code] = (await once(vitest, 'exit')) as [number | null]
  const report = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { numPassedTests: 0, testResults: [] }
  return { code: code ?? 1, report }
}

/** Failed tests, and files that failed as a whole: those have no test to count. */
function failedIn({ testResults }: Report): number {
  return testResults
    .filter(({ status }) => status === 'failed')
    .map(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed').length || 1)
    .reduce((sum, count) => sum + count, 0)
}

function skippedIn({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, assertionResults }) => {
    const count = assertionResults.filter(({ status }) => !['passed', 'failed'].includes(status)).length
    return count > 0 ? [`${relative(process.cwd(), name)}: ${count} skipped`] : []
  })
}
